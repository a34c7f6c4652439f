import IMAP
import InternetMessage
import Profiles
import Settings
import Store

/// Messages above the size limit, as a rule because of an attachment: their text parts are fetched alone.
extension FolderPass {
    /// Bytes kept of the beginning of an oversize message, for its header.
    private static let keptBytes = 256 << 10
    /// Oversize messages of one fetch that are set aside. Further ones are decided by their beginning.
    private static let limit = 64

    /// Sets a truncated message of a bank aside for ``recordOversize(_:_:)``.
    func setsAside(_ message: FetchedMessage, _ state: inout PassState) -> Bool {
        guard message.isTruncated, state.fetch.oversize.count < Self.limit else { return false }
        var message = message
        message.bytes = Array(message.bytes.prefix(Self.keptBytes))
        let header = Message(parsing: message.bytes)
        guard intake.profiles.claim(header).sender.bank != nil else { return false }
        state.fetch.oversize.append(message)
        state.fetch.unresolved.insert(message.uid)
        return true
    }

    /// Decides the messages that were set aside by their text parts, or, if these cannot be fetched, by their
    /// beginning. The files of a statement are fetched, too, within the limit of a message.
    func recordOversize<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        for message in state.fetch.oversize {
            var found = message
            var lacksFiles = false
            do {
                found = try assembled(message, &session, withFiles: false) ?? message
                if StatementAttachments.areExpected(state.recorder.entry(for: found).decision) {
                    lacksFiles = intake.decisions.keepsRaw
                    if let whole = try assembled(message, &session, withFiles: true) {
                        (found, lacksFiles) = (whole, false)
                    }
                }
            } catch let error as IMAPError where error.scope == .folder && !session.isOver {
                // Decided by what was fetched before.
            } catch let error as IMAPError where error.mayConcernOneMessage {
                try suspect(message.uid, error, state.recorder)
                throw error
            }
            var entry = state.recorder.entry(for: found)
            if lacksFiles { entry.files = [MailEntry.File(name: nil, bytes: nil)] }
            let rows = try state.recorder.record([entry])
            state.note(BatchCommit(batches: [], entries: 1, rows: rows))
            progress(state.progress)
        }
    }

    /// The message with its text parts, and its files if they are wanted; `nil` if it has no text, if it is too long,
    /// or if its header is.
    private func assembled<Stream: ByteStream & ~Copyable>(
        _ message: FetchedMessage, _ session: inout Session<Stream>, withFiles: Bool
    ) throws -> FetchedMessage? {
        guard message.bytes.withUnsafeBytes({ MailReader.headerEnd($0) }) != nil,
            let structure = try session.structure(of: message.uid),
            let parts = PartialMessage(structure, limit: session.maximumMessageBytes, withFiles: withFiles)
        else { return nil }
        let sections = try session.sections(parts.sections, of: message.uid)
        guard let bytes = parts.bytes(header: Message(parsing: message.bytes).fieldsWithoutBody, sections: sections)
        else { return nil }
        var whole = message
        (whole.bytes, whole.isTruncated) = (bytes, false)
        return whole
    }
}

/// A multipart message with its text parts, and with those of its files that fit, assembled from its header and its
/// sections.
struct PartialMessage {
    private indirect enum Node {
        /// A section of the original message, such as `1.2`.
        case text(section: String)
        /// A file; one that is not fetched keeps its MIME header, which names it.
        case file(section: String)
        case multipart(subtype: String, [Node])
    }

    /// Text parts fetched of one message. A bank's alert has two.
    private static let textLimit = 16

    private let root: Node
    /// Sections to fetch: each part with its MIME header.
    let sections: [String]

    /// - Parameters:
    ///   - limit: bytes of all fetched parts together.
    ///   - withFiles: true to fetch the files, too.
    /// - Returns: `nil` for a message that is not a multipart, has no text, or has too much of it.
    init?(_ structure: BodyStructure, limit: Int, withFiles: Bool = false) {
        var parts: (texts: [String], files: [(section: String, size: UInt64)]) = ([], [])
        var bytes: UInt64 = 0
        guard case .multipart = structure, let root = Self.node(structure, "", withFiles, &parts, &bytes),
            !parts.texts.isEmpty, parts.texts.count <= Self.textLimit, bytes <= UInt64(limit)
        else { return nil }
        self.root = root
        var sections = parts.texts.flatMap { ["\($0).MIME", $0] }
        for file in parts.files {
            sections.append("\(file.section).MIME")
            guard bytes + file.size <= UInt64(limit) else { continue }
            bytes += file.size
            sections.append(file.section)
        }
        self.sections = sections
    }

    private static func node(
        _ structure: BodyStructure, _ section: String, _ withFiles: Bool,
        _ parts: inout (texts: [String], files: [(section: String, size: UInt64)]), _ bytes: inout UInt64
    ) -> Node? {
        switch structure {
        case .part(let part):
            let size = min(part.size, UInt64(UInt32.max))
            if part.type == "text", !part.isAttachment {
                parts.texts.append(section)
                bytes += size
                return .text(section: section)
            }
            guard withFiles, part.type != "message", parts.files.count < StatementAttachments.mostFiles else {
                return nil
            }
            parts.files.append((section, size))
            return .file(section: section)
        case .multipart(let subtype, let children):
            let nodes = children.enumerated().compactMap { index, child in
                node(child, section.isEmpty ? "\(index + 1)" : "\(section).\(index + 1)", withFiles, &parts, &bytes)
            }
            return nodes.isEmpty ? nil : .multipart(subtype: subtype, nodes)
        }
    }

    /// - Parameter header: the fields of the message that do not describe its body.
    /// - Returns: `nil` if a text is missing.
    func bytes(header: [UInt8], sections: [String: [UInt8]]) -> [UInt8]? {
        guard hasTexts(root, sections) else { return nil }
        // No part may contain the line that separates the parts.
        var number = 0
        while sections.values.contains(where: { $0.contains(Array("text-only-\(number)-".utf8)) }) { number += 1 }
        var bytes = header + Array("MIME-Version: 1.0\r\n".utf8)
        var depth = 0
        write(root, "text-only-\(number)-", &depth, sections, to: &bytes)
        return bytes
    }

    private func hasTexts(_ node: Node, _ sections: [String: [UInt8]]) -> Bool {
        switch node {
        case .text(let section): sections["\(section).MIME"] != nil && sections[section] != nil
        case .file: true
        case .multipart(_, let nodes): nodes.allSatisfy { hasTexts($0, sections) }
        }
    }

    private func write(
        _ node: Node, _ prefix: String, _ count: inout Int, _ sections: [String: [UInt8]], to bytes: inout [UInt8]
    ) {
        switch node {
        case .text(let section), .file(let section):
            bytes += sections["\(section).MIME"] ?? []
            bytes += sections[section] ?? []
        case .multipart(let subtype, let nodes):
            count += 1
            let boundary = prefix + String(count)
            let isPlain = subtype == "alternative" || subtype == "related"
            bytes += Array(
                "Content-Type: multipart/\(isPlain ? subtype : "mixed"); boundary=\"\(boundary)\"\r\n\r\n".utf8)
            for node in nodes {
                bytes += Array("\r\n--\(boundary)\r\n".utf8)
                write(node, prefix, &count, sections, to: &bytes)
            }
            bytes += Array("\r\n--\(boundary)--\r\n".utf8)
        }
    }
}
