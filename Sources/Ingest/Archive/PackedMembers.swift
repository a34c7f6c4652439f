/// The files in a packed file, one after the other as streams of bytes.
public protocol PackedMembers: AnyObject {
    /// Moves to the next file.
    ///
    /// - Returns: its name, empty if it has none; `nil` at the end.
    func nextMember() throws -> String?

    /// Reads bytes of the current file.
    ///
    /// - Returns: 0 at its end.
    func readMember(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Packed bytes read so far.
    var position: Int64 { get }
}

/// Opens a packed file by its descriptor, of which the first bytes were read; `nil` if it is not packed.
///
/// Given by the program: only `parserctl` links a library for it.
public typealias Unpack = (_ descriptor: Int32, _ beginning: UnsafeRawBufferPointer) throws -> (any PackedMembers)?

/// A file in memory, as the only member of a packed file.
final class FileInMemory: PackedMembers {
    private let file: [UInt8]
    private var offset = 0
    private var isBegun = false

    init(_ file: [UInt8]) { self.file = file }

    func nextMember() -> String? {
        defer { isBegun = true }
        return isBegun ? nil : ""
    }

    func readMember(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let rest = file[offset...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        offset += rest.count
        return rest.count
    }

    var position: Int64 { Int64(offset) }
}
