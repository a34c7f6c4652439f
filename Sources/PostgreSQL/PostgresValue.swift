import CPQ

/// A parameter of a statement, sent in PostgreSQL's binary form.
public enum PostgresValue: Sendable {
    case bigint(Int64?)
    case double(Double?)
    /// UTF-8 without NUL.
    case text([UInt8]?)
    case bytea([UInt8]?)
    case bigints([Int64?])
    case doubles([Double?])
    case texts([[UInt8]?])
    case byteas([[UInt8]?])

    public static func string(_ value: String) -> PostgresValue { .text(Array(value.utf8)) }

    /// Number of the type in the catalog `pg_type`; those of the built-in types never change.
    var type: UInt32 {
        switch self {
        case .bigint: Self.bigint
        case .double: Self.double
        case .text: Self.text
        case .bytea: Self.bytea
        case .bigints: 1016
        case .doubles: 1022
        case .texts: 1009
        case .byteas: 1001
        }
    }

    private static let bytea: UInt32 = 17
    private static let bigint: UInt32 = 20
    private static let text: UInt32 = 25
    private static let double: UInt32 = 701

    /// Appends the value to `bytes`.
    ///
    /// - Returns: false for NULL, which has no bytes.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .bigint(let value): return bytes.append(value) { $0.append(bigEndian: $1) }
        case .double(let value): return bytes.append(value) { $0.append(bigEndian: $1.bitPattern) }
        case .text(let value), .bytea(let value): return bytes.append(value) { $0 += $1 }
        case .bigints(let values): bytes.append(array: values, of: Self.bigint) { $0.append(bigEndian: $1) }
        case .doubles(let values): bytes.append(array: values, of: Self.double) { $0.append(bigEndian: $1.bitPattern) }
        case .texts(let values): bytes.append(array: values, of: Self.text) { $0 += $1 }
        case .byteas(let values): bytes.append(array: values, of: Self.bytea) { $0 += $1 }
        }
        return true
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append<Value>(_ value: Value?, _ write: (inout [UInt8], Value) -> Void) -> Bool {
        guard let value else { return false }
        write(&self, value)
        return true
    }

    /// An array of one dimension (array_send in the server's arrayfuncs.c): dimensions, whether it has NULLs, type,
    /// count, first index, and each element with its length.
    fileprivate mutating func append<Value>(
        array values: [Value?], of type: UInt32, _ write: (inout [UInt8], Value) -> Void
    ) {
        append(bigEndian: Int32(1))
        append(bigEndian: Int32(1))
        append(bigEndian: type)
        append(bigEndian: Int32(values.count))
        append(bigEndian: Int32(1))
        for value in values {
            guard let value else {
                append(bigEndian: Int32(-1))
                continue
            }
            let start = count
            append(bigEndian: Int32(0))
            write(&self, value)
            let length = Int32(count - start - 4).bigEndian
            Swift.withUnsafeBytes(of: length) { replaceSubrange(start..<start + 4, with: $0) }
        }
    }
}

/// One row of an answer, in binary form. Valid until the next row is read.
public struct PostgresRow {
    let result: OpaquePointer
    let index: CInt

    public func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, CInt(column)) == 1 }

    public func bytes(_ column: Int) -> [UInt8]? {
        guard !isNull(column), let start = PQgetvalue(result, index, CInt(column)) else { return nil }
        return [UInt8](
            UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, index, CInt(column)))))
    }

    public func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

    /// The value of a column of the type bigint.
    public func bigint(_ column: Int) -> Int64? { word(column).map { Int64(bitPattern: $0) } }

    /// The value of a column of the type double precision.
    public func double(_ column: Int) -> Double? { word(column).map { Double(bitPattern: $0) } }

    private func word(_ column: Int) -> UInt64? {
        guard !isNull(column), PQgetlength(result, index, CInt(column)) == 8,
            let start = PQgetvalue(result, index, CInt(column))
        else { return nil }
        return UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }
}
