import Exchange
import SystemIO
import VersionStore
import Versioning

extension CommandFailure {
  init(_ error: ExchangeError) {
    switch error {
    case .remote(let error): self.init(error)
    case .repository(let error): self.init(error)
    case .invalidURL(let text):
      self.init(.usage, "\"\(text)\" is no place of a remote", advice: "give a folder, or file:// and a path")
    case .notYet(let scheme):
      self.init(
        .remoteUnreachable, "\(scheme):// remotes aren't there yet", advice: "use a folder: a mounted disk, a stick")
    case .notEmpty(let folder):
      self.init(
        .alreadyExists, "something is in", path: folder.bytes,
        advice: "name a new or empty folder; where a clone was interrupted, dver -C DIR sync REMOTE goes on with it")
    case .busy: self.init(.locked, "another sync of this device is running", advice: "try again when it is done")
    }
  }

  init(_ error: RemoteError) {
    switch error {
    case .unreachable(let place, let reason):
      self.init(.remoteUnreachable, "can't reach \(place): \(reason)", advice: "check that it is mounted or plugged in")
    case .notARemote(let place, let reason):
      self.init(
        .remoteUnreachable, "not a dver remote: \(place): \(reason)",
        advice: "check that it is mounted or plugged in, or dver remote add it anew")
    case .readOnly(let place):
      self.init(.remoteRefused, "can't write to \(place)", advice: "check its permissions and its medium")
    case .refused(let name):
      self.init(.remoteRefused, "the remote did not take \(name.text)", advice: "see dver verify")
    case .noSpace(let place): self.init(.diskFull, "no space is left on \(place)", advice: "free some space there")
    case .unsupportedFormat(let format):
      self.init(.newerFormat, "the remote has format \(format)", advice: "use a newer dver")
    case .notFound(let name):
      self.init(.remoteUnreachable, "the remote has no \(name.text) yet", advice: "dver sync again later")
    case .system(let error):
      self.init(.remoteUnreachable, error.message + (error.path == nil ? "" : ":"), path: error.path?.bytes)
    }
  }

  /// Something to hear of an exchange that went on.
  init(_ warning: ExchangeWarning) {
    switch warning {
    case .notHereYet(let device, let number, let missing):
      self.init(
        .partial,
        "push \(number) of device \(device.shortText) is not complete on the remote yet: \(missing.text) is missing",
        advice: "dver sync again later")
    case .waiting(let device, let number):
      self.init(
        .partial, "push \(number) of device \(device.shortText) waits for something that isn't here",
        advice: "dver sync again later")
    case .damaged(let name):
      self.init(.damage, "damaged on the remote: \(name.text)", advice: "dver sync from a device that has it")
    case .newerFormat(let name):
      self.init(.newerFormat, "a newer dver wrote \(name.text) on the remote, left alone", advice: "use a newer dver")
    case .repaired(let name): self.init(.damage, "damaged on the remote, put right: \(name.text)")
    case .broughtBack(let path):
      self.init(.damage, "lost or damaged here, fetched again:", path: path.bytes)
    case .damagedHere(let path):
      self.init(
        .damage, "damaged here, not sent:", path: path.bytes,
        advice: "dver sync --check fetches it from a remote that has it")
    case .strangeName(let folder, let name):
      self.init(.partial, "not dver's, left alone in \(folder.text):", path: name)
    case .identityRenewed(let old, let new):
      self.init(
        .partial, "this store was copied or restored: it is device \(new.shortText) now, not \(old.shortText)",
        advice: "nothing is lost")
    case .identityShared(let device):
      self.init(.partial, "two stores wrote as device \(device.shortText)", advice: "everything of both was kept")
    case .clock(let device, let milliseconds):
      self.init(
        .partial, "device \(device.shortText) is \(abs(milliseconds) / 60_000) minutes ahead of this machine's clock",
        advice: "set the clock that is wrong")
    }
  }
}

extension DeviceID {
  /// The first eight digits.
  var shortText: String { String(decoding: hexadecimal.utf8.prefix(8), as: UTF8.self) }
}
