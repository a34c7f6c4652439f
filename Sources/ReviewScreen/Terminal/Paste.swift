/// What is pasted, as it comes: on one line, without what is no character of a line, and never longer than a line may be.
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
    /// Into the line that is being typed; where none is, nothing happens.
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
            say("what was pasted is dropped: here its letters would act as keys", isError: true)
        }
        return []
    }
}
