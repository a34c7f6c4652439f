import Ledger
import Review

/// The meaning of keys at the moment.
enum Mode: Hashable, Sendable {
    case browse
    /// Choosing a field; an index into the fields that may be edited.
    case chooseField(Int)
    case edit(Editing)
    case pick(Picker)
    case ask(Question)
    case page(Page)
    case type(Entry)
}

/// A field with the value that a person types or selects.
struct Editing: Hashable, Sendable {
    var field: Field
    /// `nil` while words are selected.
    var typed: TextLine?
    /// The word under the cursor; `nil` if the mail's text is not retained.
    var word: Int?
    /// The other end of the selection.
    var anchor: Int?
    /// The cursor was moved: `v` then starts a selection and is not a letter of a value.
    var isSelecting = false

    var selection: ClosedRange<Int>? {
        guard typed == nil, let word else { return nil }
        let other = anchor ?? word
        return min(word, other)...max(word, other)
    }
}

/// A line that is being typed, with its cursor.
struct TextLine: Hashable, Sendable {
    /// More characters than any value has.
    static let limit = 300
    var text: [Character] = []
    var cursor = 0

    init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    var string: String { String(text) }

    /// - Returns: false if the key does not edit a line.
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

/// A list that is filtered by typing.
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

    /// Indices of the options in which every typed word begins a word.
    var matches: [Int] {
        let requested = CategoryRules.normalized(filter.string).split(separator: " ")
        return options.indices.filter { index in
            let words = CategoryRules.normalized(options[index]).split(separator: " ")
            return requested.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
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

/// A page of text on the whole screen, with an optional question.
struct Page: Hashable, Sendable {
    var title: String
    var lines: [String]
    var scroll = 0
    var question: Question?
}

/// A prompt for one line.
struct Entry: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case search
        case templateName
    }

    var prompt: String
    var line: TextLine
    var purpose: Purpose
}
