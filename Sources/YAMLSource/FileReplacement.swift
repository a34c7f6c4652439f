import Glibc

extension YAMLFile {
    /// Puts this file's bytes in the place of what stands at its path: written beside it, read back, then renamed over it, so that a crash
    /// leaves the old file or the new one. Keeps the permissions; a symbolic link stays one, its target is replaced.
    ///
    /// - Parameter old: what must stand there; a file that has changed since is left alone.
    public func replace(_ old: YAMLFile) throws(SourceError) {
        var status = stat()
        guard let resolved = realpath(path, nil) else { throw failure("cannot be found") }
        defer { free(resolved) }
        let target = String(cString: resolved)
        guard stat(target, &status) == 0 else { throw failure("cannot be found") }
        guard try YAMLFile(path: target).bytes == old.bytes else {
            throw SourceError(
                file: path, message: "has changed while it was being edited", remedy: "Run the command again.")
        }
        var template = Array((target + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("a file beside it cannot be made") }
        let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        do throws(SourceError) {
            defer { close(descriptor) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("cannot be written") }
                rest = rest.dropFirst(count)
            }
            // The owner can be kept by root only; the mode by everyone.
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else {
                throw failure("cannot be written")
            }
            guard try YAMLFile(path: temporary).bytes == bytes else {
                throw SourceError(file: path, message: "was not written as it should be", remedy: "Check the disk.")
            }
            guard rename(temporary, target) == 0 else { throw failure("cannot be replaced") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func failure(_ what: String) -> SourceError {
        SourceError(
            file: path, message: "\(what): \(String(cString: strerror(errno)))",
            remedy: "Check that this user may write the file and its folder.")
    }
}
