import Ledger
import Testing

@testable import Profiles

@Suite struct DistinguishingTextTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isEqual: Bool
        var one: String
        var other: String

        init(_ name: String, _ isEqual: Bool, _ one: String, _ other: String) {
            (testDescription, self.isEqual, self.one, self.other) = (name, isEqual, one, other)
        }
    }

    static let far = String(repeating: "and more words of no weight ", count: 12)

    static let pairs = [
        Pair("another name beside the amount", false, "Rs.500.00 to ASHA", "Rs.500.00 to OM"),
        Pair("another case", true, "Rs.500.00 to ASHA", "RS.500.00 TO asha"),
        Pair("other signs around a word", true, "Rs.500.00 to (ASHA),", "Rs.500.00 to ASHA."),
        Pair(
            "another advertisement far below", true, "Rs.500.00 to ASHA \(far) buy shoes",
            "Rs.500.00 to ASHA \(far) buy hats"),
        Pair(
            "an identifier far below", false, "Rs.500.00 to ASHA \(far) is IN123.", "Rs.500.00 to ASHA \(far) is IN261."
        ),
        Pair(
            "an identifier at the end", false, "Rs.500.00 to ASHA \(far) IN123", "Rs.500.00 to ASHA \(far) IN1239"),
        Pair("an identifier far above", false, "No. 81\n\n\(far)\n\nRs.500.00", "No. 82\n\n\(far)\n\nRs.500.00"),
        Pair("a banner far above", true, "Red\n\n\(far)\n\nRs.500.00", "Blue\n\n\(far)\n\nRs.500.00"),
        Pair(
            "other links", true, "Rs.500.00 at https://x.example/1 WWW.a.example/2 me1@x.example",
            "Rs.500.00 at https://x.example/9 WWW.a.example/7 you2@x.example"),
        Pair("another payment address", false, "Rs.500.00 to asha1@upi", "Rs.500.00 to asha2@upi"),
        Pair("letters of another script", false, "Rs.500.00 to आशा", "Rs.500.00 to ओम"),
        Pair("no word", true, "500.00", "500.00 -- .."),
    ]

    private func digest(_ text: String, subject: String = "Alert") -> String {
        let bytes = Array(text.utf8)
        let amount = text.firstRange(of: "500.00").map { range in
            let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
            return start..<(start + 6)
        }
        return DistinguishingText.digest(bytes, subject: subject, spans: amount.map { [.amount: $0] } ?? [:])
    }

    @Test("distinguish two alerts by the words that are not boilerplate", arguments: pairs)
    func comparison(_ pair: Pair) {
        #expect((digest(pair.one) == digest(pair.other)) == pair.isEqual)
    }

    @Test func onlyNumbersOfASubjectCount() {
        #expect(digest("Rs.500.00", subject: "Alert 1") != digest("Rs.500.00", subject: "Alert 2"))
        #expect(digest("Rs.500.00", subject: "An alert") == digest("Rs.500.00", subject: "A notice"))
    }

    @Test func everyWordCountsWithoutAField() {
        #expect(digest("paid to ASHA") != digest("paid to OM"))
        #expect(digest("") == digest(" \n "))
    }
}
