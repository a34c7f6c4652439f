/// An error in a file that a user wrote: its place, the message, and a remedy.
///
/// Printed as `FILE:LINE:COLUMN: message`, the line itself, and the remedy.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    public var file: String
    /// From 1; 0 if the error concerns the whole file.
    public var line: Int
    /// From 1, in characters; 0 if the error concerns the whole line.
    public var column: Int
    public var message: String
    /// The line of the error, unchanged.
    public var excerpt: String?
    public var remedy: String?

    public init(
        file: String, line: Int = 0, column: Int = 0, message: String, excerpt: String? = nil, remedy: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.excerpt = excerpt
        self.remedy = remedy
    }

    public var description: String {
        var text = file
        if line > 0 { text += ":\(line)" }
        if line > 0, column > 0 { text += ":\(column)" }
        text += ": \(message)"
        if let excerpt {
            let number = "\(line)"
            text += "\n\(number) | \(excerpt)"
            if column > 0 {
                text +=
                    "\n" + String(repeating: " ", count: number.count) + " | "
                    + String(repeating: " ", count: column - 1) + "^"
            }
        }
        if let remedy { text += "\n\(remedy)" }
        return text
    }
}

/// All errors of a set of files, reported together.
public struct SourceErrors: Error, Sendable, CustomStringConvertible {
    public let errors: [SourceError]

    public init(_ errors: [SourceError]) { self.errors = errors }

    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
