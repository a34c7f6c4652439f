import GRDB
import GRDBSQLite
import Glibc

/// A working copy of a damaged ledger with its write-ahead log. The original is only read.
///
/// The copy lets SQLite apply the log, and lets a destroyed file header be replaced. For one thread.
final class DamagedFile {
    let handle: OpaquePointer
    /// Bytes of the file.
    let size: Int64
    private let copy: String

    private static let blockBytes = 64 << 10

    /// - Parameter copy: path of the working copy, which is removed with this value.
    init(_ path: String, copy: String) throws {
        self.copy = copy
        do {
            size = try Self.copyFile(path, to: copy)
            try FileHeader.mend(copy)
            if access(path + "-wal", F_OK) == 0 { _ = try Self.copyFile(path + "-wal", to: copy + "-wal") }
            do { handle = try Self.open(copy) } catch {
                // The log itself may be damaged.
                for suffix in LedgerFiles.companions { unlink(copy + suffix) }
                handle = try Self.open(copy)
            }
        } catch {
            LedgerFiles.remove(copy)
            throw error
        }
    }

    deinit {
        sqlite3_close_v2(handle)
        LedgerFiles.remove(copy)
    }

    private static func open(_ path: String) throws -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        // Loads the readable part of a damaged schema.
        sqlite3_exec(
            handle, "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nil, nil, nil)
        let found = sqlite3_exec(handle, "SELECT name FROM sqlite_schema WHERE type = 'table' LIMIT 1", nil, nil, nil)
        guard found == SQLITE_OK else {
            let error = DatabaseError(
                resultCode: ResultCode(rawValue: found), message: String(cString: sqlite3_errmsg(handle)))
            sqlite3_close_v2(handle)
            throw error
        }
        return handle
    }

    /// Copies a file; a part that the disk cannot read becomes zeros.
    private static func copyFile(_ path: String, to copy: String) throws -> Int64 {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            throw StoreError(
                kind: .cannotOpen, path: path, message: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(source) }
        let target = Glibc.open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw StoreError.cannotMake(copy) }
        defer { close(target) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw StoreError.cannotMake(copy) }
        let size = Int64(status.st_size)
        var buffer = [UInt8](repeating: 0, count: blockBytes)
        var offset: Int64 = 0
        while offset < size {
            let wanted = min(Int(size - offset), blockBytes)
            var count = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, wanted, off_t(offset)) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                count = min(wanted, 4096)
                for index in 0..<count { buffer[index] = 0 }
            }
            guard buffer.withUnsafeBytes({ pwrite(target, $0.baseAddress, count, off_t(offset)) }) == count else {
                throw StoreError.cannotMake(copy)
            }
            offset += Int64(count)
        }
        return size
    }

    /// The first column of the rows of a query, as far as they can be read.
    func texts(_ sql: String) -> [String] {
        guard let statement = try? statement(sql) else { return [] }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }

    func statement(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(handle)))
        }
        return statement
    }
}

/// The first 100 bytes of a SQLite file (SQLite file format, section 1.3).
enum FileHeader {
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Writes the header of a ledger over one that SQLite would refuse.
    static func mend(_ path: String) throws {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError.cannotMake(path) }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard header.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, 100, 0) }) == 100 else { return }
        guard !isValid(header) else { return }
        header.replaceSubrange(0..<16, with: magic)
        let pageSize = pageSize(header)
        header[16] = UInt8(pageSize >> 8 & 0xFF)
        header[17] = UInt8(pageSize >> 16 | pageSize & 0xFF)
        // WAL, no reserved bytes, and the fixed fractions.
        header.replaceSubrange(18..<24, with: [2, 2, 0, 64, 32, 32])
        // The number of pages comes from the file's size; the list of free pages is empty; no vacuum mode.
        let cleared: [Range<Int>] = [24..<40, 52..<56, 64..<68, 92..<96]
        for range in cleared { for index in range { header[index] = 0 } }
        header.replaceSubrange(44..<48, with: [0, 0, 0, 4])
        header.replaceSubrange(56..<60, with: [0, 0, 0, 1])
        guard header.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, 100, 0) }) == 100 else {
            throw StoreError.cannotMake(path)
        }
    }

    private static func isValid(_ header: [UInt8]) -> Bool {
        let size = Int(header[16]) << 8 | Int(header[17])
        guard header.starts(with: magic), size == 1 || size >= 512 && size.nonzeroBitCount == 1 else { return false }
        guard header[18] <= 2, header[19] <= 2, header[44] == 0, header[45] == 0, header[46] == 0 else { return false }
        guard header[20..<24].elementsEqual([0, 64, 32, 32]), (1...4).contains(header[47]) else { return false }
        return header[56..<60].elementsEqual([0, 0, 0, 1])
    }

    /// The stated size if it can be one, otherwise that of new ledgers.
    private static func pageSize(_ header: [UInt8]) -> Int {
        let size = Int(header[16]) << 8 | Int(header[17])
        return size >= 512 && size.nonzeroBitCount == 1 ? size : Connection.pageSize
    }
}
