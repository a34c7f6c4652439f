import Ledger
import Profiles
import Review

extension Picker {
    static let ignoreReasons = Picker(
        title: "ignore mails of this form from now on, because they are", purpose: .ignoreReason,
        options: IgnoreReason.allCases.map(\.rawValue))
}

extension ReviewModel {
    mutating func pick(_ picker: Picker, _ key: Key) -> [Effect] {
        var picker = picker
        switch key {
        case .escape:
            asking = nil
            mode = .browse
            return []
        case .enter:
            guard let chosen = picker.chosen, let content = shown else { return [] }
            mode = .browse
            switch picker.purpose {
            case .category(let choices):
                guard choices.indices.contains(chosen) else { return [] }
                if content.draft != nil { return [.categorize(content.id, choices[chosen])] }
                manualDrafts[content.id, default: ManualDraft()].category = choices[chosen]
                notify("category is \(choices[chosen].text)")
                return []
            case .type where content.draft == nil:
                return TransactionType(rawValue: picker.options[chosen]).map { keep(.type($0), content) } ?? []
            case .channel where content.draft == nil:
                return Channel(rawValue: picker.options[chosen]).map { keep(.channel($0), content) } ?? []
            case .ignoreReason: return [.propose(content.id, .ignore(reason: picker.options[chosen]))]
            case .type:
                return TransactionType(rawValue: picker.options[chosen]).map { [.correct(content.id, .type($0))] } ?? []
            case .channel:
                return Channel(rawValue: picker.options[chosen]).map { [.correct(content.id, .channel($0))] } ?? []
            }
        case .down, .tab: picker.index = min(picker.index + 1, max(0, picker.matches.count - 1))
        case .up, .backTab: picker.index = max(0, picker.index - 1)
        case .pageDown: picker.index = min(picker.index + 5, max(0, picker.matches.count - 1))
        case .pageUp: picker.index = max(0, picker.index - 5)
        default: if picker.filter.handle(key) { picker.index = 0 }
        }
        mode = .pick(picker)
        return []
    }

    mutating func ask(_ question: Question, _ key: Key) -> [Effect] {
        if key == .escape {
            mode = .browse
            return []
        }
        guard case .character(let letter) = key, let choice = question.choices.first(where: { $0.key == letter }) else {
            return []
        }
        mode = .browse
        return choice.effects
    }

    mutating func turn(_ page: Page, _ key: Key) -> [Effect] {
        if let question = page.question, case .character(let letter) = key,
            question.choices.contains(where: { $0.key == letter })
        {
            return ask(question, key)
        }
        var page = page
        let height = max(1, size.rows - 3)
        switch key {
        case .escape, .character("q"):
            mode = .browse
            return []
        case .enter where page.question == nil:
            mode = .browse
            return []
        case .down, .character("j"): page.scroll += 1
        case .up, .character("k"): page.scroll -= 1
        case .pageDown, .character(" "): page.scroll += height
        case .pageUp, .character("b"): page.scroll -= height
        case .home, .character("g"): page.scroll = 0
        case .end, .character("G"): page.scroll = .max
        default: break
        }
        page.scroll = min(max(0, page.scroll), max(0, rows(of: page).count - height))
        mode = .page(page)
        return []
    }

    mutating func type(_ entry: Entry, _ key: Key) -> [Effect] {
        var entry = entry
        switch key {
        case .escape: mode = .browse
        case .enter:
            mode = .browse
            switch entry.purpose {
            case .search:
                if !entry.line.string.isEmpty { query = entry.line.string }
                return find(by: 1)
            case .templateName:
                guard let content = shown else { return [] }
                return [.propose(content.id, .read(name: entry.line.string))]
            }
        default:
            if entry.line.handle(key) { mode = .type(entry) }
        }
        return []
    }
}
