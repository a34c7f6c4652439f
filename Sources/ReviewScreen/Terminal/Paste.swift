/// Collects pasted text as one line, without control characters and at most ``TextLine/limit`` characters long.
struct Paste {
    private(set) var text = ""
    private var isApart = false

    mutating func add(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        if scalar.properties.isWhitespace {
            isApart = !text.isEmpty
        } else if value >= 0x20, !Printable.cells(String(scalar)).isEmpty, text.count < TextLine.limit {
            if isApart { text.append(" ") }
            isApart = false
            text.unicodeScalars.append(scalar)
        }
    }
}

extension ReviewModel {
    /// Inserts text into the line that is being typed, if there is one.
    mutating func paste(_ text: String) -> [Effect] {
        guard !text.isEmpty else { return [] }
        switch mode {
        case .edit(var editing):
            var line = editing.typed ?? TextLine()
            for character in text { _ = line.handle(.character(character)) }
            editing.typed = line
            mode = .edit(editing)
        case .pick(var picker):
            for character in text { _ = picker.filter.handle(.character(character)) }
            picker.index = 0
            mode = .pick(picker)
        case .type(var entry):
            for character in text { _ = entry.line.handle(.character(character)) }
            mode = .type(entry)
        case .browse, .chooseField, .ask, .page:
            notify("pasted text is ignored here: its letters would act as keys", isError: true)
        }
        return []
    }
}
