internal import CArchive
import Glibc

/// Writes a `.tgz` file: a tar archive (pax format where ustar does not suffice, POSIX.1-2001), compressed by gzip.
///
/// For one thread. Memory does not depend on the size of the members.
public final class PackedFileWriter {
    private let archive: OpaquePointer

    /// - Parameter descriptor: open for writing; stays open and belongs to the caller.
    public init(_ descriptor: Int32) throws(PackedFileError) {
        guard let archive = archive_write_new() else { throw PackedFileError("cannot be written: out of memory") }
        self.archive = archive
        archive_write_set_format_pax_restricted(archive)
        archive_write_add_filter_gzip(archive)
        // The last block is not filled up to the size of a tape's record.
        archive_write_set_bytes_in_last_block(archive, 1)
        try check(archive_write_open_fd(archive, descriptor))
    }

    deinit { archive_write_free(archive) }

    /// Adds a file with permissions 0600.
    ///
    /// - Parameters:
    ///   - modified: seconds since 1970-01-01 UTC.
    ///   - size: the number of bytes that `fill` writes.
    ///   - fill: calls its argument with the parts of the file in order.
    public func add(
        _ name: String, size: Int64, modified: Int64,
        fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        guard let entry = archive_entry_new() else { throw PackedFileError("cannot be written: out of memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, size)
        archive_entry_set_filetype(entry, UInt32(Glibc.S_IFREG))
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_mtime(entry, time_t(modified), 0)
        try check(archive_write_header(archive, entry))
        try fill { bytes in
            let count = archive_write_data(archive, bytes.baseAddress, bytes.count)
            guard count == bytes.count else { throw failure() }
        }
        try check(archive_write_finish_entry(archive))
    }

    /// Writes the end of the archive. Without it, the file is incomplete.
    public func finish() throws(PackedFileError) { try check(archive_write_close(archive)) }

    private func check(_ status: Int32) throws(PackedFileError) {
        guard status == ARCHIVE_OK else { throw failure() }
    }

    private func failure() -> PackedFileError {
        PackedFileError(
            "cannot be written: " + (archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"))
    }
}
