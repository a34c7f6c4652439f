import Glibc

/// One message of a file. Its bytes are valid only inside the callback.
public struct ArchivedMail {
    /// Header and body. A message that is too long is truncated, or has no attachments; an unwanted message may have
    /// only its header.
    public let bytes: UnsafeRawBufferPointer
    /// True if the attachments are left out of `bytes`.
    public var isWithoutAttachments = false
    /// The length of the whole message in bytes.
    public let size: UInt64
    /// The number in an mbox file, from 1; 0 if the file is one message.
    public let number: Int
    /// The offset of the byte after this message; in a packed file the packed bytes read so far.
    public internal(set) var end: Int64
    /// The caller's answer for the header.
    public let isWanted: Bool
    /// False for a separate file without any header field of a mail.
    public var isMail = true
    /// The name in a packed file, possibly empty; `nil` if the file is not packed.
    public internal(set) var member: String?

    /// The message as a person finds it: the path, the name in a packed file, and the number in an mbox file.
    public func name(in path: String) -> String {
        path + (member.map { $0.isEmpty ? "" : ":" + $0 } ?? "") + (number > 0 ? ":\(number)" : "")
    }

    public var isCut: Bool { size > UInt64(bytes.count) && isWanted && !isWithoutAttachments }

    /// Calls `body` with the message, in the form in which it can be read.
    fileprivate func read<Result>(
        withoutAttachments text: [UInt8]?, _ body: (ArchivedMail) throws -> Result
    ) rethrows -> Result {
        guard let text, isWanted else { return try body(self) }
        return try text.withUnsafeBytes { bytes in
            try body(
                ArchivedMail(
                    bytes: bytes, isWithoutAttachments: true, size: size, number: number, end: end, isWanted: true))
        }
    }
}

/// A file that cannot be read, with the reason.
public struct ArchiveFault: Error, CustomStringConvertible, Sendable {
    public let path: String
    public let message: String
    public var description: String { "\(path): \(message)" }

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// With the message of `errno`.
    init(_ path: String) { self.init(path, "cannot be read: \(String(cString: strerror(errno)))") }
}

/// Reads mail files: single messages (`.eml`, the files of a Maildir) and mbox files (RFC 4155) of any length, with the
/// memory of one message. For one thread.
public final class MailReader {
    /// Bytes kept of one message. The daemon fetches no more from a server either.
    public static let maximumMailBytes = 8 << 20
    /// Bytes per read.
    static let chunk = 1 << 20
    /// Maximum length of a header: the file may not be a message.
    static let headerBytes = 256 << 10

    var window: FileWindow
    private let unpack: Unpack?

    /// - Parameters:
    ///   - maximumMailBytes: lower in tests.
    ///   - unpack: opens packed files; without it they are read as they are.
    public init(maximumMailBytes: Int = MailReader.maximumMailBytes, unpack: Unpack? = nil) {
        window = FileWindow(keep: maximumMailBytes)
        self.unpack = unpack
    }

    /// Reads every message of a file.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - offset: the beginning of a message in an mbox file, or 0.
    ///   - isWanted: called with the header of each message. The body of an unwanted message in a separate file is
    ///     not read.
    ///   - each: returns false to end.
    /// - Returns: true for an mbox file.
    @discardableResult
    public func read(
        _ path: String, from offset: Int64 = 0, isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true },
        each: (ArchivedMail) throws -> Bool
    ) throws -> Bool {
        let descriptor = try Self.open(path)
        defer { close(descriptor) }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) != off_t(offset) { throw ArchiveFault(path) }
        window.attach(descriptor, path, at: offset)
        try window.fill(4096)
        if offset == 0, let packed = try opened(descriptor, path) {
            try readMembers(of: packed, path, isWanted, each)
            return false
        }
        if MboxSeparator.begins(window.bytes, 0, isFirst: true) == .yes {
            try readMbox(isWanted, each)
            return true
        }
        guard offset == 0 else {
            throw ArchiveFault(path, "has no mail where the last import ended: it was changed meanwhile")
        }
        try readMail(isWanted, each)
        return false
    }

    /// Reads every message of a file in memory, which is not unpacked.
    func read(_ file: [UInt8], named name: String, each: (ArchivedMail) throws -> Bool) throws {
        try readMembers(of: FileInMemory(file), name, { _ in true }, each)
    }

    private func opened(_ descriptor: Int32, _ path: String) throws(ArchiveFault) -> (any PackedMembers)? {
        do { return try unpack?(descriptor, window.bytes) } catch { throw ArchiveFault(path, "\(error)") }
    }

    private func readMembers(
        of packed: any PackedMembers, _ path: String, _ isWanted: (UnsafeRawBufferPointer) -> Bool,
        _ each: (ArchivedMail) throws -> Bool
    ) throws {
        var goesOn = true
        while goesOn {
            let name: String?
            do { name = try packed.nextMember() } catch { throw ArchiveFault(path, "\(error)") }
            guard let name else { return }
            func report(_ mail: ArchivedMail) throws -> Bool {
                var mail = mail
                (mail.member, mail.end) = (name, packed.position)
                goesOn = try each(mail)
                return goesOn
            }
            window.attach(packed, path)
            try window.fill(4096)
            if MboxSeparator.begins(window.bytes, 0, isFirst: true) == .yes {
                try readMbox(isWanted, report)
            } else {
                try readMail(isWanted, report)
            }
        }
    }

    /// Reads a file that is one message, with any first line.
    func readMail(
        _ path: String, isWanted: (UnsafeRawBufferPointer) -> Bool, each: (ArchivedMail) throws -> Void
    ) throws {
        let descriptor = try Self.open(path)
        defer { close(descriptor) }
        window.attach(descriptor, path, at: 0)
        try readMail(isWanted) {
            try each($0)
            return true
        }
    }

    private static func open(_ path: String) throws(ArchiveFault) -> Int32 {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ArchiveFault(path) }
        // A pipe in a folder must not block the walk; standard input may be one.
        var status = stat()
        guard path == "-" || (fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG) else {
            close(descriptor)
            throw ArchiveFault(path, "is not a file")
        }
        return descriptor
    }

    private func readMail(_ isWanted: (UnsafeRawBufferPointer) -> Bool, _ each: (ArchivedMail) throws -> Bool) throws {
        var length = Self.headerEnd(window.bytes)
        while length == nil, window.bytes.count < Self.headerBytes, try window.more() {
            length = Self.headerEnd(window.bytes)
        }
        if window.bytes.isEmpty { return }
        let header = UnsafeRawBufferPointer(rebasing: window.bytes.prefix(length ?? window.bytes.count))
        let isMail = MailSigns.areIn(header)
        let wanted = isWanted(header)
        if wanted { while window.bytes.count <= window.keep, try window.more() {} }
        let size = try wanted && window.bytes.count > window.keep ? window.readToEnd() : UInt64(window.bytes.count)
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes.prefix(window.keep))
        var mail = ArchivedMail(bytes: bytes, size: size, number: 0, end: Int64(clamping: size), isWanted: wanted)
        mail.isMail = isMail
        _ = try mail.read(withoutAttachments: window.mailWithoutAttachments, each)
    }

    private func readMbox(_ isWanted: (UnsafeRawBufferPointer) -> Bool, _ each: (ArchivedMail) throws -> Bool) throws {
        var number = 0
        while try window.nextMail() {
            number += 1
            let bytes = window.mail
            let wanted = isWanted(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.headerEnd(bytes) ?? bytes.count)))
            let mail = ArchivedMail(
                bytes: bytes, size: window.mailSize, number: number, end: window.mailEnd, isWanted: wanted)
            guard try mail.read(withoutAttachments: window.mailWithoutAttachments, each) else { return }
        }
    }

    /// The offset of the body; `nil` if the header does not end in `bytes`.
    static func headerEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var from = 0
        while let at = find("\n", in: bytes, from: from) {
            if at + 1 < bytes.count, bytes[at + 1] == 0x0A { return at + 2 }
            if at + 2 < bytes.count, bytes[at + 1] == 0x0D, bytes[at + 2] == 0x0A { return at + 3 }
            if at == 0 { return 1 }
            from = at + 1
        }
        return nil
    }
}
