import Ledger

extension ReviewModel {
    func draw(_ picker: Picker, in area: Geometry.Area, on canvas: inout Canvas) {
        canvas.put(picker.title, row: area.row, column: area.column, style: .bold, width: area.width)
        let matches = picker.matches
        let height = area.height - 1
        guard height > 0 else { return }
        if matches.isEmpty {
            canvas.put("nothing of that name", row: area.row + 1, column: area.column, style: .error, width: area.width)
        }
        let index = min(max(picker.index, 0), max(0, matches.count - 1))
        // Down the columns; two where the longest would leave room for one only.
        let widest = (picker.options.map(Printable.width).max() ?? 1) + 2
        let columns = matches.count <= height ? 1 : max(area.width >= 60 ? 2 : 1, min(area.width / widest, 4))
        let page = columns * height
        let first = index / page * page
        for (offset, match) in matches.enumerated().dropFirst(first).prefix(page) {
            let place = offset - first
            canvas.put(
                picker.options[match], row: area.row + 1 + place % height,
                column: area.column + place / height * (area.width / columns),
                style: Style(role: .plain, isChosen: offset == index), width: area.width / columns - 1)
        }
    }

    func draw(_ page: Page, on canvas: inout Canvas) {
        canvas.fill(row: 0, style: .bar)
        canvas.put(" " + page.title, row: 0, column: 0, style: .bar)
        let height = max(1, size.rows - 3)
        let rows = rows(of: page)
        // Another size may have left it beyond its end.
        let scroll = min(page.scroll, max(0, rows.count - height))
        for (offset, line) in rows.dropFirst(scroll).prefix(height).enumerated() {
            canvas.put(line, row: 1 + offset, column: 0)
        }
        if rows.count > scroll + height {
            canvas.put(isASCII ? "v" : "▼", row: height, column: size.columns - 1, style: .dim)
        }
        if let question = page.question {
            canvas.put(question.lines.joined(separator: " "), row: size.rows - 2, column: 0, style: .bold)
            canvas.put(Self.hints(question), row: size.rows - 1, column: 0, style: .dim)
        } else {
            canvas.put("q, Esc or Enter: back   j k Space b: scroll", row: size.rows - 1, column: 0, style: .dim)
        }
    }

    /// The page's lines, none longer than the screen is wide.
    func rows(of page: Page) -> [String] { page.lines.flatMap { Folding.rows($0, columns: size.columns - 1) } }

    /// What there is room for: the last of them always, and before it those that are named first.
    private func fitted(_ hints: [String]) -> String {
        var hints = hints.filter { !$0.isEmpty }
        let wide = hints.joined(separator: "  ")
        if Printable.width(wide) <= size.columns { return wide }
        while hints.count > 2, Printable.width(hints.joined(separator: " ")) > size.columns {
            hints.remove(at: hints.count - 2)
        }
        return hints.joined(separator: " ")
    }

    private static func hints(_ question: Question) -> String {
        question.choices.map { "\($0.key): \($0.label)" }.joined(separator: "   ")
    }

    /// The last two rows: what was done or is typed, and the keys.
    func drawFoot(on canvas: inout Canvas) {
        let row = size.rows - 2
        var prompt: (label: String, line: TextLine)?
        var hint: String
        switch mode {
        case .browse:
            let isBlank = handDraft.map { !$0.isComplete } ?? false
            let keys =
                [
                    isBlank ? "a ask and book" : handDraft == nil ? "a accept" : "a book",
                    handDraft == nil ? "r reject" : "r nothing to book", "e edit", "c category",
                ] + (shown?.possibleDuplicate == nil ? [] : ["v no dup"]) + [
                    "i ignore", "p profile", "u undo", "? help",
                ]
            hint = shown == nil ? "u undo   q quit   ? help" : fitted(keys)
        case .chooseField: hint = fitted(["the letter of a field,", "or arrows and Enter;", "Esc back"])
        case .edit(let editing):
            if let typed = editing.typed {
                prompt = ("\(editing.field.rawValue): ", typed)
                hint = fitted([
                    "Enter takes it", skip(editing.field), "Esc " + (editing.word == nil ? "back" : "points again"),
                ])
            } else {
                let words =
                    editing.selection.flatMap { shown?.text?.range(of: $0) }.flatMap { shown?.text?.string($0) } ?? ""
                if notice == nil {
                    canvas.put("\(editing.field.rawValue): \(words)", row: row, column: 0, style: .bold)
                }
                hint = fitted([
                    "arrows point", "Enter takes it", skip(editing.field), "Space selects more",
                    asking == nil ? "or type a value" : "or type it", "Esc back",
                ])
            }
        case .pick(let picker):
            prompt = ("type to find: ", picker.filter)
            hint = "Enter takes it   arrows move   Esc back"
        case .ask(let question): hint = Self.hints(question) + "   Esc back"
        case .type(let entry):
            prompt = (entry.prompt, entry.line)
            hint = "Enter   Esc back"
        case .page: hint = ""
        }
        if let notice, Printable.width(notice.text) > size.columns {
            // What was done goes before the keys, which come back with the next one.
            for (offset, line) in Folding.rows(notice.text, columns: size.columns).prefix(2).enumerated() {
                canvas.put(line, row: row + offset, column: 0, style: notice.isError ? .error : .good)
            }
            return
        }
        canvas.put(hint, row: size.rows - 1, column: 0, style: .dim)
        if let prompt, notice == nil {
            put(prompt.label, prompt.line, row, on: &canvas)
        } else if let notice {
            canvas.put(notice.text, row: row, column: 0, style: notice.isError ? .error : .good)
        }
    }

    private func skip(_ field: Field) -> String {
        asking != nil && !Field.needed.contains(field) ? "Tab leaves it out" : ""
    }

    /// A line that is longer than the row is shown around its cursor.
    private func put(_ label: String, _ line: TextLine, _ row: Int, on canvas: inout Canvas) {
        let start = canvas.put(label, row: row, column: 0, style: .bold, width: max(1, size.columns - 8))
        let room = max(1, size.columns - start - 1)
        var first = 0
        while first < line.cursor, Printable.width(String(line.text[first..<line.cursor])) > room { first += 1 }
        let before = Printable.width(String(line.text[first..<line.cursor]))
        canvas.put(String(line.text[first...]), row: row, column: start, width: room)
        canvas.cursor = (row, min(start + before, size.columns - 1))
    }
}

/// A drawn screen, opaque to everything but the shell and the tests.
public struct Picture: Sendable {
    let canvas: Canvas

    /// Without colours and blanks at the end.
    public var lines: [String] { canvas.lines }
}
