import Codecs

/// The wire form of folder names (RFC 3501 section 5.1.3): printable ASCII is unchanged, `&` is `&-`, everything else
/// is UTF-16 in Base64 with `,` instead of `/`, between `&` and `-`.
enum ModifiedUTF7 {
    private static let base64 = Base64.folderName

    static func encode(_ name: String) -> [UInt8] {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        var shifted = false
        func close() {
            guard shifted else { return }
            if held > 0 { out.append(base64.digits[Int((bits << (6 - UInt32(held))) & 63)]) }
            out.append(0x2D)
            (bits, held, shifted) = (0, 0, false)
        }
        for unit in name.utf16 {
            if (0x20...0x7E).contains(unit) {
                close()
                out.append(UInt8(unit))
                if unit == 0x26 { out.append(0x2D) }
                continue
            }
            if !shifted { out.append(0x26) }
            shifted = true
            bits = (bits << 16) | UInt32(unit)
            held += 16
            while held >= 6 {
                held -= 6
                out.append(base64.digits[Int((bits >> UInt32(held)) & 63)])
            }
            bits &= (1 << UInt32(held)) - 1
        }
        close()
        return out
    }

    /// `nil` for bytes outside printable ASCII, an invalid Base64 character, an open shift, a lone surrogate, or
    /// surplus bits.
    static func decode(_ wire: some Sequence<UInt8>) -> String? {
        var units: [UInt16] = []
        var bits: UInt32 = 0
        var held = 0
        var shift: Int?
        for byte in wire {
            guard (0x20...0x7E).contains(byte) else { return nil }
            guard let length = shift else {
                if byte == 0x26 { shift = 0 } else { units.append(UInt16(byte)) }
                continue
            }
            if byte == 0x2D {
                if length == 0 { units.append(0x26) }
                guard held < 6, bits & ((1 << UInt32(held)) - 1) == 0 else { return nil }
                (bits, held, shift) = (0, 0, nil)
                continue
            }
            guard let value = base64.value(of: byte) else { return nil }
            bits = (bits << 6) | UInt32(value)
            held += 6
            shift = length + 1
            if held >= 16 {
                held -= 16
                units.append(UInt16((bits >> UInt32(held)) & 0xFFFF))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        guard shift == nil else { return nil }
        return String(validating: units, as: UTF16.self)
    }
}
