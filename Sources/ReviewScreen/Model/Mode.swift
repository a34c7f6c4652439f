import Ledger

/// What keys mean at the moment.
enum Mode: Hashable, Sendable {
    case browse
    /// Which field? An index into the lines that may be edited.
    case chooseField(Int)
    case edit(Editing)
    case pick(Picker)
    case ask(Question)
    case page(Page)
    case type(Entry)
}

/// A field, and the value that a person types or points at.
struct Editing: Hashable, Sendable {
    var field: Field
    /// `nil`: pointing.
    var typed: TextLine?
    /// The word under the cursor, where the mail's text is to be had.
    var word: Int?
    /// The other end of the selection.
    var anchor: Int?
    /// The cursor was moved: `v` then begins a selection and is no letter of a value.
    var isPointing = false

    var selection: ClosedRange<Int>? {
        guard typed == nil, let word else { return nil }
        let other = anchor ?? word
        return min(word, other)...max(word, other)
    }
}

/// A line that is typed, with its cursor.
struct TextLine: Hashable, Sendable {
    /// More than any value has.
    static let limit = 300
    var text: [Character] = []
    var cursor = 0

    init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    var string: String { String(text) }

    /// Whether the key was one for a line.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character):
            guard text.count < Self.limit else { return true }
            text.insert(character, at: cursor)
            cursor += 1
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            text.remove(at: cursor)
        case .delete: if cursor < text.count { text.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"):
            text.removeFirst(cursor)
            cursor = 0
        case .control("k"): text.removeLast(text.count - cursor)
        default: return false
        }
        return true
    }
}

/// A list with type-ahead.
struct Picker: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case category([CategoryPick])
        case ignoreReason
        case type
        case channel
    }

    var title: String
    var purpose: Purpose
    var options: [String]
    var filter = TextLine()
    var index = 0

    /// Indices of the options in which every word that was typed begins a word.
    var matches: [Int] {
        let wanted = CategoryRules.normalized(filter.string).split(separator: " ")
        return options.indices.filter { index in
            let words = CategoryRules.normalized(options[index]).split(separator: " ")
            return wanted.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
        }
    }

    var chosen: Int? {
        let matches = matches
        return matches.isEmpty ? nil : matches[min(max(index, 0), matches.count - 1)]
    }
}

/// A question with keys for answers.
struct Question: Hashable, Sendable {
    struct Choice: Hashable, Sendable {
        var key: Character
        var label: String
        var effects: [Effect]
    }

    var lines: [String]
    var choices: [Choice]
}

/// Text over the whole screen, with or without a question.
struct Page: Hashable, Sendable {
    var title: String
    var lines: [String]
    var scroll = 0
    var question: Question?
}

/// A line that is asked for.
struct Entry: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case search
        case templateName
    }

    var prompt: String
    var line: TextLine
    var purpose: Purpose
}
