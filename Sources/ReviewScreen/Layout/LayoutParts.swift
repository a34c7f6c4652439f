import Ledger
import Review

extension ReviewModel {
    func draw(_ picker: Picker, in area: Geometry.Area, on canvas: inout Canvas) {
        canvas.write(picker.title, row: area.row, column: area.column, style: .bold, width: area.width)
        let matches = picker.matches
        let height = area.height - 1
        guard height > 0 else { return }
        if matches.isEmpty {
            canvas.write("no such name", row: area.row + 1, column: area.column, style: .error, width: area.width)
        }
        let index = min(max(picker.index, 0), max(0, matches.count - 1))
        // Filled column by column. A wide area has two columns even if the longest option leaves room for one.
        let widest = (picker.options.map(Printable.width).max() ?? 1) + 2
        let columns = matches.count <= height ? 1 : max(area.width >= 60 ? 2 : 1, min(area.width / widest, 4))
        let page = columns * height
        let first = index / page * page
        for (offset, match) in matches.enumerated().dropFirst(first).prefix(page) {
            let place = offset - first
            canvas.write(
                picker.options[match], row: area.row + 1 + place % height,
                column: area.column + place / height * (area.width / columns),
                style: Style(role: .plain, isChosen: offset == index), width: area.width / columns - 1)
        }
    }

    func draw(_ page: Page, on canvas: inout Canvas) {
        canvas.fill(row: 0, style: .bar)
        canvas.write(" " + page.title, row: 0, column: 0, style: .bar)
        let height = max(1, size.rows - 3)
        let rows = rows(of: page)
        // After a resize the offset may be past the end.
        let scroll = min(page.scroll, max(0, rows.count - height))
        for (offset, line) in rows.dropFirst(scroll).prefix(height).enumerated() {
            canvas.write(line, row: 1 + offset, column: 0)
        }
        if rows.count > scroll + height {
            canvas.write(isASCII ? "v" : "▼", row: height, column: size.columns - 1, style: .dim)
        }
        if let question = page.question {
            canvas.write(question.lines.joined(separator: " "), row: size.rows - 2, column: 0, style: .bold)
            canvas.write(Self.hints(question), row: size.rows - 1, column: 0, style: .dim)
        } else {
            canvas.write("q, Esc or Enter: back   j k Space b: scroll", row: size.rows - 1, column: 0, style: .dim)
        }
    }

    /// The page's lines, wrapped to the width of the screen.
    func rows(of page: Page) -> [String] { page.lines.flatMap { LineWrapping.rows($0, columns: size.columns - 1) } }

    /// As many hints as fit: always the last one, and before it the first ones.
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

    /// Draws the last two rows: the notice or the typed line, and the keys.
    func drawFoot(on canvas: inout Canvas) {
        let row = size.rows - 2
        if let notice, Printable.width(notice.text) > size.columns {
            // A long notice also uses the row of the keys until the next key.
            for (offset, line) in LineWrapping.rows(notice.text, columns: size.columns).prefix(2).enumerated() {
                canvas.write(line, row: row + offset, column: 0, style: notice.isError ? .error : .good)
            }
            return
        }
        canvas.write(hint, row: size.rows - 1, column: 0, style: .dim)
        if let notice {
            canvas.write(notice.text, row: row, column: 0, style: notice.isError ? .error : .good)
        } else if let prompt {
            drawPrompt(prompt.label, prompt.line, row, on: &canvas)
        } else if case .edit(let editing) = mode {
            let span = editing.selection.flatMap { shown?.text?.range(of: $0) }
            let words = span.flatMap { shown?.text?.string($0) } ?? ""
            canvas.write("\(editing.field.rawValue): \(words)", row: row, column: 0, style: .bold)
        }
    }

    /// The line that is being typed.
    private var prompt: (label: String, line: TextLine)? {
        switch mode {
        case .edit(let editing): editing.typed.map { ("\(editing.field.rawValue): ", $0) }
        case .pick(let picker): ("type to find: ", picker.filter)
        case .type(let entry): (entry.prompt, entry.line)
        case .browse, .chooseField, .ask, .page: nil
        }
    }

    /// The keys that mean something now.
    private var hint: String {
        switch mode {
        case .browse: shown == nil ? "u undo   q quit   ? help" : fitted(itemKeys)
        case .chooseField: fitted(["the letter of a field,", "or arrows and Enter;", "Esc back"])
        case .edit(let editing) where editing.typed != nil:
            fitted([
                "Enter accepts it", skip(editing.field), "Esc " + (editing.word == nil ? "back" : "selects again"),
            ])
        case .edit(let editing):
            fitted([
                "arrows select", "Enter accepts it", skip(editing.field), "Space selects more",
                asking == nil ? "or type a value" : "or type it", "Esc back",
            ])
        case .pick: "Enter accepts it   arrows move   Esc back"
        case .ask(let question): Self.hints(question) + "   Esc back"
        case .type: "Enter   Esc back"
        case .page: ""
        }
    }

    private var itemKeys: [String] {
        let accept =
            switch manualDraft {
            case nil: "a accept"
            case let draft?: draft.isComplete ? "a book" : "a ask and book"
            }
        return [accept, manualDraft == nil ? "r reject" : "r nothing to book", "e edit", "c category"]
            + (shown?.possibleDuplicate == nil ? [] : ["v no dup"])
            + ["i ignore", "p profile", "u undo", "? help"]
    }

    private func skip(_ field: Field) -> String {
        asking != nil && !Field.needed.contains(field) ? "Tab leaves it out" : ""
    }

    /// Draws a line that is being typed; a long one is scrolled to its cursor.
    private func drawPrompt(_ label: String, _ line: TextLine, _ row: Int, on canvas: inout Canvas) {
        let start = canvas.write(label, row: row, column: 0, style: .bold, width: max(1, size.columns - 8))
        let room = max(1, size.columns - start - 1)
        var first = 0
        while first < line.cursor, Printable.width(String(line.text[first..<line.cursor])) > room { first += 1 }
        let before = Printable.width(String(line.text[first..<line.cursor]))
        canvas.write(String(line.text[first...]), row: row, column: start, width: room)
        canvas.cursor = (row, min(start + before, size.columns - 1))
    }
}

/// A drawn screen.
public struct Picture: Sendable {
    let canvas: Canvas

    /// The rows without colours and trailing blanks.
    public var lines: [String] { canvas.lines }
}
