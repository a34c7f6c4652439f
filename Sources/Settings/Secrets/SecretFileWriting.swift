import DurableFiles
import Glibc

extension SecretFile {
    /// Replaces the file atomically with these lines, with mode 0600. If run by root, the file keeps its owner, and a
    /// new file gets the owner of its folder.
    public func write(_ lines: [[UInt8]]) throws(SecretError) {
        guard try replace(lines) else {
            throw SecretError(
                "\(description) cannot be written: \(String(cString: strerror(errno)))",
                remedy: "Write as the file's owner or as root, to a folder that exists.")
        }
    }

    /// Throws if this user may not call ``write(_:)``.
    public func checkWritable() throws(SecretError) {
        let folder = FileReplacement(path, mode: .exactly(0o600)).folder
        guard access(folder, W_OK | X_OK) == 0 else {
            throw SecretError(
                "\(description) cannot be written: \(folder): \(String(cString: strerror(errno)))",
                remedy: "Run this as root or as the owner of that folder, which must exist.")
        }
    }

    /// - Returns: false if this user may not write there; then nothing has changed, and `errno` holds the reason.
    func replace(_ lines: [[UInt8]]) throws(SecretError) -> Bool {
        do throws(FileWriteError) {
            try FileReplacement(path, mode: .exactly(0o600)).write(lines.flatMap { $0 + [0x0A] })
            return true
        } catch  where error.step == .create {
            errno = error.code
            return false
        } catch {
            throw SecretError(
                "\(description) cannot be written: \(error)", remedy: "Check the disk and the folder's permissions.")
        }
    }
}
