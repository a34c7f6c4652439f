import Chronology
import ChronologyFixture
import Ledger
import Review
import Store
import Testing

@testable import ReviewScreen

@Suite struct PasteTests {
    @Test(arguments: [
        ("Corner Shop", "Corner Shop"), ("\r\n one\r\n\ttwo \n", "one two"), ("a\u{1B}[2Jb\u{7}\u{0}", "a[2Jb"),
        ("", ""), (String(repeating: "x", count: 5000), String(repeating: "x", count: 300)),
    ]) func pasteIsOneLine(_ pasted: String, _ text: String) {
        var paste = Paste()
        for scalar in pasted.unicodeScalars { paste.add(scalar.value) }
        #expect(paste.text == text)
    }
}

@Suite struct ModelTests {
    static let first = ReviewID.transaction(1)

    /// Keys on the first of three items, and their effects.
    @Test(
        arguments: [
            ("accept", [.character("a")], [.accept(first)]),
            (
                "shows the next item at once", [.character("a"), .character("r")],
                [.accept(first), .reject(.transaction(2))]
            ),
            ("down and up", [.character("j"), .down, .character("k"), .character("a")], [.accept(.transaction(2))]),
            (
                "last and first", [.character("G"), .character("a"), .character("g"), .character("a")],
                [.accept(.transaction(3)), .accept(first)]
            ),
            (
                "a suggested merchant", [.character("e"), .character("m"), .enter],
                [.correct(first, .merchant("GREEN LEAF CAFE"))]
            ),
            (
                "by arrows", [.tab, .character("m"), .right, .left, .left, .shiftLeft, .enter],
                [.correct(first, .merchant("GREEN LEAF"))]
            ),
            (
                "by a selection", [.character("e"), .character("m"), .left, .character("v"), .right, .enter],
                [.correct(first, .merchant("to GREEN"))]
            ),
            (
                "typed",
                [
                    .character("e"), .character("m"), .character("v"), .character("i"), .backspace, .character("a"),
                    .enter,
                ], [.correct(first, .merchant("va"))]
            ),
            (
                "the old value", [.character("e"), .character("n"), .backspace, .backspace, .enter],
                [.correct(first, .account("441"))]
            ),
            (
                "a suggested date", [.character("e"), .character("d"), .enter],
                [.correct(first, .date(CalendarDate(iso: "2026-01-05")!))]
            ),
            (
                "a type from its list", [.character("e"), .character("y"), .character("i"), .enter],
                [.correct(first, .type(.income))]
            ),
            (
                "a field by arrows", [.character("e"), .down, .down, .up, .enter, .enter],
                [.correct(first, .merchant("GREEN LEAF CAFE"))]
            ),
            (
                "out of it all",
                [.character("e"), .character("m"), .character("x"), .escape, .escape, .character("a")], [.accept(first)]
            ),
            (
                "an impossible amount",
                [.character("e"), .character("a"), .character("x"), .enter, .escape, .escape, .character("r")],
                [.reject(first)]
            ),
            (
                "a category", [.character("c"), .character("c"), .character("a"), .enter, .character("y")],
                [
                    .categories(first),
                    .categorize(first, CategoryPick(category: "Food & Dining", subcategory: "Cafés")),
                    .applyMapping(offer, past: true),
                ]
            ),
            (
                "only this one", [.character("c"), .enter, .character("n"), .character("a")],
                [.categories(first), .categorize(first, CategoryPick(category: "Food & Dining")), .accept(first)]
            ),
            (
                "pasted letters do not act as keys", [.paste("arru q"), .character("j"), .character("a")],
                [.accept(.transaction(2))]
            ),
            (
                "a paste into a field",
                [.character("e"), .character("m"), .paste("Corner Shop"), .paste(" 2"), .enter],
                [.correct(first, .merchant("Corner Shop 2"))]
            ),
            (
                "a paste into a list", [.character("c"), .paste("caf"), .enter, .character("y")],
                [
                    .categories(first),
                    .categorize(first, CategoryPick(category: "Food & Dining", subcategory: "Cafés")),
                    .applyMapping(offer, past: true),
                ]
            ),
            (
                "pasted letters do not answer a question",
                [.character("c"), .enter, .paste("yyyy"), .character("n"), .character("a")],
                [.categories(first), .categorize(first, CategoryPick(category: "Food & Dining")), .accept(first)]
            ),
            ("undo", [.character("r"), .character("u"), .character("a")], [.reject(first), .undo, .accept(first)]),
            ("no duplicate", [.character("v")], []),
            (
                "ignore", [.character("i"), .character("o"), .enter, .character("n")],
                [.propose(first, .ignore(reason: "otp"))]
            ),
            ("a profile", [.character("p"), .enter, .escape], [.propose(first, .read(name: "upi-expense"))]),
            ("quit", [.character("q")], []),
        ] as [(String, [Key], [Effect])])
    func keysBecomeEffects(name: String, keys: [Key], effects: [Effect]) {
        var play = Play()
        for key in keys { play.press(key) }
        #expect(play.log == effects, "\(name)")
        #expect(play.session.isOver == (name == "quit"))
    }

    static let offer = FakeHandler.offer(CategoryPick(category: "Food & Dining", subcategory: "Cafés"))

    private static let said: [FieldEdit] = [
        .amount(Money(minorUnits: 123_450, currency: .inr)), .merchant("GREEN LEAF CAFE"),
        .date(CalendarDate(iso: "2026-01-06")!), .account("4410"), .type(.expense),
    ]

    /// The fields of an unreadable mail are asked for one by one, and booked together.
    @Test(arguments: [true, false]) func booksAMailWithoutADraftByHand(isLarge: Bool) {
        var play = Play(
            [FakeHandler.blank(), FakeHandler.content(2)],
            size: isLarge ? Size(columns: 120, rows: 40) : Size(columns: 40, rows: 12))
        play.press(.character("a"))
        #expect(play.text.contains("amount: INR 1,234.50"))
        play.press(.enter)
        #expect(play.text.contains("expense") && play.text.contains("income"))
        play.press(.enter)
        #expect(play.text.contains("date:"))
        play.press(.tab)
        #expect(play.text.contains("the date is needed"))
        play.type("2026-01-06")
        play.press(.enter)
        #expect(play.text.contains("merchant: GREEN LEAF CAFE"))
        play.press(.enter)
        #expect(play.text.contains("account: XX4410."))
        play.press(.enter)
        #expect(play.text.contains("a books it: INR 1234.50"))
        #expect(play.log == [])
        play.press(.character("a"))
        #expect(play.log == [.book(.mail("m"), Self.said, nil)])
        #expect(play.text.contains("1 of 1"))
        // After an undo the values are still there.
        play.press(.character("u"), .character("a"))
        #expect(play.log.last == .book(.mail("m"), Self.said, nil))
    }

    @Test(
        arguments: [
            ("a field is left out", "a\r\r2026-01-06\r\t\ta", [.book(.mail("m"), [said[0], said[2], said[4]], nil)]),
            ("cancelled and continued", "a\r\u{1B}ra", [.reject(.mail("m"))]),
            (
                "one by one, with a category", "ea\reyi\red2026-01-06\rcc\ra",
                [
                    .categories(.mail("m")),
                    .book(
                        .mail("m"), [said[0], said[2], .type(.income)],
                        CategoryPick(category: "Food & Dining", subcategory: "Cafés")),
                ]
            ),
            ("no template without values", "p", []),
            (
                "a profile", "a\r\r2026-01-06\r\r\rp\r",
                [.draft(.mail("m"), said, nil), .propose(.transaction(50), .read(name: "upi-expense"))]
            ),
        ] as [(String, String, [Effect])])
    func manualKeysBecomeEffects(name: String, keys: String, effects: [Effect]) {
        var play = Play([FakeHandler.blank()])
        for key in keys {
            switch key {
            case "\r": play.press(.enter)
            case "\t": play.press(.tab)
            case "\u{1B}": play.press(.escape)
            default: play.press(.character(key))
            }
        }
        #expect(play.log == effects, "\(name): \(play.text)")
    }

    @Test func asksForTypedValuesWithoutTheMail() {
        var play = Play([FakeHandler.blank(nil)])
        play.press(.character("a"))
        play.type("99")
        play.press(.enter, .down, .enter)
        play.type("2026-01-06")
        play.press(.enter, .tab, .tab, .character("a"))
        #expect(
            play.log == [
                .book(
                    .mail("m"),
                    [
                        .amount(Money(minorUnits: 9900, currency: .inr)), .date(CalendarDate(iso: "2026-01-06")!),
                        .type(.income),
                    ], nil)
            ])
    }

    @Test func writesATemplateOnlyAfterYes() throws {
        var play = Play()
        play.press(.character("i"), .enter)
        #expect(play.text.contains("/p/hdfc/x.yaml") && play.text.contains("kind: ignore"))
        play.press(.down, .pageDown, .enter)
        #expect(!play.log.contains { if case .write = $0 { true } else { false } })
        play.press(.character("y"))
        #expect(play.log.contains { if case .write = $0 { true } else { false } })
    }

    /// While a template is proven, a key would answer a picture that is not shown yet.
    @Test func discardsKeysTypedDuringSlowEffects() {
        var play = Play()
        var forgotten: [Int] = []
        let keys: [Key] = [.character("j"), .character("i"), .enter, .character("y"), .character("k")]
        for (index, key) in keys.enumerated() { play.session.handle(key, discardInput: { forgotten.append(index) }) }
        #expect(forgotten == [2, 3])
    }

    @Test func skipsItemsDecidedElsewhereWithANotice() {
        var play = Play()
        play.session.handler.contents.removeFirst()
        play.press(.character("a"))
        #expect(play.text.contains("decided elsewhere") && play.text.contains("1 of 2"))
        play.session.handler.contents.removeFirst()
        play.press(.tick)
        #expect(play.text.contains("decided elsewhere") && play.text.contains("1 of 1"))
        #expect(play.session.model.done == 0)
    }

    /// The queue does not change while a value is typed, so that the value cannot go to another item.
    @Test func tickDoesNotDisturbTyping() {
        var play = Play()
        play.press(.character("e"), .character("m"), .character("x"))
        play.session.handler.contents.removeFirst()
        play.press(.tick, .enter)
        #expect(play.log == [.correct(.transaction(1), .merchant("x"))])
        #expect(play.text.contains("decided elsewhere") && play.text.contains("1 of 2"))
    }

    @Test func emptyQueueShowsNewItems() {
        var play = Play([])
        #expect(play.text.contains("Nothing waits for review"))
        play.press(
            .character("a"), .character("e"), .character("c"), .character("i"), .character("p"), .character("j"),
            .character("G"), .character("n"))
        #expect(play.log == [])
        play.session.handler.contents = [FakeHandler.content(7)]
        play.press(.tick)
        #expect(play.text.contains("1 of 1"))
    }

    @Test func typesValuesWithoutTheMail() {
        var play = Play([FakeHandler.content(1, text: nil)])
        #expect(play.text.contains("not retained"))
        play.press(.character("e"), .character("m"), .control("u"))
        play.type("Lake Bakery")
        play.press(.enter)
        #expect(play.log == [.correct(.transaction(1), .merchant("Lake Bakery"))])
    }

    @Test func searchFindsByWordsAndWrapsAround() {
        var contents = (1...5).map { FakeHandler.content($0) }
        contents[3].draft?.vendor = "Café Noir"
        var play = Play(contents)
        play.press(.character("/"))
        play.type("CAFE")
        play.press(.enter)
        #expect(play.text.contains("4 of 5"))
        play.press(.character("n"))
        #expect(play.text.contains("no other item matches"))
        play.press(.character("/"))
        play.type("nothing like it")
        play.press(.enter)
        #expect(play.text.contains("no item matches"))
    }

    @Test func showsAndReleasesAPossibleDuplicate() {
        var play = Play([FakeHandler.content(1, duplicate: true)])
        #expect(play.text.contains("Beside it: #900"))
        #expect(play.lines.last?.hasSuffix("v no dup i ignore p profile u undo ? help") == true)
        play.press(.character("v"))
        #expect(play.log == [.release(.transaction(1))])
    }
}
