import Console
import Settings
import YAMLSource

/// A configuration with one more mailbox. Every other line stays as it is.
struct ConfigurationDraft {
    let file: YAMLFile
    /// Position in `mailboxes` of the example, which the new one replaces.
    let replacing: Int?

    /// - Parameter file: a configuration that can be read.
    init(_ file: YAMLFile) throws(SourceError) {
        self.file = file
        var replacing: Int?
        for (index, node) in try Self.items(file).enumerated() where replacing == nil {
            if try node.mapping()["user"]?.string() == ExampleConfiguration.user { replacing = index }
        }
        self.replacing = replacing
    }

    /// Names of the mailboxes and Maildirs that stay.
    func names() throws(SourceError) -> [String] {
        var names: [String] = []
        for (index, node) in try Self.items(file).enumerated() where index != replacing {
            names.append(try node.mapping().require("name").string())
        }
        return names
    }

    /// Returns the configuration with the mailbox, which is checked by reading it.
    func adding(_ mailbox: MailboxDraft) throws -> (file: YAMLFile, settings: Settings) {
        let lines = try lines(adding: mailbox)
        let result = YAMLFile(path: file.path, bytes: Array(lines.joined(separator: [Self.newline])))
        let settings = try Settings(result)
        let (expected, got) = (
            try names() + [mailbox.name], settings.mailboxes.map(\.name) + settings.maildirs.map(\.name)
        )
        guard got.sorted() == expected.sorted() else { throw refusal(mailbox) }
        return (result, settings)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")

    private static func items(_ file: YAMLFile) throws(SourceError) -> [YAMLNode] {
        try file.root().mapping()["mailboxes"]?.list() ?? []
    }

    private func lines(adding mailbox: MailboxDraft) throws -> [[UInt8]] {
        var lines = file.bytes.split(separator: Self.newline, omittingEmptySubsequences: false).map(Array.init)
        let items = try Self.items(file)
        guard let item = replacing.map({ items[$0] }) ?? items.first else {
            let new = [Array("mailboxes:".utf8)] + Self.bytes(mailbox, indentation: 2)
            if let key = try file.root().mapping().keys.first(where: { $0.name == "mailboxes" })?.place.line {
                lines.replaceSubrange(key - 1..<key, with: new)
            } else {
                if lines.last == [] { lines.removeLast() }
                lines += [[]] + new + [[]]
            }
            return lines
        }
        // The item's column is that of its first key, after the dash and a blank.
        let (start, indentation) = (item.line - 1, item.column - 3)
        guard lines.indices.contains(start), indentation >= 0,
            lines[start].dropFirst(indentation).starts(with: "- ".utf8)
        else { throw refusal(mailbox) }
        let new = Self.bytes(mailbox, indentation: indentation)
        let end = replacing == nil ? start : Self.end(ofItemAt: start, indentation, lines)
        lines.replaceSubrange(start..<end, with: replacing == nil ? new + [[]] : new)
        return lines
    }

    private static func bytes(_ mailbox: MailboxDraft, indentation: Int) -> [[UInt8]] {
        mailbox.lines(indentation: indentation).map { Array($0.utf8) }
    }

    /// The line after the last one that is indented further than the dash. Empty lines do not end an item.
    private static func end(ofItemAt start: Int, _ indentation: Int, _ lines: [[UInt8]]) -> Int {
        var end = start + 1
        for number in end..<max(end, lines.count) {
            guard let first = lines[number].firstIndex(where: { $0 != blank && $0 != UInt8(ascii: "\r") }) else {
                continue
            }
            guard first > indentation else { break }
            end = number + 1
        }
        return end
    }

    private func refusal(_ mailbox: MailboxDraft) -> Refused {
        Refused(
            "\(file.path): the mailbox cannot be added here without changing something else. Add it by hand to "
                + "'mailboxes':\n" + mailbox.lines(indentation: 2).joined(separator: "\n"))
    }
}
