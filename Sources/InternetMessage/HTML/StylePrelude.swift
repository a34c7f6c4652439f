/// The text before a rule's opening brace.
struct StylePrelude {
    /// Index after the last semicolon before the brace.
    private(set) var start: Int
    /// Index of the brace.
    private(set) var end: Int
    private(set) var hasAt = false
    private(set) var hasAtBeforeSemicolon = false

    /// Nil if no brace follows.
    @inline(__always)
    init?(_ text: borrowing Octets, from start: Int) {
        self.start = start
        end = start
        let count = text.count
        while end < count {
            switch text[end] {
            case UInt8(ascii: "{"): return
            case ASCII.at: hasAt = true
            case UInt8(ascii: "}"):
                // The end of a group whose rules are read.
                self.start = end + 1
            case ASCII.semicolon:
                if hasAt { hasAtBeforeSemicolon = true }
                hasAt = false
                self.start = end + 1
            default: break
            }
            end += 1
        }
        return nil
    }

    /// Calls `body` with the range of each selector, without white space around it.
    @inline(__always)
    func forEachSelector(
        _ text: borrowing Octets, _ body: (_ text: borrowing Octets, _ selector: Range<Int>) -> Void
    ) {
        var start = start
        while start < self.end, text[start].isSpace { start += 1 }
        guard start < self.end else { return }
        // Old mails wrap the rules in a comment of HTML.
        if text[start] == ASCII.less, text.matches("<!--", at: start) {
            start += 4
        } else if text[start] == ASCII.hyphen, text.matches("-->", at: start) {
            start += 3
        }
        while start < self.end {
            var end = start
            while end < self.end, text[end] != ASCII.comma { end += 1 }
            var (first, last) = (start, end)
            while first < last, text[first].isSpace { first += 1 }
            while last > first, text[last - 1].isSpace { last -= 1 }
            body(text, first..<last)
            start = end + 1
        }
    }

    /// True if the group applies to every reader with a screen: `@media all`, `@media only screen`.
    func isForScreens(_ text: borrowing Octets) -> Bool {
        var start = start
        while start < end, text[start].isSpace { start += 1 }
        guard text.matches("@media", at: start) else { return false }
        return Self.isForScreens(text, (start + 6)..<end)
    }

    /// True if a list of media queries (Media Queries Level 4) is the word `all` or `screen`.
    static func isForScreens(_ text: borrowing Octets, _ range: Range<Int>) -> Bool {
        var (first, last) = (range.lowerBound, range.upperBound)
        while first < last, text[first].isSpace { first += 1 }
        while last > first, text[last - 1].isSpace { last -= 1 }
        if last - first > 5, text.matches("only ", at: first) { first += 5 }
        return last - first == 3 && text.matches("all", at: first)
            || last - first == 6 && text.matches("screen", at: first)
    }
}
