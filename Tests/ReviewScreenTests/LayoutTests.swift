import Ledger
import Review
import Testing

@testable import ReviewScreen

@Suite struct LayoutTests {
    static let hostile =
        "Rs.1,234.50 \u{1B}]0;owned\u{7} paid to \u{202E}東京ラーメン☕ e\u{301}\u{301} " + String(repeating: "W", count: 300)
        + "\nlast"

    static func modes() -> [(String, [Key])] {
        [
            ("browse", []), ("fields", [.character("e")]), ("pointing", [.character("e"), .character("m")]),
            (
                "typing",
                [.character("e"), .character("m"), .character("x")] + Array(repeating: .character("東"), count: 60)
            ), ("category", [.character("c")]),
            ("nothing found", [.character("c"), .character("z")]), ("question", [.character("c"), .enter]),
            ("ignore", [.character("i")]), ("proposal", [.character("i"), .enter]),
            ("help", [.character("?")]), ("search", [.character("/"), .character("x")]), ("name", [.character("p")]),
            ("empty", [.character("a"), .character("a"), .character("a")]),
        ]
    }

    @Test(arguments: [(80, 24), (40, 12), (24, 8), (132, 43), (110, 16), (68, 10), (23, 30), (200, 7), (1, 1), (0, 0)])
    func fitsEverySizeInEveryMode(columns: Int, rows: Int) {
        for (name, keys) in Self.modes() {
            for lettered in [true, false] {
                var play = Play(
                    [
                        FakeHandler.content(1), FakeHandler.content(2, text: Self.hostile, duplicate: true),
                        FakeHandler.content(3, text: nil),
                    ], size: Size(columns: columns, rows: rows), isLettered: lettered)
                for start in 0..<2 {
                    for key in keys { play.press(key) }
                    let lines = play.lines
                    #expect(lines.count == rows, "\(name)")
                    #expect(lines.allSatisfy { Printable.width($0) <= columns }, "\(name) of item \(start): \(lines)")
                    #expect(
                        !lines.joined().unicodeScalars.contains {
                            $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                        })
                    play.press(.escape, .escape, .character("j"))
                }
            }
        }
    }

    @Test func showsEverythingAt80x24() {
        let lines = Play().lines
        #expect(
            lines == [
                " review  1 of 3                                              confidence 0.6  #1",
                "(no subject)  hdfc",
                "Rs.a<1,234.50> was paid",
                "to GREEN LEAF CAFE, on 05-01-26.",
                "", "", "", "", "", "", "", "",
                String(repeating: "─", count: 80),
                "a amount    INR 1234.51                   x0.6 the address is at a domain of",
                "m merchant  GREETINGS                     HDFC but not in its profile",
                "d date      2026-01-05",
                "n account   4410 (HDFC Bank 4410)",
                "  category  Uncategorized",
                "y type      expense",
                "h channel   upi",
                "r reference 610000000009",
                "", "",
                "a accept  r reject  e edit  c category  i ignore  p profile  u undo  ? help",
            ])
    }

    @Test func showsTheMainFieldsAt40x12() {
        let text = Play(size: Size(columns: 40, rows: 12)).text
        for words in ["1 of 3", "INR 1234.51", "GREETINGS", "2026-01-05", "a<1,234.50>", "a accept"] {
            #expect(text.contains(words), "\(words) in\n\(text)")
        }
    }

    /// A narrow terminal also shows the reasons, a possible duplicate and the key for help.
    @Test func showsReasonsAt60x24() {
        let text = Play([FakeHandler.content(2, duplicate: true)], size: Size(columns: 60, rows: 24)).text
        for words in [
            "INR 1234.52", "reference", "x0.6 the address is at a domain of HDFC", "Beside it: #900", "? help",
        ] { #expect(text.contains(words), "\(words) in\n\(text)") }
    }

    @Test func showsEveryWordOfAPage() {
        var play = Play(size: Size(columns: 50, rows: 12))
        play.press(.character("?"))
        var seen: [String] = []
        for _ in 0..<60 {
            for line in play.lines.dropFirst().dropLast(2) where !seen.contains(line) {
                seen.append(line.replacing("▼", with: ""))
            }
            play.press(.down)
        }
        func words(_ lines: [String]) -> [Substring] { lines.flatMap { $0.split(separator: " ") } }
        #expect(Set(words(Help.page.lines)).subtracting(words(seen)) == [])
        #expect(play.lines.dropFirst().dropLast(2).allSatisfy { !$0.contains("…") })
        play.press(.home)
        #expect(
            play.lines[1] == "a        accept: book the draft as it is shown."
                && play.lines[2] == "           If nothing could be read, ask for the", "\(play.lines)")
        // After growing again nothing is shown past the end.
        play.press(.end, .resize(Size(columns: 80, rows: 40)))
        #expect(play.lines[1].hasPrefix("a        accept"))
    }

    @Test(
        arguments: [
            ("short", 10, ["short"]), ("one two three", 8, ["one two", "  three"]),
            ("    one two", 8, ["    one", "    two"]), ("abcdefghij", 4, ["abcd", "  ef", "  gh", "  ij"]),
            ("a  one two", 8, ["a  one", "    two"]), ("日本茶屋 東京", 8, ["日本茶屋", "  東京"]), ("", 5, [""]),
            ("x y", 1, ["x", "y"]), ("x y", 0, ["x y"]),
        ] as [(String, Int, [String])]) func wrapsLines(line: String, columns: Int, rows: [String])
    { #expect(LineWrapping.rows(line, columns: columns) == rows) }

    @Test func longNoticeUsesTheRowOfTheKeys() {
        var play = Play(size: Size(columns: 40, rows: 12))
        let long = String(repeating: "settled elsewhere ", count: 3)
        play.session.notify(long)
        #expect(
            play.lines[10] == "settled elsewhere settled elsewhere" && play.lines[11] == "  settled elsewhere",
            "\(play.text)")
        play.press(.character("j"))
        #expect(play.lines[11].hasSuffix("? help"), "\(play.text)")
    }

    @Test func coloursReplaceLetters() {
        let canvas = Play(isLettered: false).session.model.draw()
        #expect(canvas.runs(row: 2).contains { $0.text == "1,234.50" && $0.style == Field.amount.style })
        #expect(!canvas.lines[2].contains("<"))
    }

    @Test func reversesTheSelection() {
        var play = Play(isLettered: false)
        play.press(.character("e"), .character("m"))
        let chosen = play.session.model.draw().runs(row: 3).filter(\.style.isChosen).map(\.text).joined()
        #expect(chosen == "GREEN LEAF CAFE,")
    }

    @Test func scrollsToTheSelectedWord() {
        let long = (1...200).map { "line\($0) word" }.joined(separator: "\n")
        var play = Play([FakeHandler.content(1, text: long)], size: Size(columns: 40, rows: 12))
        play.press(.character("e"), .character("m"), .end)
        #expect(play.text.contains("line200"))
        play.press(.home)
        #expect(play.text.contains("line2 "))
        play.press(.resize(Size(columns: 100, rows: 30)), .end)
        #expect(play.text.contains("line200") && play.text.contains("line190"))
    }

    /// Random keys and sizes: the picture always fits, and only the keys for it decide an item.
    @Test(arguments: 1...6)
    func survivesRandomKeys(seed: UInt64) {
        var random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let special: [Key] = [
            .enter, .tab, .backTab, .escape, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .shiftLeft, .shiftRight, .tick, .control("u"), .control("k"),
            .control("a"), .character("東"), .character("\u{301}"),
        ]
        let letters = Array("arvecipunNjkgG/?mdtyhb JK5.-")
        var play = Play([
            FakeHandler.content(1), FakeHandler.content(2, text: Self.hostile), FakeHandler.content(3, text: ""),
            FakeHandler.content(4, text: nil, duplicate: true),
        ])
        for _ in 0..<400 {
            let key: Key =
                switch random.next() % 20 {
                case 0: .resize(Size(columns: Int(random.next() % 130), rows: Int(random.next() % 40)))
                case 1..<9: special[Int(random.next() % UInt64(special.count))]
                default: .character(letters[Int(random.next() % UInt64(letters.count))])
                }
            play.press(key)
            let size = play.session.model.size
            let lines = play.lines
            #expect(lines.count == size.rows && lines.allSatisfy { Printable.width($0) <= size.columns })
            if let cursor = play.session.model.draw().cursor {
                #expect((0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column))
            }
        }
    }
}

struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
