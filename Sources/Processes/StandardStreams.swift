import Glibc

/// The standard streams of a process that has no others.
public enum StandardStreams {
    /// Everything on standard input.
    ///
    /// - Returns: `nil` for more than `limit` bytes, or if the reading fails.
    public static func input(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while bytes.count <= limit {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += piece[..<count]
        }
        return nil
    }

    /// - Returns: false if not all bytes were written.
    public static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
