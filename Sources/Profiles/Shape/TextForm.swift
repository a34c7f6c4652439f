import Codecs
import Ledger

/// The words of a whole mail except its values, as a digest.
///
/// Stricter than ``TextShape``, which serves to sort mails: every word counts, so that one that says "declined" at any
/// place has another form. Only what was read as a field, words with a digit and names of months and days may differ.
struct TextForm {
    private var digest = FNV1a()
    private var isValue = false

    /// - Parameter values: the fields that were read in the text.
    static func digest(subject: [UInt8], text: [UInt8], values: FieldSpans) -> UInt64 {
        var form = TextForm()
        let names = [values[.merchant], values[.vpa]].compactMap { $0.map { Array(text[$0]) } }
        form.add(subject, values: names.compactMap { place(of: $0, in: subject) })
        form.add(text, values: Array(values.values))
        return form.digest.value
    }

    private mutating func add(_ text: [UInt8], values: [Range<Int>]) {
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex { $0 == 0x20 || $0 == 0x0A } ?? text.count
            if end > start { add(text, start..<end, isValue: values.contains { $0.overlaps(start..<end) }) }
            start = end + 1
        }
        digest.combine([0x0A])
        isValue = false
    }

    private mutating func add(_ text: [UInt8], _ word: Range<Int>, isValue: Bool) {
        let small = text[word].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let letters = small.filter { !TextShape.isSign($0) }
        let isPrinted = isValue || letters.contains { (0x30...0x39).contains($0) } || TextShape.isValue(letters)
        defer { self.isValue = isPrinted }
        guard isPrinted else { return digest.combine(small + [0x20]) }
        // A name of three words and one of two are one value.
        if !self.isValue { digest.combine([0x2A, 0x20]) }
    }

    /// The counterparty is printed in many subjects too. A short name may be a word of the sentence.
    private static func place(of name: [UInt8], in subject: [UInt8]) -> Range<Int>? {
        guard name.count >= shortestName, name.count <= subject.count else { return nil }
        return (0...subject.count - name.count).lazy.map { $0..<$0 + name.count }.first {
            subject[$0].elementsEqual(name)
        }
    }

    private static let shortestName = 4
}
