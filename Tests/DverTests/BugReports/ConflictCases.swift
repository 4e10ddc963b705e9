import SystemIO
import TestSupport
import Testing

@Suite("Reports about conflicts and their resolution") struct ConflictCases {
  @Test("BR-064: A conflict that was removed doesn't come back")
  func removedConflict() throws {
    let fixture = try DeviceFixture("A", "B", "C", documents: "echo base > d")
    try fixture.sh(
      """
      echo one > A/d; A save -q > /dev/null; echo two > B/d; B save -q > /dev/null; both; C sync -q
      same "$(A conflicts -z | tr '\\0' ' ')" "d "
      A resolve d --current > /dev/null; A remove-other d > /dev/null; A sync -q; B sync -q; C sync -q
      for i in 1 2; do A sync -q; B sync -q; C sync -q; done
      for f in A B C; do same "$($f conflicts)" ""; done
      same "$(A log --json -n 1 d | cut -c 1-80)" "$(B log --json -n 1 d | cut -c 1-80)"
      same "$(A log --json -n 1 d | cut -c 1-80)" "$(C log --json -n 1 d | cut -c 1-80)"
      same "$(cat A/d B/d C/d | sort -u | count)" 1
      same "$(C log --all d --json | grep -c '"state":"removed"')" 3
      """)
  }

  @Test("BR-065: A conflict that several devices see has one other version, of the same id everywhere")
  func seenBySeveral() throws {
    let fixture = try DeviceFixture("A", "B", "C", documents: "echo base > d")
    try fixture.sh(
      """
      echo one > A/d; A save -q > /dev/null; echo two > B/d; B save -q > /dev/null
      for f in A C B C A; do $f sync -q; done
      same "$(A conflicts --json | count)" 1
      same "$(A conflicts --json | cut -c 1-80)" "$(B conflicts --json | cut -c 1-80)"
      same "$(A conflicts --json | cut -c 1-80)" "$(C conflicts --json | cut -c 1-80)"
      same "$(ls A)" d; same "$(ls C)" d
      """)
  }

  @Test("BR-066: Deleting a document that has a conflict promotes no loser")
  func deleted() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo base > d; echo kept > k")
    try fixture.sh(
      """
      echo one > A/d; A save -q > /dev/null; echo two > B/d; B save -q > /dev/null; both
      rm A/d; A save -q > /dev/null; A sync -q; B sync -q; A sync -q
      same "$(ls A)" k; same "$(ls B)" k
      same "$(A log --all d --json | grep -c '"kind":"file"')" 3
      A log --all d --json | head -n 1 | grep -q '"kind":"deleted","state":"current"'
      one=$(B log --all d --json | grep '"size":4,' | grep -v '"state":"current"' | sed 's/.*"version":"\\([0-9a-f]*\\)".*/\\1/' | head -n 1)
      B restore d@$one -q > /dev/null
      [ -s B/d ]
      """)
  }

  @Test("BR-067: An edit that isn't saved outlives a deletion that arrives, and a deletion that isn't saved an edit")
  func unsaved() throws {
    var fixture = try DeviceFixture("A", "B", documents: "echo base > d; echo kept > k")
    try fixture.sh(
      """
      rm A/d; A save -q > /dev/null; A sync -q; printf day-work > B/d; B sync -q
      same "$(cat B/d)" day-work
      B save -q > /dev/null; B sync -q; A sync -q
      same "$(cat A/d)" day-work
      same "$(A conflicts --json | grep -c '"kind":"deleted"')" 1
      """)
    fixture = try DeviceFixture("A", "B", documents: "echo base > d; echo kept > k")
    try fixture.sh(
      """
      rm B/d; printf 2 > A/d; A save -q > /dev/null; A sync -q; B sync -q
      B save -q > /dev/null; both
      same "$(cat A/d)" 2; same "$(cat B/d)" 2
      same "$(B conflicts --json | grep -c '"kind":"deleted"')" 1
      """)
  }

  @Test("BR-068: Many versions are ordered by the graph, and each head is listed once")
  func manyVersions() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo base > d")
    try fixture.sh(
      """
      for i in $(seq 30); do echo a$i > A/d; A save -q > /dev/null; echo b$i > B/d; B save -q > /dev/null; done; both
      same "$(A conflicts --json | count)" 1
      same "$(A log --all d --json | count)" 61
      same "$(A log -n 3 d --json | sed 's/.*"size":\\([0-9]*\\).*/\\1/' | tr '\\n' ' ')" "4 4 4 "
      A resolve d --current > /dev/null; both
      same "$(A conflicts)" ""; same "$(B conflicts)" ""
      """)
    let names = (1...12).map { "D\($0)" }
    for name in names { try fixture.add(name) }
    let lines = names.map { "echo \($0) > \($0)/d; \($0) save -q > /dev/null" } + names.map { "\($0) sync -q" }
    try fixture.sh(
      (lines + names.map { "\($0) sync -q" }).joined(separator: "\n") + "\nA sync -q\n"
        + """
        same "$(A conflicts --json | count)" 11
        same "$(A conflicts --json | sort -u | count)" 11
        A resolve d --newest > /dev/null; A sync -q; D1 sync -q
        same "$(D1 conflicts)" ""; same "$(cat D1/d)" "$(cat A/d)"
        """, devices: ["A", "B"] + names)
  }

  @Test("BR-069: Where only times differ there is no version and no conflict; a mode merges by itself")
  func bookkeeping() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo base > d; chmod 600 d")
    try fixture.sh(
      """
      touch -d 2001-01-01 A/d; same "$(A save d)" ""; A sync -q
      touch -d 2002-02-02 B/d; chmod g+r B/d; B save -q d > /dev/null; B sync -q; A sync -q
      same "$(A conflicts)" ""; same "$(A log --all d --json | count)" 2
      same "$(stat -c %a A/d)" 640
      """)
  }

  @Test("BR-070: Two changes of permissions over a whole folder meet without a conflict: bit by bit")
  func permissionStorm() throws {
    let fixture = try DeviceFixture(
      "A", "B", documents: "for i in $(seq 500); do echo $i > f$i; done; chmod 644 f*")
    try fixture.sh(
      """
      chmod -R g+w A/f*; A save -q > /dev/null; chmod -R o-r B/f*; B save -q > /dev/null; both; both
      same "$(A conflicts)" ""; same "$(B conflicts)" ""
      same "$(ls A | count)" 500; same "$(ls B | count)" 500
      same "$(stat -c %a A/f* B/f* | sort -u)" 660
      same "$(cat A/f* | sort -n | tail -n 1)" 500
      """)
  }

  @Test("BR-071: The same change on both sides is no conflict, also of a new document")
  func sameChange() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo base > d")
    try fixture.sh(
      """
      printf same > A/d; printf same > A/n; A save -q > /dev/null
      printf same > B/d; printf same > B/n; B save -q > /dev/null; both
      for f in A B; do same "$($f conflicts)" ""; same "$($f status)" ""; done
      for d in d n; do same "$(A log -n 1 --json $d | cut -c 1-80)" "$(B log -n 1 --json $d | cut -c 1-80)"; done
      """)
  }

  @Test("BR-072: After a sync that was killed each sync ends, and the remote stays as it is")
  func neverEnding() throws {
    let fixture = try DeviceFixture("A", "B", documents: "head -c 300000 /dev/urandom > f.xlsx")
    try fixture.sh(
      """
      head -c 300000 /dev/urandom > A/f.xlsx; A save -q > /dev/null; A sync -q
      head -c 300000 /dev/urandom > B/f.xlsx; B save -q > /dev/null
      ( cd B; exec \(try CommandRunner().program.description) sync -q ) & kill -9 $!; wait $! || true
      B sync -q; A sync -q; B sync -q; n=$(find R -type f | count)
      for i in 1 2 3 4 5; do B sync -q; same "$(find R -type f | count)" "$n"; done
      same "$(B conflicts --json | count)" 1
      B resolve f.xlsx --current > /dev/null; B sync -q; A sync -q; same "$(A conflicts)" ""
      cmp A/f.xlsx B/f.xlsx
      """)
  }

  @Test("BR-073: Edits on top of a conflict make no copies of copies")
  func conflictOfConflict() throws {
    let fixture = try DeviceFixture("A", "B", "C", documents: "echo base > d")
    try fixture.sh(
      """
      echo one > A/d; A save -q > /dev/null; echo two > B/d; B save -q > /dev/null; both
      echo more A > A/d; A save -q > /dev/null; echo more B > B/d; B save -q > /dev/null; both
      C sync -q; echo more C > C/d; C save -q > /dev/null; C sync -q; both
      for f in A B C; do same "$(ls $f)" d; done
      [ $(A conflicts --json | count) -le 3 ]
      same "$(A conflicts --json | cut -c 1-80 | sort)" "$(B conflicts --json | cut -c 1-80 | sort)"
      A resolve d --both > /dev/null 2>&1 || A resolve d --current > /dev/null; both; same "$(A conflicts)" ""
      [ $(ls A | wc -c) -le 20 ]
      """)
  }

  @Test("BR-074: A device that was off and touches its old file overwrites nothing")
  func oldDevice() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo v1 > d")
    try fixture.sh(
      """
      for i in 2 3 4 5 6 7 8 9; do echo v$i > A/d; A save -q > /dev/null; done; A sync -q
      touch B/d; B save -q d > /dev/null; B sync -q; A sync -q
      same "$(cat A/d)" v9; same "$(cat B/d)" v9; same "$(A conflicts)$(B conflicts)" ""
      """)
  }

  @Test("BR-075: Saving settles nothing, resolving does")
  func saving() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo base > d")
    try fixture.sh(
      """
      echo one > A/d; A save -q > /dev/null; echo two > B/d; B save -q > /dev/null; both
      before=$(cat A/d); echo x > A/d; A save -q d > /dev/null; same "$(A conflicts d --json | count)" 1
      echo "$before" > A/d; A save -q d > /dev/null; same "$(A conflicts d --json | count)" 1
      same "$(A resolve d > /dev/null 2>&1; echo $?)" 2
      A resolve d --current > /dev/null; same "$(A conflicts d)" ""
      """.replacing("$(A resolve d > /dev/null 2>&1; echo $?)", with: "$( (A resolve d > /dev/null 2>&1) || echo $?)"))
  }

  @Test("BR-076: Two devices that make the same name have a conflict without a common version")
  func sameName() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo k > k")
    try fixture.sh(
      """
      printf a > A/n; A save -q > /dev/null; printf b > B/n; B save -q > /dev/null; both
      same "$(A conflicts n --json | count)" 1; same "$(B conflicts n --json | count)" 1
      A conflicts --diff n | grep -q '^    no common version$'
      A conflicts --diff n | grep -q '^[-+]a$'; A conflicts --diff n | grep -q '^[-+]b$'
      same "$(cat A/n)" "$(cat B/n)"; A verify -q
      """)
  }
}
