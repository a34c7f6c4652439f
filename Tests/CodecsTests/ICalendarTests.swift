import Testing

@testable import Codecs

/// RFC 5545, sections 3.1 and 3.3.11.
@Suite struct ICalendarTests {
    private func lines(_ summary: String) -> [String] {
        let event = ICalendar.Event(uid: "notice:1@spendwise", day: "20260105", summary: summary)
        let calendar = ICalendar(name: "SpendWise", stamp: "20260101T000000Z", [event])
        return String(decoding: calendar.bytes, as: UTF8.self).components("\r\n")
    }

    @Test func everyLineEndsWithCRLF() {
        let lines = lines("Rent")
        #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "" && lines.dropLast().last == "END:VCALENDAR")
        #expect(lines.contains("DTSTART;VALUE=DATE:20260105") && lines.contains("SUMMARY:Rent"))
        #expect(lines.allSatisfy { !$0.utf8.contains(10) && !$0.utf8.contains(13) })
    }

    @Test(arguments: [
        (#"a\b;c,d"#, #"a\\b\;c\,d"#), ("a\nb\r\nc", #"a\nb\nc"#), ("a\u{0}\u{1B}b", "a  b"), ("₹ 5 नेट", "₹ 5 नेट"),
        ("x\r\nEND:VEVENT", #"x\nEND:VEVENT"#),
    ])
    func textIsEscaped(text: String, escaped: String) { #expect(ICalendar.escaped(text) == escaped) }

    @Test(arguments: ["a", "₹", "😀", "é"]) func longLinesAreFoldedBetweenCharacters(character: String) {
        let text = String(repeating: character, count: 200)
        let lines = lines(text)
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        let unfolded = lines.joined(separator: "\r\n").replacing("\r\n ", with: "")
        #expect(unfolded.contains("SUMMARY:\(text)\r\n"))
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = Array(utf8)[...]
        let mark = Array(separator.utf8)
        while let at = rest.indices.first(where: { rest[$0...].starts(with: mark) }) {
            parts.append(String(decoding: rest[..<at], as: UTF8.self))
            rest = rest[(at + mark.count)...]
        }
        return parts + [String(decoding: rest, as: UTF8.self)]
    }
}
