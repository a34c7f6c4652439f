import Chronology
import Ledger
import PDFWords
import YAMLSource

/// A statement in a profile's file, with what must be read from it.
struct StatementSample: Sendable {
    enum Content: Sendable {
        /// Separated text, HTML or another format in text.
        case text(String)
        /// The pages of a PDF as lines of text, with columns at equal places.
        case pages([String])
    }

    enum Expectation: Sendable {
        /// The profile does not claim the table.
        case none
        /// The profile claims the table, whose balances or rows are refused.
        case refused
        case statement(proof: StatementProof.Strength, lines: [Line])
    }

    /// A line as the file writes it.
    struct Line: Hashable, Sendable, CustomStringConvertible {
        var day: CalendarDate
        /// Minor units with their sign.
        var change: Int64
        var text: String
        var reference: String?

        var description: String {
            "\(day) \(change) '\(text)'" + (reference.map { " reference '\($0)'" } ?? "")
        }
    }

    let name: String
    let currency: Currency
    let content: Content
    let expectation: Expectation
    /// The line of the sample in its file.
    let line: Int

    /// The samples of a profile: at least one that it reads, and one that it must not read.
    static func samples(in file: YAMLFile) throws(SourceError) -> [StatementSample] {
        let list = try file.root().mapping().require("samples")
        var samples: [StatementSample] = []
        for node in try list.list() { samples.append(try StatementSample(node)) }
        let isRead = samples.map { if case .statement = $0.expectation { true } else { false } }
        guard isRead.contains(true), isRead.contains(false) else {
            throw list.error(
                "a statement that is read and one that is not are needed",
                remedy: "Write 'expect: none' for one of another form, or 'expect: refused' for a wrong balance.")
        }
        return samples
    }

    private init(_ node: YAMLNode) throws(SourceError) {
        let map = try node.mapping(allowing: ["name", "currency", "text", "pages", "expect"])
        name = try map.require("name").string()
        line = node.line
        let code = try map["currency"]?.string() ?? Currency.inr.code
        guard let currency = Currency(code: code) else {
            throw (map["currency"] ?? node).error("a three-letter ISO 4217 code is expected here")
        }
        self.currency = currency
        switch (map["text"], map["pages"]) {
        case (let text?, nil): content = .text(try text.string())
        case (nil, let pages?): content = .pages(try pages.strings())
        default: throw node.error("either 'text' or 'pages' is expected here")
        }
        expectation = try Self.expectation(try map.require("expect"), currency)
    }

    private static func expectation(_ node: YAMLNode, _ currency: Currency) throws(SourceError) -> Expectation {
        if node.isScalar {
            switch try node.string() {
            case "none": return .none
            case "refused": return .refused
            default: throw node.error("unknown value", remedy: "Write 'none', 'refused', or 'proof:' and 'lines:'.")
            }
        }
        let map = try node.mapping(allowing: ["proof", "lines"])
        let proof = try map.require("proof")
        guard let strength = StatementProof.Strength(rawValue: try proof.string()) else {
            throw proof.error("unknown value", remedy: "Write 'every_line', 'sum' or 'none'.")
        }
        var lines: [Line] = []
        for item in try map.require("lines").list() { lines.append(try line(item, currency)) }
        return .statement(proof: strength, lines: lines)
    }

    private static func line(_ node: YAMLNode, _ currency: Currency) throws(SourceError) -> Line {
        let map = try node.mapping(allowing: ["date", "amount", "text", "reference"])
        guard let day = CalendarDate(iso: try map.require("date").string()) else {
            throw try map.require("date").error("a day is expected here", remedy: "Write it as 2026-01-31.")
        }
        guard let change = FormatText.minorUnits(try map.require("amount").string(), currency) else {
            throw try map.require("amount").error(
                "an amount is expected here", remedy: "Write it as '-1250.50' if money left the account.")
        }
        return Line(
            day: day, change: change, text: try map.require("text").string(), reference: try map["reference"]?.string())
    }
}

extension StatementSample {
    /// Points of one letter: the blank between two words is narrower than the gap between two headings.
    static let letterWidth = 4.0
    static let letterHeight = 8.0
    static let lineHeight = 12.0

    /// The words on a page of text, at the places at which a PDF would have them.
    static func words(onPage text: String) -> [PDFWord] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { number, line in
            let top = Double(number + 1) * lineHeight
            var (words, word, start): ([PDFWord], String, Int) = ([], "", 0)
            for (column, letter) in (Array(line) + [" "]).enumerated() {
                if letter != " " {
                    if word.isEmpty { start = column }
                    word.append(letter)
                } else if !word.isEmpty {
                    words.append(
                        PDFWord(
                            word, left: Double(start) * letterWidth, right: Double(column) * letterWidth, top: top,
                            bottom: top + letterHeight))
                    word = ""
                }
            }
            return words
        }
    }
}
