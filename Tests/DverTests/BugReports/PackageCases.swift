import SystemIO
import TestSupport
import Testing

@Suite("Reports about packages") struct PackageCases {
  @Test("BR-128: Edits of different entries merge; of one entry they are one conflict of the document")
  func conflict() throws {
    var fixture = try DeviceFixture(
      "A", "B",
      documents:
        "A config packages '*.rtfd'; mkdir Note.rtfd; echo text > Note.rtfd/TXT.rtf; printf '\\0pic' > Note.rtfd/a.png")
    try fixture.sh(
      """
      echo edited > A/Note.rtfd/TXT.rtf; A save -q > /dev/null; printf '\\0PIC' > B/Note.rtfd/a.png; B save -q > /dev/null; both
      same "$(A conflicts)$(B conflicts)" ""; same "$(cat A/Note.rtfd/TXT.rtf)" edited; printf '\\0PIC' | cmp - A/Note.rtfd/a.png
      diff -r A/Note.rtfd B/Note.rtfd; same "$(A log -n 1 --json | cut -c 1-80)" "$(B log -n 1 --json | cut -c 1-80)"
      same "$(A status)$(B status)" ""; A verify -q; B verify -q
      """)
    fixture = try DeviceFixture(
      "A", "B",
      documents:
        "A config packages '*.rtfd'; mkdir Note.rtfd; echo text > Note.rtfd/TXT.rtf; printf '\\0pic' > Note.rtfd/a.png")
    try fixture.sh(
      """
      echo one > A/Note.rtfd/TXT.rtf; printf '\\0PIC' > A/Note.rtfd/a.png; A save -q > /dev/null
      echo two > B/Note.rtfd/TXT.rtf; B save -q > /dev/null; both
      same "$(A conflicts --json | count)" 1; same "$(B conflicts --json | count)" 1
      same "$(ls -A A/Note.rtfd | tr '\\n' ' ')" "TXT.rtf a.png "; same "$(ls -A A | tr '\\n' ' ')" ".dver Note.rtfd "
      diff -r A/Note.rtfd B/Note.rtfd
      other=$(A conflicts --json | sed 's/.*"version":"\\([0-9a-f]*\\)".*"device".*/\\1/' | cut -c 1-64)
      A restore Note.rtfd@$other --to ../Other.rtfd > /dev/null 2>&1
      same "$(cat A/Note.rtfd/TXT.rtf Other.rtfd/TXT.rtf | sort | tr '\\n' ' ')" "one two "
      same "$(cat A/Note.rtfd/a.png Other.rtfd/a.png | tr -d '\\0' | fold -w 3 | sort | tr '\\n' ' ')" "PIC pic "
      A resolve Note.rtfd --use $other > /dev/null; both; diff -r A/Note.rtfd Other.rtfd; diff -r B/Note.rtfd Other.rtfd
      """)
  }

  @Test("BR-129: Everything in a package comes back, whatever it is called")
  func innerFiles() throws {
    let fixture = try DeviceFixture("A", "B", documents: "A config packages '*.xcassets'")
    try fixture.sh(
      """
      cd A; mkdir -p P.xcassets/node_modules P.xcassets/.git P.xcassets/empty; cd P.xcassets
      for f in .DS_Store .hidden x.tmp y~ '~$z' "$(printf 'Icon\\r')" Thumbs.db node_modules/a .git/config a.nosync; do
        echo "$f" > "$f"
      done
      cd ../..; cp -a A/P.xcassets kept; A save -q P.xcassets > /dev/null; rm -r A/P.xcassets
      A restore P.xcassets > /dev/null 2>&1; diff -r kept A/P.xcassets; both; diff -r kept B/P.xcassets
      """)
  }

  @Test("BR-130: A package that its program writes meanwhile is saved as it was at one moment, or not at all")
  func writing() throws {
    let fixture = try DeviceFixture("A", documents: "A config packages '*.pkg'")
    try fixture.sh(
      """
      # Many files, so that reading takes longer than a change; their contents are all that come, so that nothing is read
      # a second time to be stored. The index follows the data.
      mkdir A/Doc.pkg; for i in $(seq 0 200); do echo $i > A/Doc.pkg/f$i; done
      echo 0 > A/Doc.pkg/data; echo 0 > A/Doc.pkg/index; A save -q > /dev/null
      ( n=0; while [ ! -e stop ]; do
          n=$(((n + 1) % 200)); for f in data index; do echo $n > new-$f; mv new-$f A/Doc.pkg/$f; done
        done ) &
      for i in $(seq 30); do A save -q Doc.pkg > /dev/null 2> errors || grep -q 'kept changing' errors; done
      touch stop; wait
      A save -q Doc.pkg > /dev/null
      A log --json --all Doc.pkg | sed 's/.*"version":"\\([0-9a-f]*\\)".*"device".*/\\1/' | cut -c 1-64 > versions
      [ $(count < versions) -ge 2 ]
      for v in $(cat versions); do
        A restore Doc.pkg@$v --to ../out > /dev/null 2>&1
        n=$(cat out/index); case $(cat out/data) in $n|$(((n + 1) % 200))) ;; *) grep . out/data out/index >&2; exit 97 ;; esac
        rm -r out
      done
      """)
  }

  @Test("BR-131: What only a folder's own data changes is no conflict")
  func folderData() throws {
    let fixture = try DeviceFixture(
      "A", "B",
      documents: "A config packages '*.pkg'; mkdir D.pkg; echo 1 > D.pkg/a; chmod 755 D.pkg; chmod 644 D.pkg/a")
    try fixture.sh(
      """
      touch A/D.pkg A/D.pkg/a; chmod g+w A/D.pkg A/D.pkg/a; touch B/D.pkg B/D.pkg/a
      A save -q > /dev/null; same "$(B save)" ""; both
      same "$(A conflicts)$(B conflicts)" ""; same "$(stat -c %a B/D.pkg B/D.pkg/a | tr '\\n' ' ')" "775 664 "
      same "$(A log --all --json D.pkg | count)" 2
      """)
  }
}
