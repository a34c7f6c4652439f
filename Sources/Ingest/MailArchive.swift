import Glibc

/// Mail that stands in files: single messages (`.eml`), mbox files (RFC 4155) and Maildir folders, each mail handed out as its bytes.
///
/// mbox files are streamed: memory is bounded by the longest mail.
public enum MailArchive {
    /// A mail longer than this is handed out cut; the daemon fetches no more of one either.
    public static let maximumMailBytes = 32 << 20

    public struct Fault: Error, CustomStringConvertible {
        public let path: String
        public let message: String
        public var description: String { "\(path): \(message)" }
    }

    /// Calls `each` for every mail at `path`: a file, a Maildir, or a folder of these, read in the order of their names.
    /// The name given is the path, with the mail's number in an mbox.
    public static func read(_ path: String, each: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw fault(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return try readFile(path, each) }
        guard let directory = opendir(path) else { throw fault(path) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } }
            if !name.hasPrefix(".") { names.append(name) }
        }
        closedir(directory)
        // Of a Maildir, mails being delivered are not there yet (maildir(5)).
        let isMaildir = names.contains("cur") && names.contains("new")
        for name in names.sorted() where !isMaildir || name == "cur" || name == "new" { try read(path + "/" + name, each: each) }
    }

    private static func fault(_ path: String) -> Fault { Fault(path: path, message: "cannot be read: \(String(cString: strerror(errno)))") }

    private static func readFile(_ path: String, _ each: (String, [UInt8]) throws -> Void) throws {
        guard let file = fopen(path, "re") else { throw fault(path) }
        defer { fclose(file) }
        var lines = Lines(file: file)
        defer { lines.free() }
        var mail: [UInt8] = []
        var number = 0
        var isMbox: Bool?
        var afterEmpty = true
        while let line = lines.next() {
            let isSeparator = afterEmpty && line.starts(with: Array("From ".utf8))
            if isMbox == nil { isMbox = isSeparator }
            if isMbox == true, isSeparator {
                if number > 0 { try each("\(path):\(number)", mail) }
                number += 1
                mail.removeAll(keepingCapacity: mail.capacity < 1 << 20)
            } else if mail.count < maximumMailBytes {
                // mboxrd quotes "From " in a body by one ">" more.
                let quoted = isMbox == true && line.first == UInt8(ascii: ">") && line.drop { $0 == UInt8(ascii: ">") }.starts(with: Array("From ".utf8))
                mail.append(contentsOf: quoted ? line.dropFirst() : line)
            }
            afterEmpty = line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
        }
        guard ferror(file) == 0 else { throw fault(path) }
        if isMbox == true { try each("\(path):\(number)", mail) } else if !mail.isEmpty { try each(path, mail) }
    }

    /// getline(3).
    private struct Lines {
        let file: UnsafeMutablePointer<FILE>
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0

        init(file: UnsafeMutablePointer<FILE>) { self.file = file }

        /// The next line with its end; good until the next call.
        mutating func next() -> Slice<UnsafeRawBufferPointer>? {
            let count = getline(&buffer, &capacity, file)
            guard count > 0, let buffer else { return nil }
            return UnsafeRawBufferPointer(start: buffer, count: count)[...]
        }

        func free() { Glibc.free(buffer) }
    }
}
