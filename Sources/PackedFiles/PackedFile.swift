internal import CArchive
import Glibc

/// The files in a `.zip`, `.tar` or `.tgz` file, or the one in a `.gz` file, one after the other as streams of bytes.
///
/// Reads once from the beginning to the end with the memory of a buffer. Names of members are for messages only. For
/// one thread.
public final class PackedFile {
    /// Ends the reading of a file that was made to exhaust the machine.
    public struct Limits: Sendable {
        /// Members: more than the mails of a household in files of their own.
        public var members = 2_000_000
        /// Unpacked bytes for each packed byte. Mail packs to about a tenth, thousands of alike alerts to a hundredth;
        /// deflate reaches 1,032.
        public var expansion: Int64 = 400
        /// Unpacked bytes up to which the expansion does not count.
        public var free: Int64 = 64 << 20
        /// Unpacked bytes in total.
        public var bytes: Int64 = 256 << 30

        public init() {}
    }

    private let source: PackedSource
    private let archive: OpaquePointer
    private let limits: Limits
    private var members = 0
    private var unpacked: Int64 = 0

    /// Opens a packed file.
    ///
    /// - Parameters:
    ///   - descriptor: the file, of which `beginning` has been read. Stays open and belongs to the caller.
    ///   - beginning: at least 262 bytes, or the whole file.
    /// - Returns: `nil` if the file is not packed.
    public init?(
        _ descriptor: Int32, beginning: UnsafeRawBufferPointer, limits: Limits = Limits()
    ) throws(PackedFileError) {
        guard let form = PackedForm(beginning) else { return nil }
        if case .other(let name) = form {
            throw PackedFileError(
                "is packed by \(name), which is not read: unpack it first, or pack it as .gz, .tgz or .zip")
        }
        guard let archive = archive_read_new() else { throw PackedFileError("cannot be unpacked: out of memory") }
        self.archive = archive
        self.limits = limits
        source = PackedSource(descriptor, beginning: Array(beginning))
        archive_read_support_filter_gzip(archive)
        archive_read_support_format_zip(archive)
        archive_read_support_format_tar(archive)
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
        guard source.open(archive) == ARCHIVE_OK else { throw failure() }
    }

    /// The first files with these names in a packed file that is in memory, such as the parts of a spreadsheet.
    ///
    /// - Parameter isWanted: decides by the name.
    /// - Returns: their bytes by name; `nil` if the bytes are not packed.
    public static func files(
        in bytes: [UInt8], limits: Limits, where isWanted: (String) -> Bool
    ) throws(PackedFileError) -> [String: [UInt8]]? {
        let opened = bytes.withUnsafeBytes { bytes in
            Result { () throws(PackedFileError) in try PackedFile(-1, beginning: bytes, limits: limits) }
        }
        let file = try opened.get()
        guard let file else { return nil }
        var files: [String: [UInt8]] = [:]
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while let name = try file.next() {
            guard files[name] == nil, isWanted(name) else { continue }
            var content: [UInt8] = []
            while true {
                let read = buffer.withUnsafeMutableBytes { room in
                    Result { () throws(PackedFileError) in try file.read(into: room) }
                }
                let count = try read.get()
                if count == 0 { break }
                content += buffer[..<count]
            }
            files[name] = content
        }
        return files
    }

    deinit { archive_read_free(archive) }

    /// Packed bytes read so far.
    public var position: Int64 { source.position }

    /// Moves to the next file.
    ///
    /// - Returns: its name, empty for the file in a `.gz` file; `nil` at the end.
    public func next() throws(PackedFileError) -> String? {
        while true {
            var entry: OpaquePointer?
            let status = archive_read_next_header(archive, &entry)
            if status == ARCHIVE_EOF { return nil }
            if status == ARCHIVE_RETRY { continue }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
            members += 1
            guard members <= limits.members else {
                throw PackedFileError("holds more than \(limits.members) files: not read further")
            }
            guard archive_entry_filetype(entry) & S_IFMT == S_IFREG else { continue }
            let name = name(of: entry)
            guard archive_entry_is_data_encrypted(entry) != 1 else {
                throw PackedFileError("'\(name)' in it is encrypted: unpack it with its password first")
            }
            return name
        }
    }

    /// Reads bytes of the current file.
    ///
    /// - Returns: 0 at its end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(PackedFileError) -> Int {
        while true {
            let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
            if count == Int(ARCHIVE_RETRY) { continue }
            guard count >= 0 else { throw failure() }
            unpacked += Int64(count)
            guard unpacked <= limits.bytes else {
                throw PackedFileError("unpacks to more than \(limits.bytes >> 30) GiB: not read further")
            }
            guard unpacked <= limits.free || unpacked / limits.expansion <= source.size ?? source.position else {
                throw PackedFileError(
                    "unpacks to more than \(limits.expansion) times its size, as no archive of mail does: not read further"
                )
            }
            return count
        }
    }

    private func name(of entry: OpaquePointer) -> String {
        if archive_format(archive) == ARCHIVE_FORMAT_RAW { return "" }
        // The first form is missing if the locale cannot express the name.
        if let name = archive_entry_pathname_utf8(entry) { return String(cString: name) }
        return archive_entry_pathname(entry).map { String(cString: $0) } ?? "file \(members)"
    }

    private func failure() -> PackedFileError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
        return PackedFileError("cannot be unpacked, it may be incomplete or damaged: \(reason)")
    }
}
