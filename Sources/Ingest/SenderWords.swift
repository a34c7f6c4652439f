import InternetMessage

/// Finds words, domains as a rule, in From fields as SEARCH FROM does (RFC 9051 section 6.4.4): anywhere in them, without regard to case, with encoded words
/// decoded.
struct SenderWords {
    private let words: [[UInt8]]
    /// For each pair of bytes whether a word begins with it: no other place of a field is looked at.
    private let begins: [Bool]

    /// - Parameter words: ASCII.
    init(_ words: [String]) {
        self.words = Set(words).map { $0.utf8.map(Self.lower) }
        var begins = [Bool](repeating: false, count: words.isEmpty ? 0 : 1 << 16)
        for word in self.words where !word.isEmpty {
            let second = word.dropFirst().first.map { $0...$0 } ?? 0...255
            for byte in second { begins[Int(word[0]) << 8 | Int(byte)] = true }
        }
        self.begins = begins
    }

    /// Whether one stands in `field`, a header field as it is in a mail.
    func stand(in field: UnsafeRawBufferPointer) -> Bool {
        if let decoded = EncodedWords.decoded(text: field) { return decoded.withUnsafeBytes(stand(plainly:)) }
        return stand(plainly: field)
    }

    private func stand(plainly field: UnsafeRawBufferPointer) -> Bool {
        if begins.isEmpty { return false }
        return begins.withUnsafeBufferPointer { begins in
            var pair = 0
            // One more than there are, for a word of one byte at the end.
            for end in 0...field.count {
                pair = (pair << 8 | (end < field.count ? Int(Self.lower(field[end])) : 0)) & 0xFFFF
                if end > 0, begins[pair], words.contains(where: { Self.stands($0, at: end - 1, in: field) }) { return true }
            }
            return false
        }
    }

    private static func stands(_ word: [UInt8], at start: Int, in field: UnsafeRawBufferPointer) -> Bool {
        guard word.count <= field.count - start else { return false }
        for index in word.indices where lower(field[start + index]) != word[index] { return false }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
