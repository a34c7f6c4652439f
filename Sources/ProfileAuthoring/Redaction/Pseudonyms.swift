import Codecs
import Profiles
import Randomness
import YAMLSource

/// Invents values of the same shape: equal for equal values within one mail, different between mails.
struct Pseudonyms {
    private let seed: UInt64

    /// - Parameter mail: the identity of the mail; without all of it the pseudonyms cannot be reproduced.
    init(mail: [UInt8]) {
        var hash = FNV1a()
        hash.combine(mail)
        seed = hash.value
    }

    /// Random numbers seeded by the mail and a value.
    func stream(_ key: [UInt8], _ kind: String) -> SplitMix64 {
        var hash = FNV1a()
        hash.combine(Array(kind.utf8) + [0] + key)
        return SplitMix64(state: seed ^ hash.value)
    }

    /// A number of as many digits; leading zeros stay, and other numbers get none. A number of zeros is unchanged.
    func digits(_ digits: [UInt8]) -> [UInt8] {
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        guard leading < digits.count else { return digits }
        var stream = stream(digits, "digits")
        var result = digits
        // Several attempts, because the result must differ from the value.
        for _ in 0..<8 {
            for index in leading..<digits.count {
                result[index] =
                    UInt8(ascii: "0") + UInt8((index == leading ? 1 : 0) + stream.next() % (index == leading ? 9 : 10))
            }
            if result != digits { break }
        }
        return result
    }

    private static let vowels = Array("aeiou".utf8)
    private static let consonants = Array("bcdfghjklmnprstvwyz".utf8)

    /// A word of as many bytes: vowels for vowels, consonants for consonants, capitals for capitals. A letter outside
    /// ASCII becomes one of as many bytes.
    func word(_ word: [UInt8]) -> [UInt8] {
        let key = word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        var stream = stream(key, "word")
        var result = word
        for _ in 0..<8 {
            var index = 0
            while index < word.count {
                let byte = word[index]
                let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                let lower = byte | 0x20
                if (0x61...0x7A).contains(lower), length == 1 {
                    let choices = Self.vowels.contains(lower) ? Self.vowels : Self.consonants
                    let letter = choices[Int(stream.next() % UInt64(choices.count))]
                    result[index] = byte & 0x20 == 0 ? letter & 0xDF : letter
                } else if PrintedForms.isDigit(byte) {
                    result[index] = UInt8(ascii: "0") + UInt8(stream.next() % 10)
                } else if byte >= 0x80, index + length <= word.count, Self.isLetter(word[index..<index + length]) {
                    let letter = Array((length == 2 ? "\u{E9}" : length == 3 ? "\u{915}" : "\u{20000}").utf8)
                    for offset in 0..<length { result[index + offset] = letter[offset] }
                }
                index += length
            }
            if result != word { break }
        }
        return result
    }

    private static func isLetter(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.first?.properties.isAlphabetic ?? false
    }
}
