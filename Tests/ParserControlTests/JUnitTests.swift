import Foundation
import FoundationXML
import Testing

@testable import ParserControl
@testable import ProfileAuthoring
@testable import Profiles

@Suite struct JUnitTests {
    static func result(
        _ sample: String, bank: String = "bank", holds: Bool = true, got: String? = "12", expected: String? = "21"
    ) -> SampleResult {
        SampleResult(
            bank: bank, template: "\(bank)/spend", sample: sample, path: "parsers/\(bank)/spend.yaml", line: 7,
            index: 0, expected: .fields([:]), got: .fields([:]),
            differences: holds ? [] : [.init(field: "amount", got: got, expected: expected)], time: .milliseconds(1503))
    }

    /// Elements with their attributes and text, read by a strict parser.
    final class Reader: NSObject, XMLParserDelegate {
        struct Element: Equatable { var name: String, attributes: [String: String], text = "" }
        var elements: [Element] = []
        var open: [Int] = []

        func parser(
            _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append(Element(name: name, attributes: attributes))
        }
        func parser(_: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }
        func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
            open.removeLast()
        }
    }

    static func parse(_ document: String) throws -> [Reader.Element] {
        let parser = XMLParser(data: Data(document.utf8))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in \(document)")
        return reader.elements
    }

    @Test func writesASuiteForEachBankAndACaseForEachSample() throws {
        let elements = try Self.parse(
            JUnit.document([Self.result("a"), Self.result("b", holds: false), Self.result("c", bank: "other")]))
        #expect(
            elements.map(\.name) == [
                "testsuites", "testsuite", "testcase", "testcase", "failure", "testsuite", "testcase",
            ])
        #expect(
            elements[0].attributes == [
                "name": "parserctl test", "tests": "3", "failures": "1", "errors": "0", "time": "4.509",
            ])
        #expect(
            elements[1].attributes == [
                "name": "bank", "tests": "2", "failures": "1", "errors": "0", "skipped": "0", "time": "3.006",
            ])
        #expect(
            elements[2].attributes == [
                "classname": "bank/spend", "name": "a", "file": "parsers/bank/spend.yaml", "line": "7", "time": "1.503",
            ])
        #expect(elements[4].attributes == ["type": "differs", "message": "amount: expected 21, got 12"])
        #expect(elements[4].text == "parsers/bank/spend.yaml:7: bank/spend, sample 'b'\n- amount: 21\n+ amount: 12")
    }

    @Test(arguments: [
        "<![CDATA[ ]]> & \"quoted\" 'and' <b>", "line\nbreak\tand\r\nreturn", "nul \0, escape \u{1B}[31m, bell \u{7}",
        "\u{FFFE}\u{FFFF} noncharacters", "\u{85}\u{2028} ₹ 😀 \u{202E}",
        "</failure></testcase>", "&amp; &#0; &lt;",
    ]) func escapesAnyText(text: String) throws {
        let elements = try Self.parse(JUnit.document([Self.result(text, holds: false, got: text, expected: text)]))
        let readable = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) || $0.value == 0xFFFE || $0.value == 0xFFFF
                        ? "\u{FFFD}" : $0
                }))
        #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase", "failure"])
        #expect(elements[2].attributes["name"] == readable)
        #expect(elements[3].attributes["message"] == "amount: expected \(readable), got \(readable)")
        #expect(elements[3].text.hasSuffix("- amount: \(readable)\n+ amount: \(readable)"))
    }

    @Test func sampleWithoutAnExpectationFails() throws {
        var result = Self.result("new")
        result.expected = .missing
        let elements = try Self.parse(JUnit.document([result]))
        #expect(
            elements.last?.attributes == [
                "type": "no expectation",
                "message": "it has no 'expect:': 'parserctl test --accept' writes what is read now",
            ])
    }

    @Test func writesADocumentWithoutResults() throws {
        #expect(try Self.parse(JUnit.document([])).map(\.name) == ["testsuites"])
    }
}
