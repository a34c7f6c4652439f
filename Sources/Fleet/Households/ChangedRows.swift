import Store

/// The keys of the rows that one commit or several changed.
///
/// An entry of the change log is these tables in any order: the name, the number of columns of the key, the number of
/// keys, and the values of each key. A value is a byte for its type and its bytes; numbers without a type, and lengths,
/// are in LEB128 (DWARF 5, section 7.6).
struct ChangedRows {
    private(set) var tables: [String: Set<[LedgerValue]>] = [:]

    init() {}

    init(_ changes: LedgerChanges) {
        for change in changes.tables {
            let written = change.written.map { row in change.table.key.map { row[$0] } }
            tables[change.table.name, default: []].formUnion(change.removed + written)
        }
    }

    var entry: [UInt8] {
        var bytes: [UInt8] = []
        for (table, keys) in tables {
            bytes.append(counted: Array(table.utf8))
            bytes.append(count: keys.first?.count ?? 0)
            bytes.append(count: keys.count)
            for key in keys { for value in key { bytes.append(value) } }
        }
        return bytes
    }

    /// Adds the keys of an entry.
    ///
    /// - Returns: false if it is not one, as of a later version of the program.
    mutating func add(_ entry: [UInt8]) -> Bool {
        var reader = EntryReader(bytes: entry[...])
        while !reader.bytes.isEmpty {
            guard let name = reader.counted(), let width = reader.count(), width > 0, let count = reader.count() else {
                return false
            }
            var keys: Set<[LedgerValue]> = []
            for _ in 0..<count {
                var key: [LedgerValue] = []
                for _ in 0..<width {
                    guard let value = reader.value() else { return false }
                    key.append(value)
                }
                keys.insert(key)
            }
            tables[String(decoding: name, as: UTF8.self), default: []].formUnion(keys)
        }
        return true
    }
}

/// The byte before a value.
fileprivate enum ValueType: UInt8 { case null, integer, real, text, blob }

extension [UInt8] {
    fileprivate mutating func append(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(counted bytes: [UInt8]) {
        append(count: bytes.count)
        self += bytes
    }

    fileprivate mutating func append(_ value: LedgerValue) {
        func word(_ bits: UInt64) {
            for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(bits >> shift & 0xFF)) }
        }
        switch value {
        case .null: append(ValueType.null.rawValue)
        case .integer(let number):
            append(ValueType.integer.rawValue)
            word(UInt64(bitPattern: number))
        case .real(let number):
            append(ValueType.real.rawValue)
            word(number.bitPattern)
        case .text(let bytes):
            append(ValueType.text.rawValue)
            append(counted: bytes)
        case .blob(let bytes):
            append(ValueType.blob.rawValue)
            append(counted: bytes)
        }
    }
}

fileprivate struct EntryReader {
    var bytes: ArraySlice<UInt8>

    mutating func count() -> Int? {
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while let byte = bytes.popFirst(), shift < 56 {
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(result) }
            shift += 7
        }
        return nil
    }

    mutating func counted() -> [UInt8]? { count().flatMap { take($0) } }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    private mutating func word() -> UInt64? { take(8).map { $0.reduce(0) { $0 << 8 | UInt64($1) } } }

    mutating func value() -> LedgerValue? {
        switch bytes.popFirst().flatMap(ValueType.init) {
        case .null: .null
        case .integer: word().map { .integer(Int64(bitPattern: $0)) }
        case .real: word().map { .real(Double(bitPattern: $0)) }
        case .text: counted().map { .text($0) }
        case .blob: counted().map { .blob($0) }
        case nil: nil
        }
    }
}
