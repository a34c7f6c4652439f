/// Messages in files, for tools that only read: single messages (`.eml`), mbox files and Maildirs.
public enum MailArchive {
    /// Calls `each` for every message at `path`: a file, a Maildir, or a folder of these, in the order of their names;
    /// `-` is standard input. The name is the path, with the number of the message in an mbox file. A message that is
    /// too long is truncated.
    ///
    /// - Parameter unpack: opens packed files; without it they are read as they are.
    public static func read(
        _ path: String, unpack: Unpack? = nil, each: (_ name: String, _ bytes: [UInt8]) throws -> Void
    ) throws {
        let reader = MailReader(unpack: unpack)
        func read(_ file: String) throws {
            try reader.read(file) { mail in
                try each(
                    mail.name(in: file),
                    mail.number > 0 ? MboxSeparator.unquoted(mail.bytes) ?? Array(mail.bytes) : Array(mail.bytes))
                return true
            }
        }
        if path == "-" { return try read(path) }
        var first: ArchiveFault?
        try ArchiveWalk(root: path).files {
            first = first ?? $0
        } each: { file in
            try read(file.path)
            return true
        }
        if let first { throw first }
    }
}
