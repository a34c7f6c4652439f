import Glibc

extension SecretFile {
    /// Puts lines in the place of what the file holds, of mode 0600: written beside it, then renamed over it, so that a crash leaves the old
    /// file or the new one. It keeps its owner; root gives a new one to the owner of the folder.
    public func write(_ lines: [[UInt8]]) throws(SecretError) {
        guard try replace(lines) else {
            throw SecretError(
                "\(description) cannot be written: \(String(cString: strerror(errno)))",
                remedy: "Write as its owner, or as root, to a folder that is there.")
        }
    }

    /// Finds out before it matters whether ``write(_:)`` will be allowed.
    public func checkWritable() throws(SecretError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else {
            throw SecretError(
                "\(description) cannot be written: \(folder): \(String(cString: strerror(errno)))",
                remedy: "Run this as root or as the owner of that folder, which must exist.")
        }
    }

    /// - Returns: false where this user may not write there; then nothing has changed and `errno` tells why.
    func replace(_ lines: [[UInt8]]) throws(SecretError) -> Bool {
        // A symbolic link stays one.
        var target = path
        if let resolved = realpath(target, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let folder = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        var status = stat()
        guard stat(target, &status) == 0 || stat(folder, &status) == 0 else { return false }
        let temporary = target + "." + String(UInt64.random(in: .min ... .max), radix: 36)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [0x0A] }
        var rest = bytes[...]
        var isWhole = geteuid() != 0 || fchown(descriptor, status.st_uid, status.st_gid) == 0
        while isWhole, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWhole = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        guard isWhole, fsync(descriptor) == 0, rename(temporary, target) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw SecretError(
                "\(description) cannot be written: \(reason)", remedy: "Check the disk and the folder's permissions.")
        }
        // The rename outlives a power cut.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            fsync(directory)
            close(directory)
        }
        return true
    }
}
