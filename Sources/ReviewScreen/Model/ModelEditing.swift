import Chronology
import Ledger
import Review

extension ReviewModel {
    mutating func chooseField(_ index: Int, _ key: Key) -> [Effect] {
        let fields = ReviewItemContent.editable
        switch key {
        case .escape, .character("q"): mode = .browse
        case .down, .tab, .character("j"): mode = .chooseField((index + 1) % fields.count)
        case .up, .backTab, .character("k"): mode = .chooseField((index + fields.count - 1) % fields.count)
        case .enter: return begin(fields[min(index, fields.count - 1)])
        case .character(let letter):
            guard let field = fields.first(where: { $0.letter == letter }) else {
                notify("no field has the letter \(letter)", isError: true)
                return []
            }
            return begin(field)
        default: break
        }
        return []
    }

    mutating func begin(_ field: Field) -> [Effect] {
        guard let content = shown else {
            mode = .browse
            return []
        }
        if field == .type {
            var picker = Picker(title: "type", purpose: .type, options: TransactionType.allCases.map(\.rawValue))
            if content.draft == nil, let text = content.text, FieldGuess(text: text, amount: nil).isIncome {
                picker.index = 1
            }
            mode = .pick(picker)
            return []
        }
        if field == .channel {
            mode = .pick(Picker(title: "channel", purpose: .channel, options: Channel.allCases.map(\.rawValue)))
            return []
        }
        var editing = Editing(field: field)
        if let text = content.text, !text.words.isEmpty {
            let amount = spans[.amount].flatMap(text.words(in:))
            let guess = spans[field].flatMap(text.words(in:)) ?? FieldGuess(text: text, amount: amount).words(of: field)
            let words = guess ?? amount ?? 0...0
            editing.word = words.upperBound
            if words.count > 1 { editing.anchor = words.lowerBound }
            // If no date is printed, the date of arrival is the usual one.
            if field == .date, guess == nil, content.draft == nil {
                editing.typed = TextLine(value(of: field, content))
            }
        } else {
            editing.typed = TextLine(value(of: field, content))
        }
        mode = .edit(editing)
        return []
    }

    /// The value of a field in the form in which a person types it.
    private func value(of field: Field, _ content: ReviewItemContent) -> String {
        guard content.draft == nil else { return content.value(of: field) }
        return manualDrafts[content.id]?.edits[field]?.text
            ?? (field == .date ? content.input.arrival?.description ?? "" : "")
    }

    mutating func edit(_ editing: Editing, _ key: Key) -> [Effect] {
        if key == .escape {
            // Out of typing first, then out of the field.
            if editing.typed != nil, editing.word != nil {
                var back = editing
                back.typed = nil
                mode = .edit(back)
            } else {
                asking = nil
                mode = .browse
            }
            return []
        }
        if key == .enter { return commit(editing) }
        if key == .tab, asking != nil {
            guard Field.needed.contains(editing.field) else { return askNext() }
            notify("the \(editing.field.rawValue) is needed", isError: true)
            return []
        }
        if key == .tab || key == .backTab {
            let fields = ReviewItemContent.editable
            mode = .chooseField(
                ((fields.firstIndex(of: editing.field) ?? 0) + (key == .tab ? 1 : fields.count - 1)) % fields.count)
            return []
        }
        var editing = editing
        if var line = editing.typed {
            if line.handle(key) { editing.typed = line }
        } else {
            select(&editing, key)
        }
        mode = .edit(editing)
        return []
    }

    /// Moves the cursor over the words of the mail, or starts typing.
    private func select(_ editing: inout Editing, _ key: Key) {
        guard let text = shown?.text, let word = editing.word else { return }
        func move(to target: Int?, extending: Bool = false) {
            if extending, editing.anchor == nil { editing.anchor = word }
            // A selection that was only suggested ends with the first step.
            if !extending, !editing.isSelecting { editing.anchor = nil }
            editing.word = min(max(target ?? word, 0), text.words.count - 1)
            editing.isSelecting = true
        }
        // The cursor leaves a suggested selection at the side of its step.
        let first = editing.isSelecting ? word : editing.selection?.lowerBound ?? word
        switch key {
        case .left: move(to: first - 1)
        case .right: move(to: word + 1)
        case .shiftLeft: move(to: word - 1, extending: true)
        case .shiftRight: move(to: word + 1, extending: true)
        case .up: move(to: textRows?.word(from: word, by: -1))
        case .down: move(to: textRows?.word(from: word, by: 1))
        case .home: move(to: 0)
        case .end: move(to: text.words.count - 1)
        case .character(let character) where character == " " || (character == "v" && editing.isSelecting):
            editing.anchor = editing.anchor == nil || !editing.isSelecting ? word : nil
            editing.isSelecting = true
        case .backspace, .delete: editing.typed = TextLine(shown.map { value(of: editing.field, $0) } ?? "")
        case .character(let character): editing.typed = TextLine(String(character))
        default: break
        }
    }

    private mutating func commit(_ editing: Editing) -> [Effect] {
        guard let content = shown else { return [] }
        let text: String
        var span: Range<Int>?
        if let typed = editing.typed {
            text = typed.string
        } else if let words = content.text, let selection = editing.selection, let range = words.range(of: selection) {
            text = words.string(range)
            span = range
        } else {
            return []
        }
        do throws(FieldInputError) {
            let edit = try content.input.read(text, as: editing.field, isSelected: span != nil)
            selected[content.id, default: [:]][editing.field] = span
            mode = .browse
            if content.draft == nil { return keep(edit, content) }
            return [.correct(content.id, edit)]
        } catch {
            notify(error.description, isError: true)
            return []
        }
    }
}
