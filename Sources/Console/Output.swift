import Glibc
import Settings

/// Standard output, with every write checked: a full disk or a closed pipe ends the command with exit status 1.
public enum Output {
    /// The name by which the program was called, for its messages.
    public static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "spendwise"
    }

    /// Writes a line. Data that another program reads is written with this as well as text for people.
    public static func line(_ text: String = "") { write(Array((text + "\n").utf8)) }

    public static func text(_ text: String) { write(Array(text.utf8)) }

    public static func error(_ text: String) { StandardError.write(text + "\n") }

    /// Collects the lines of a long output, so that not every line is a system call.
    public struct Buffer {
        private static let limit = 64 << 10
        private var bytes: [UInt8] = []

        public init() {}

        public mutating func line(_ text: String) {
            bytes += text.utf8
            bytes.append(0x0A)
            if bytes.count >= Self.limit { flush() }
        }

        public mutating func flush() {
            Output.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// Writes all bytes, or ends the program with status 1 and the reason on standard error.
    public static func write(_ bytes: [UInt8]) {
        do { try writeAll(bytes) } catch {
            Self.error("\(program): \(error)")
            exit(1)
        }
    }

    /// - Throws: ``OutputError`` if the bytes could not be written, such as on a full disk.
    public static func writeAll(_ bytes: [UInt8], to descriptor: Int32 = 1) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputError(code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Standard output could not be written; what was written before is incomplete.
public struct OutputError: Error, CustomStringConvertible {
    public let code: Int32

    public var description: String {
        "the output is incomplete: standard output cannot be written: \(String(cString: strerror(code)))"
    }
}
