import Glibc
import YAMLSource

/// Writes files completely or not at all.
enum NewFile {
    /// - Throws: `SourceError` if the file exists and may not be replaced, or cannot be written.
    static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws {
        func failure(_ what: String) -> SourceError {
            SourceError(
                file: path, message: "\(what): \(String(cString: strerror(errno)))",
                remedy: "Check that this user may write there.")
        }
        if !replacing, access(path, F_OK) == 0 {
            throw SourceError(
                file: path, message: "exists already", remedy: "Give another name, or --force to replace it.")
        }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        // mkstemp makes the file private; give it the mode of any new file.
        let mask = umask(0)
        umask(mask)
        let isWritten = rest.isEmpty && fchmod(descriptor, 0o666 & ~mask) == 0 && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(temporary, path) == 0 else {
            let error = failure("cannot be written")
            unlink(temporary)
            throw error
        }
    }
}
