import Glibc

/// The parameters of one statement in the form of libpq: addresses, lengths and formats.
struct BinaryParameters {
    private var bytes: [UInt8] = []
    private var places: [Range<Int>?] = []
    private var types: [UInt32] = []

    init(_ values: [PostgresValue]) {
        for value in values {
            let start = bytes.count
            let isPresent = value.append(to: &bytes)
            places.append(isPresent ? start..<bytes.count : nil)
            types.append(value.type)
        }
        // An empty array may have no address, which would mean NULL.
        bytes.append(0)
    }

    /// Calls `body` with the count, types, addresses, lengths and formats, which are valid meanwhile.
    func pass<Result>(
        _ body: (
            CInt, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?,
            UnsafePointer<CInt>?
        ) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let addresses = places.map { place in place.flatMap { place in start.map { $0 + place.lowerBound } } }
            let lengths = places.map { CInt($0?.count ?? 0) }
            let formats = places.map { _ in CInt(1) }
            return body(CInt(places.count), types, addresses, lengths, formats)
        }
    }
}

extension [String] {
    /// Calls `body` with an array of C strings that ends with NULL, valid meanwhile.
    func withCStrings<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        let copies = map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }
}
