import Ledger

extension ReviewModel {
    mutating func chooseField(_ index: Int, _ key: Key) -> [Effect] {
        let fields = Sheet.editable
        switch key {
        case .escape, .character("q"): mode = .browse
        case .down, .tab, .character("j"): mode = .chooseField((index + 1) % fields.count)
        case .up, .backTab, .character("k"): mode = .chooseField((index + fields.count - 1) % fields.count)
        case .enter: return begin(fields[min(index, fields.count - 1)])
        case .character(let letter):
            guard let field = fields.first(where: { $0.letter == letter }) else {
                say("no field has the letter \(letter)", isError: true)
                return []
            }
            return begin(field)
        default: break
        }
        return []
    }

    mutating func begin(_ field: Field) -> [Effect] {
        guard let sheet = shown else {
            mode = .browse
            return []
        }
        if field == .type {
            var picker = Picker(title: "type", purpose: .type, options: TransactionType.allCases.map(\.rawValue))
            if sheet.item == nil, let text = sheet.text, FieldGuess(text: text, amount: nil).isIncome {
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
        if let text = sheet.text, !text.words.isEmpty {
            let amount = spans[.amount].flatMap(text.words(in:))
            let guess = spans[field].flatMap(text.words(in:)) ?? FieldGuess(text: text, amount: amount).words(of: field)
            let words = guess ?? amount ?? 0...0
            editing.word = words.upperBound
            if words.count > 1 { editing.anchor = words.lowerBound }
            // Where no day is printed, that of arrival is meant.
            if field == .date, guess == nil, sheet.item == nil { editing.typed = TextLine(value(of: field, sheet)) }
        } else {
            editing.typed = TextLine(value(of: field, sheet))
        }
        mode = .edit(editing)
        return []
    }

    /// What stands in a field now, as a person would type it.
    private func value(of field: Field, _ sheet: Sheet) -> String {
        guard sheet.item == nil else { return sheet.value(of: field) }
        return handDrafts[sheet.id]?.edits[field]?.text
            ?? (field == .date ? sheet.reading.arrival?.description ?? "" : "")
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
        if key == .enter { return take(editing) }
        if key == .tab, asking != nil {
            guard Field.needed.contains(editing.field) else { return askNext() }
            say("the \(editing.field.rawValue) is needed", isError: true)
            return []
        }
        if key == .tab || key == .backTab {
            let fields = Sheet.editable
            mode = .chooseField(
                ((fields.firstIndex(of: editing.field) ?? 0) + (key == .tab ? 1 : fields.count - 1)) % fields.count)
            return []
        }
        var editing = editing
        if var line = editing.typed {
            if line.handle(key) { editing.typed = line }
        } else {
            point(&editing, key)
        }
        mode = .edit(editing)
        return []
    }

    /// Moves the cursor over the words of the mail, or begins to type.
    private func point(_ editing: inout Editing, _ key: Key) {
        guard let text = shown?.text, let word = editing.word else { return }
        func move(to target: Int?, extending: Bool = false) {
            if extending, editing.anchor == nil { editing.anchor = word }
            // A selection that was only shown, not begun, goes with the first step.
            if !extending, !editing.isPointing { editing.anchor = nil }
            editing.word = min(max(target ?? word, 0), text.words.count - 1)
            editing.isPointing = true
        }
        // Of a selection that was found and not made, the cursor leaves by the side of its step.
        let first = editing.isPointing ? word : editing.selection?.lowerBound ?? word
        switch key {
        case .left: move(to: first - 1)
        case .right: move(to: word + 1)
        case .shiftLeft: move(to: word - 1, extending: true)
        case .shiftRight: move(to: word + 1, extending: true)
        case .up: move(to: textRows?.word(from: word, by: -1))
        case .down: move(to: textRows?.word(from: word, by: 1))
        case .home: move(to: 0)
        case .end: move(to: text.words.count - 1)
        case .character(let character) where character == " " || (character == "v" && editing.isPointing):
            editing.anchor = editing.anchor == nil || !editing.isPointing ? word : nil
            editing.isPointing = true
        case .backspace, .delete: editing.typed = TextLine(shown.map { value(of: editing.field, $0) } ?? "")
        case .character(let character): editing.typed = TextLine(String(character))
        default: break
        }
    }

    private mutating func take(_ editing: Editing) -> [Effect] {
        guard let sheet = shown else { return [] }
        let text: String
        var span: Range<Int>?
        if let typed = editing.typed {
            text = typed.string
        } else if let words = sheet.text, let selection = editing.selection, let range = words.range(of: selection) {
            text = words.string(range)
            span = range
        } else {
            return []
        }
        do throws(FieldReading.Refusal) {
            let edit = try sheet.reading.read(text, as: editing.field, isPointed: span != nil)
            pointed[sheet.id, default: [:]][editing.field] = span
            mode = .browse
            if sheet.item == nil { return note(edit, sheet) }
            return [.correct(sheet.id, edit)]
        } catch {
            say(error.words, isError: true)
            return []
        }
    }
}
