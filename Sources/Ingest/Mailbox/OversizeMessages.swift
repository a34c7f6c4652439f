import IMAP
import InternetMessage
import Profiles
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
    /// beginning.
    func recordOversize<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        for message in state.fetch.oversize {
            let text: FetchedMessage
            do {
                text = try textOnly(message, &session) ?? message
            } catch let error as IMAPError where error.scope == .folder && !session.isOver {
                text = message
            } catch let error as IMAPError where error.mayConcernOneMessage {
                try suspect(message.uid, error, state.recorder)
                throw error
            }
            let rows = try state.recorder.record([state.recorder.entry(for: text)])
            state.note(BatchCommit(batches: [], entries: 1, rows: rows))
            progress(state.progress)
        }
    }

    /// The message with its text parts only; `nil` if it has none, if they are too long, or if its header is.
    private func textOnly<Stream: ByteStream & ~Copyable>(
        _ message: FetchedMessage, _ session: inout Session<Stream>
    ) throws -> FetchedMessage? {
        guard message.bytes.withUnsafeBytes({ MailReader.headerEnd($0) }) != nil,
            let structure = try session.structure(of: message.uid),
            let text = TextOnlyMessage(structure, limit: session.maximumMessageBytes)
        else { return nil }
        let sections = try session.sections(text.sections, of: message.uid)
        guard let bytes = text.bytes(header: Message(parsing: message.bytes).fieldsWithoutBody, sections: sections)
        else {
            return nil
        }
        var whole = message
        (whole.bytes, whole.isTruncated) = (bytes, false)
        return whole
    }
}

/// A multipart message without its attachments, assembled from its header and its text parts.
struct TextOnlyMessage {
    private indirect enum Node {
        /// A section of the original message, such as `1.2`.
        case text(section: String)
        case multipart(subtype: String, [Node])
    }

    /// Text parts fetched of one message. A bank's alert has two.
    private static let partLimit = 16

    private let root: Node
    /// Sections to fetch: each text part with its MIME header.
    let sections: [String]

    /// - Parameter limit: bytes of all text parts together.
    /// - Returns: `nil` for a message that is not a multipart, has no text, or has too much of it.
    init?(_ structure: BodyStructure, limit: Int) {
        var texts: [String] = []
        var bytes: UInt64 = 0
        guard case .multipart = structure, let root = Self.node(structure, "", &texts, &bytes) else { return nil }
        guard texts.count <= Self.partLimit, bytes <= UInt64(limit) else { return nil }
        self.root = root
        sections = texts.flatMap { ["\($0).MIME", $0] }
    }

    private static func node(
        _ structure: BodyStructure, _ section: String, _ texts: inout [String], _ bytes: inout UInt64
    ) -> Node? {
        switch structure {
        case .part(let part):
            guard part.type == "text", !part.isAttachment else { return nil }
            texts.append(section)
            bytes += min(part.size, UInt64(UInt32.max))
            return .text(section: section)
        case .multipart(let subtype, let parts):
            let nodes = parts.enumerated().compactMap { index, part in
                node(part, section.isEmpty ? "\(index + 1)" : "\(section).\(index + 1)", &texts, &bytes)
            }
            return nodes.isEmpty ? nil : .multipart(subtype: subtype, nodes)
        }
    }

    /// - Parameter header: the fields of the message that do not describe its body.
    /// - Returns: `nil` if a section is missing.
    func bytes(header: [UInt8], sections: [String: [UInt8]]) -> [UInt8]? {
        guard self.sections.allSatisfy({ sections[$0] != nil }) else { return nil }
        // No text may contain the line that separates the parts.
        var number = 0
        while sections.values.contains(where: { $0.contains(Array("text-only-\(number)-".utf8)) }) { number += 1 }
        var bytes = header + Array("MIME-Version: 1.0\r\n".utf8)
        var depth = 0
        write(root, "text-only-\(number)-", &depth, sections, to: &bytes)
        return bytes
    }

    private func write(
        _ node: Node, _ prefix: String, _ count: inout Int, _ sections: [String: [UInt8]], to bytes: inout [UInt8]
    ) {
        switch node {
        case .text(let section):
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
