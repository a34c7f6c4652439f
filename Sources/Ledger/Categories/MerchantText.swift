extension CategoryRules {
    /// Lower case, without accents and apostrophes; each run of other characters than letters and digits becomes one
    /// blank.
    public static func normalized(_ text: String) -> String { String(decoding: normalizedBytes(text), as: UTF8.self) }

    static func normalizedBytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        // Nearly every merchant is ASCII, which needs no decoding.
        let isASCII = text.utf8.withContiguousStorageIfAvailable { fold($0, into: &bytes) } ?? false
        if isASCII { return bytes }
        bytes.removeAll(keepingCapacity: true)
        var pending = false
        func append(_ letter: UInt8) {
            if pending, !bytes.isEmpty { bytes.append(0x20) }
            pending = false
            bytes.append(letter)
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: append(UInt8(scalar.value))
            case 0x41...0x5A: append(UInt8(scalar.value) | 0x20)
            case 0x27, 0x2019, 0x0300...0x036F: continue
            case 0xC0...0x17F:
                let folded = latinBase[Int(scalar.value) - 0xC0]
                if folded == 0x20 { pending = true } else { append(folded) }
            case 0x80...:
                guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                    pending = true
                    continue
                }
                if pending, !bytes.isEmpty { bytes.append(0x20) }
                pending = false
                bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            default: pending = true
            }
        }
        return bytes
    }

    /// False if the text is not ASCII; then `bytes` is undefined.
    private static func fold(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) -> Bool {
        var pending = false
        for byte in text {
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x41...0x5A:
                if pending, !bytes.isEmpty { bytes.append(0x20) }
                pending = false
                bytes.append(byte > 0x39 ? byte | 0x20 : byte)
            case 0x27: continue
            case 0x80...: return false
            default: pending = true
            }
        }
        return true
    }

    /// Base letter of each scalar U+00C0...U+017F (Unicode canonical decomposition, first letter; ligatures by their
    /// first letter).
    private static let latinBase: [UInt8] = Array(
        ("aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
            + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssss"
            + "ttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)
}
