import TestSupport
import Testing

@testable import Merging

@Suite("The check of XML") struct XMLCheckTests {
  static let wellFormed = [
    "<a/>", "<a></a>", "<a>text</a>\n", "\u{FEFF}<a/>", "<?xml version=\"1.0\"?>\n<a b='1' c=\"2\">&amp;&#10;&#xA;</a>",
    "<!DOCTYPE html>\n<html lang = 'en' ><br/></html >", "<!-- - --><a/>",
    "<a><![CDATA[<b>&]]]]></a>", "<a><?php echo '>' ?><!-- <b> --></a>", "<ns:a x:b=''><é-1.x/></ns:a>",
    "<!DOCTYPE a PUBLIC \"-//A>\" 'b' [<!ENTITY c '>]'><!-- ' --><?d '?>\n<!ELEMENT a (b|c)*>]><a>&c;</a><!-- e -->",
    "<?xml-stylesheet a?><a/>", "<?xml version='1.0' encoding=\"UTF-8\" standalone='yes' ?>\n<a/>",
    "<a\n\tb='1'\r\nc='>'/>", "<a>]] ></a>",
  ]

  static let malformed = [
    "", " ", "a", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a b/>", "<a b=1/>",
    "<a b='1' b='2'/>", "<a b='<'/>", "<a b='&'/>", "<a>&</a>", "<a>& </a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#a;</a>",
    "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- </a>", "<a><![CDATA[</a>", "<a><?xml?></a>", "<a><??></a>",
    "<a b='1'c='2'/>", "<1/>", "< a/>", "<a / >", "<a>\u{1}</a>", "<a", "<a b", "<a b=", "<a b='", "<!DOCTYPE a>",
    "<a/><!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY b><a/>", "<!DOCTYPE a [<!ENTITY b ]>><a/>",
    "<!DOCTYPE a><!DOCTYPE a><a/>", "<![CDATA[a]]>", "<?xml?",
    "<?xml ?><a/>", "<?xml encoding='a'?><a/>", "<?xml version='1.0'encoding='a'?><a/>", "<?xml version=1?><a/>",
    "<?xml version='1.0' version='1.0'?><a/>", "<a>&lt</a>", "<", "<!", "<!-", "<a><", "&amp;<a/>",
  ]

  @Test("accepts documents", arguments: wellFormed)
  func accepts(_ document: String) { #expect(XMLCheck.isWellFormed(bytes(document))) }

  @Test("refuses what is none", arguments: malformed)
  func refuses(_ document: String) { #expect(!XMLCheck.isWellFormed(bytes(document))) }

  @Test("is quick and bounded on a megabyte of anything")
  func largeInputs() {
    let million = 1 << 20
    #expect(!XMLCheck.isWellFormed(Array(repeatElement(bytes("<a>"), count: million / 3).joined())))
    #expect(XMLCheck.isWellFormed(bytes("<a>" + String(repeating: "<b/>", count: million / 4) + "</a>")))
    let attributes = (0..<million / 12).map { " a\($0)=''" }.joined()
    #expect(XMLCheck.isWellFormed(bytes("<a\(attributes)/>")))
    #expect(!XMLCheck.isWellFormed(bytes("<a\(attributes) a0=''/>")))
    #expect(!XMLCheck.isWellFormed(bytes("<!DOCTYPE a [" + String(repeating: "<!-- ", count: million / 5))))
    #expect(!XMLCheck.isWellFormed(bytes("<a>" + String(repeating: "]]&", count: million / 3))))
  }
}
