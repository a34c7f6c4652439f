import InternetMessage

/// Finds words, domains as a rule, in From fields as SEARCH FROM does (RFC 9051 section 6.4.4): anywhere in them, without regard to case, with encoded words
/// decoded.
struct SenderWords {
    /// By their first two bytes.
    private var words: [Int: [[UInt8]]] = [:]
    /// For each pair of bytes whether a word begins with it: at no other place of a field anything is compared.
    private var begins: [Bool] = []
    /// A word of less than two bytes is not worth looking for: every field is taken.
    private var isAnything = false

    /// - Parameter words: ASCII.
    init(_ words: [String]) {
        if words.isEmpty { return }
        begins = [Bool](repeating: false, count: 1 << 16)
        for word in Set(words) {
            let bytes = word.utf8.map(Self.lower)
            guard bytes.count > 1 else {
                isAnything = true
                continue
            }
            let pair = Int(bytes[0]) << 8 | Int(bytes[1])
            begins[pair] = true
            self.words[pair, default: []].append(bytes)
        }
    }

    /// Bytes of a field that is decoded: no bank's has a tenth of it, and what decodes takes ever longer for one word and one more.
    private static let decodedBytes = 8 << 10

    /// Whether one stands in `field`, a header field as it is in a mail; of a longer one than is decoded, whether it may.
    func stand(in field: UnsafeRawBufferPointer) -> Bool {
        if isAnything || begins.isEmpty { return isAnything }
        if stand(plainly: field) || field.count > Self.decodedBytes { return true }
        return EncodedWords.decoded(text: field)?.withUnsafeBytes(stand(plainly:)) ?? false
    }

    private func stand(plainly field: UnsafeRawBufferPointer) -> Bool {
        begins.withUnsafeBufferPointer { begins in
            var pair = 0
            for index in field.indices {
                pair = (pair << 8 | Int(Self.lower(field[index]))) & 0xFFFF
                if begins[pair], words[pair, default: []].contains(where: { Self.stands($0, at: index - 1, in: field) })
                {
                    return true
                }
            }
            return false
        }
    }

    private static func stands(_ word: [UInt8], at start: Int, in field: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, word.count <= field.count - start else { return false }
        for index in word.indices where lower(field[start + index]) != word[index] { return false }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
