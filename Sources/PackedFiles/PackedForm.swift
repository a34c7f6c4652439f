/// The form of a packed file, by its first bytes.
enum PackedForm: Hashable {
    case readable
    /// A form that is not read, with its name.
    case other(String)

    private static let signatures: [(offset: Int, bytes: [UInt8], form: PackedForm)] = [
        (0, [0x1F, 0x8B], .readable),
        (0, [0x50, 0x4B, 0x03, 0x04], .readable),
        (0, [0x50, 0x4B, 0x05, 0x06], .readable),
        (257, Array("ustar".utf8), .readable),
        (0, Array("BZh".utf8), .other("bzip2")),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .other("xz")),
        (0, [0x28, 0xB5, 0x2F, 0xFD], .other("zstd")),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .other("7-Zip")),
        (0, Array("Rar!".utf8), .other("RAR")),
    ]

    /// - Returns: `nil` if the file is not packed.
    init?(_ beginning: UnsafeRawBufferPointer) {
        let known = Self.signatures.first { signature in
            beginning.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        guard let known else { return nil }
        self = known.form
    }
}
