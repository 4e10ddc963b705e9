import SystemIO
import TestSupport
import Testing

@Suite("Reports about packages") struct PackageCases {
  @Test("BR-128: Edits of different entries merge; of one entry they are one conflict of the document")
  func conflict() throws {
    var fixture = try DeviceFixture(
      "A", "B",
      documents: "A config packages '*.rtfd'; mkdir Note.rtfd; echo text > Note.rtfd/TXT.rtf; printf '\\0pic' > Note.rtfd/a.png")
    try fixture.sh(
      """
      echo edited > A/Note.rtfd/TXT.rtf; A save -q > /dev/null; printf '\\0PIC' > B/Note.rtfd/a.png; B save -q > /dev/null; both
      same "$(A conflicts)$(B conflicts)" ""; same "$(cat A/Note.rtfd/TXT.rtf)" edited; printf '\\0PIC' | cmp - A/Note.rtfd/a.png
      diff -r A/Note.rtfd B/Note.rtfd; same "$(A log -n 1 --json | cut -c 1-80)" "$(B log -n 1 --json | cut -c 1-80)"
      same "$(A status)$(B status)" ""; A verify -q; B verify -q
      """)
    fixture = try DeviceFixture(
      "A", "B",
      documents: "A config packages '*.rtfd'; mkdir Note.rtfd; echo text > Note.rtfd/TXT.rtf; printf '\\0pic' > Note.rtfd/a.png")
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

  @Test("BR-130: A package that its program writes meanwhile is saved whole, or not at all")
  func writing() throws {
    let fixture = try DeviceFixture("A", documents: "A config packages '*.pkg'")
    try fixture.sh(
      """
      mkdir A/Doc.pkg; echo 0 > A/Doc.pkg/data-0.bin; echo '{"data":0}' > A/Doc.pkg/index.json; A save -q > /dev/null
      ( n=0; while [ ! -e stop ]; do
          m=$((n + 1)); echo $m > A/Doc.pkg/data-$m.bin; echo "{\\"data\\":$m}" > index.new; mv index.new A/Doc.pkg/index.json
          rm A/Doc.pkg/data-$n.bin; n=$m
        done ) &
      saved=0
      for i in $(seq 100); do if A save -q Doc.pkg > /dev/null 2>&1; then saved=$((saved + 1)); fi; done
      touch stop; wait
      A save -q Doc.pkg > /dev/null
      A log --json --all Doc.pkg | sed 's/.*"version":"\\([0-9a-f]*\\)".*"device".*/\\1/' | cut -c 1-64 > versions
      [ -s versions ]
      for v in $(cat versions); do
        A restore Doc.pkg@$v --to ../out > /dev/null 2>&1
        n=$(tr -dc 0-9 < out/index.json); [ -n "$n" ] || { echo "no index" >&2; exit 98; }
        same "$(cat "out/data-$n.bin" 2>&1)" "$n"; rm -r out
      done
      """)
  }

  @Test("BR-131: What only a folder's own data changes is no conflict")
  func folderData() throws {
    let fixture = try DeviceFixture("A", "B", documents: "A config packages '*.pkg'; mkdir D.pkg; echo 1 > D.pkg/a; chmod 755 D.pkg; chmod 644 D.pkg/a")
    try fixture.sh(
      """
      touch A/D.pkg A/D.pkg/a; chmod g+w A/D.pkg A/D.pkg/a; touch B/D.pkg B/D.pkg/a
      A save -q > /dev/null; same "$(B save)" ""; both
      same "$(A conflicts)$(B conflicts)" ""; same "$(stat -c %a B/D.pkg B/D.pkg/a | tr '\\n' ' ')" "775 664 "
      same "$(A log --all --json D.pkg | count)" 2
      """)
  }
}
