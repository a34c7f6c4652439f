import Glibc

/// Complete writes to a file descriptor.
public enum FileOutput {
    /// Writes all bytes; continues after an interrupted or a partial write(2).
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileWriteError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileWriteError(.write) }
            rest = rest.dropFirst(count)
        }
    }
}
