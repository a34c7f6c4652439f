import Ingest
import PackedFiles

/// Reads packed archives of mail with the library that only this program links.
final class PackedMail: PackedMembers {
    private let file: PackedFile

    private init(_ file: PackedFile) { self.file = file }

    /// Opens a file if it is packed; see `Unpack`.
    static func open(_ descriptor: Int32, _ beginning: UnsafeRawBufferPointer) throws -> (any PackedMembers)? {
        try PackedFile(descriptor, beginning: beginning).map(PackedMail.init)
    }

    var position: Int64 { file.position }
    func nextMember() throws -> String? { try file.next() }
    func readMember(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try file.read(into: buffer) }
}
