import Chronology
import Ledger
import Review
import Store

extension ReviewModel {
    /// The whole screen.
    public func picture() -> Picture { Picture(canvas: draw()) }

    func draw() -> Canvas {
        var canvas = Canvas(size, isASCII: isASCII)
        let geometry = Geometry(size)
        guard geometry.isReadable else {
            canvas.write("a larger window, please", row: 0, column: 0)
            if size.rows > 1 { canvas.write("q quits", row: 1, column: 0, style: .dim) }
            return canvas
        }
        if case .page(let page) = mode {
            draw(page, on: &canvas)
            return canvas
        }
        drawHead(on: &canvas)
        if let column = geometry.rule.column {
            for row in 2..<(size.rows - 2) { canvas.write(isASCII ? "|" : "│", row: row, column: column, style: .dim) }
        }
        if let row = geometry.rule.row { canvas.fill(row: row, style: .dim, with: isASCII ? "-" : "─") }
        if shown != nil {
            drawText(in: geometry.text, on: &canvas)
            drawPanel(geometry, on: &canvas)
        } else if queue.isEmpty, isLoaded {
            canvas.write(
                "Nothing waits for review." + (done > 0 ? " \(done) decided." : ""), row: 3, column: 2, style: .good)
            canvas.write(
                "u undoes the last decision, q quits; new items appear here.", row: 5, column: 2,
                style: .dim)
        }
        drawFoot(on: &canvas)
        return canvas
    }

    private func drawHead(on canvas: inout Canvas) {
        canvas.fill(row: 0, style: .bar)
        let place = queue.isEmpty ? "review" : "review  \(index + 1) of \(total)" + (done > 0 ? "  (\(done) done)" : "")
        let end = canvas.write(" " + place, row: 0, column: 0, style: .bar)
        guard let content = shown else { return }
        let right =
            "confidence \((content.confidence * 100).rounded() / 100)" + (content.draft.map { "  #\($0.id)" } ?? "")
            + " "
        let column = size.columns - Printable.width(right)
        if column > end + 1 { canvas.write(right, row: 0, column: column, style: .bar) }
        let sender = content.mail?.fromAddress ?? content.draft?.profile ?? ""
        let arrival = content.mail?.receivedAt ?? content.mail?.sentAt
        let when = arrival.map { $0.description.prefix(16).replacing("T", with: " ") + " UTC" } ?? ""
        let after = canvas.write(content.mail?.subject ?? "(no subject)", row: 1, column: 0, style: .bold)
        let about = "  \(sender)  \(when)"
        if after + 8 < size.columns { canvas.write(about, row: 1, column: after, style: .dim) }
    }

    private func drawText(in area: Geometry.Area, on canvas: inout Canvas) {
        guard let rows = textRows else {
            canvas.write(
                "The mail is not retained: only its fields are known.", row: area.row, column: 0, style: .dim,
                width: area.width)
            return
        }
        let first = firstRow(rows)
        var selection: ClosedRange<Int>?
        if case .edit(let editing) = mode { selection = editing.selection }
        for (offset, row) in rows.rows.dropFirst(first).prefix(area.height).enumerated() {
            var column = area.column
            for piece in row {
                var style = piece.field?.style ?? .plain
                if let selection,
                    piece.isGap
                        ? selection.contains(piece.word) && selection.contains(piece.word + 1)
                        : selection.contains(piece.word)
                {
                    style.isChosen = true
                }
                column = canvas.write(
                    piece.text, row: area.row + offset, column: column, style: style,
                    width: area.column + area.width - column)
            }
        }
        if first + area.height < rows.rows.count {
            canvas.write(
                isASCII ? "v" : "▼", row: area.row + area.height - 1, column: area.column + area.width - 1, style: .dim)
        }
        if first > 0 {
            canvas.write(isASCII ? "^" : "▲", row: area.row, column: area.column + area.width - 1, style: .dim)
        }
    }

    private func drawPanel(_ geometry: Geometry, on canvas: inout Canvas) {
        switch mode {
        case .pick(let picker): draw(picker, in: whole(geometry), on: &canvas)
        case .ask(let question):
            let area = whole(geometry)
            for (offset, line) in question.lines.prefix(area.height).enumerated() {
                canvas.write(
                    line, row: area.row + offset, column: area.column, style: offset == 0 ? .bold : .plain,
                    width: area.width)
            }
        default:
            let below = drawFields(in: geometry.fields, on: &canvas)
            if let remarks = geometry.remarks {
                drawRemarks(in: remarks, on: &canvas)
            } else if below < geometry.fields.row + geometry.fields.height {
                var rest = geometry.fields
                rest.height = rest.row + rest.height - below
                rest.row = below
                drawRemarks(in: rest, on: &canvas)
            }
        }
    }

    /// The area of fields and remarks together.
    private func whole(_ geometry: Geometry) -> Geometry.Area {
        guard let remarks = geometry.remarks else { return geometry.fields }
        var area = geometry.fields
        if remarks.row == area.row {
            area.width = remarks.column + remarks.width - area.column
        } else {
            area.height = remarks.row + remarks.height - area.row
        }
        return area
    }

    /// - Returns: the row below the fields.
    private func drawFields(in area: Geometry.Area, on canvas: inout Canvas) -> Int {
        guard let content = shown else { return area.row }
        var lines = content.lines(withEmpty: false, manual: manualDraft)
        var chosen: Int?
        switch mode {
        case .chooseField(let index):
            let fields = ReviewItemContent.editable
            lines = content.lines(withEmpty: true, manual: manualDraft).filter { line in
                line.field.map(fields.contains) ?? false
            }
            chosen = lines.firstIndex { $0.field == fields[min(index, fields.count - 1)] }
        case .edit(let editing):
            if content.draft == nil { lines = content.lines(withEmpty: true, manual: manualDraft) }
            chosen = lines.firstIndex { $0.field == editing.field }
        default: break
        }
        let first = max(0, (chosen ?? 0) - area.height + 1)
        var row = area.row
        for (index, line) in lines.enumerated().dropFirst(first).prefix(area.height) {
            if let letter = line.field?.letter {
                canvas.write("\(letter)", row: row, column: area.column, style: line.field?.style ?? .plain)
            }
            var style = line.field?.style ?? .plain
            style.isChosen = index == chosen
            canvas.write(line.label, row: row, column: area.column + 2, style: index == chosen ? style : .dim)
            canvas.write(line.value, row: row, column: area.column + 12, style: style, width: area.width - 12)
            row += 1
        }
        return row
    }

    private func drawRemarks(in area: Geometry.Area, on canvas: inout Canvas) {
        guard let content = shown else { return }
        var row = area.row
        let end = area.row + area.height
        for (text, role) in content.remarks where row < end {
            let rows = TextRows(MailText(Array(text.utf8)), spans: [:], columns: area.width, lettered: false).rows
            for line in rows where row < end {
                canvas.write(
                    line.map(\.text).joined(), row: row, column: area.column, style: Style(role: role),
                    width: area.width)
                row += 1
            }
        }
    }
}
