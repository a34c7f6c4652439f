import PCRE2

/// The named pieces of `_common.yaml`, taken apart so that each pattern carries only those that it calls: compiling all
/// of them into each of some hundreds of patterns would take half a second and tens of megabytes.
struct CommonPieces: Sendable {
    /// Name to the body of its group.
    private let bodies: [String: String]
    /// Worked out when it is first asked for.
    private let found: Deferred<[String: PatternNeeds]>
    private let calls: [String: [String]]
    private let order: [String]
    /// The bodies of short pieces, and all bodies, with the short pieces that they call written out.
    private let short: [String: String]
    private let written: [String: String]
    /// A longer piece is left where it is: what it costs to call it is little beside what it does.
    private static let shortBytes = 400

    static let none = CommonPieces(define: "")

    /// - Parameter define: `(?(DEFINE) (?<name> …) … )` as in the file; unusable if it does not compile.
    init(define: String) {
        var bodies: [String: String] = [:]
        var written: [String: String] = [:]
        var order: [String] = []
        let bytes = Array(define.utf8)
        var depth = 0
        var open: (name: String, start: Int)?
        PatternSigns.each(in: bytes) { at, sign in
            switch sign {
            case UInt8(ascii: "("):
                // (?(DEFINE) itself is two groups: the conditional, and its condition, which closes at once.
                depth += 1
                if depth == 2, open == nil, bytes[at...].starts(with: Array("(?<".utf8)),
                    let end = bytes[at...].firstIndex(of: UInt8(ascii: ">"))
                {
                    open = (String(decoding: bytes[(at + 3)..<end], as: UTF8.self), end + 1)
                }
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 1, let piece = open {
                    bodies[piece.name] = String(decoding: bytes[piece.start..<at], as: UTF8.self)
                    order.append(piece.name)
                    open = nil
                }
            default: break
            }
        }
        self.bodies = bodies
        self.order = order
        calls = bodies.mapValues(Self.calls)
        found = Deferred { [bodies, order] in
            var needs: [String: PatternNeeds] = [:]
            for name in order { needs[name] = PatternNeeds(of: bodies[name] ?? "", definitions: needs) }
            return needs
        }
        var short: [String: String] = [:]
        for name in order {
            let body = Self.writeOut(bodies[name] ?? "", short)
            written[name] = body
            if body.utf8.count <= Self.shortBytes, PatternAlternatives.isMovable(body) { short[name] = body }
        }
        self.short = short
        self.written = written
    }

    /// The names of the pieces in the order of the file.
    var names: [String] { order }

    /// The needs of each piece. A piece is known only to those behind it in the file.
    var needs: [String: PatternNeeds] { (try? found.get()) ?? [:] }

    /// A `(?(DEFINE)…)` of the pieces that `pattern` calls, directly or through each other; empty where it calls none.
    func prefix(for pattern: String) -> String { definitions(of: Self.calls(in: pattern), bodies) { calls[$0] ?? [] } }

    /// The pattern with its short pieces in the place of their calls, and the others behind it; `nil` where it calls
    /// none. A call takes the matcher several times as long as the same words in place, and behind definitions it does
    /// not look for the first character of a match.
    func writtenOut(_ pattern: String) -> String? {
        guard !Self.calls(in: pattern).isEmpty else { return nil }
        let text = Self.writeOut(pattern, short)
        return "(?:" + text + "\n)"
            + definitions(of: Self.calls(in: text), written) { Self.calls(in: written[$0] ?? "") }
    }

    private func definitions(
        of names: [String], _ bodies: [String: String], calling calls: (String) -> [String]
    ) -> String {
        var wanted = Set<String>()
        var unread = names
        while let name = unread.popLast() {
            if wanted.insert(name).inserted { unread += calls(name) }
        }
        let pieces = order.filter(wanted.contains).map { "(?<\($0)>\(bodies[$0] ?? "")\n)" }
        return pieces.isEmpty ? "" : "(?(DEFINE)" + pieces.joined() + ")\n"
    }

    private static func writeOut(_ text: String, _ pieces: [String: String]) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        PatternSigns.each(in: bytes) { at, sign in
            guard sign == UInt8(ascii: "("), bytes[at...].starts(with: "(?&".utf8),
                let end = bytes[at...].firstIndex(of: UInt8(ascii: ")")),
                let piece = pieces[String(decoding: bytes[(at + 3)..<end], as: UTF8.self)]
            else { return }
            // A comment ends with its line.
            result += bytes[copied..<at]
            result += "(?:\(piece)\n)".utf8
            copied = end + 1
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// The alternatives of a pattern that only has to stand in a text; those of a piece that is one of them are taken
    /// apart, too.
    func alternatives(of pattern: String) -> [String] {
        guard let parts = PatternAlternatives.split(pattern, calling: { bodies[$0] != nil }) else { return [pattern] }
        return parts.flatMap { part in
            guard part.hasPrefix("(?&"), part.hasSuffix(")"), let body = bodies[String(part.dropFirst(3).dropLast())]
            else { return [part] }
            return alternatives(of: body)
        }
    }

    private static func calls(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var names: [String] = []
        for at in bytes.indices
        where bytes[at] == UInt8(ascii: "&") && at >= 2 && bytes[at - 1] == UInt8(ascii: "?")
            && bytes[at - 2] == UInt8(ascii: "(")
        {
            names.append(String(decoding: bytes[(at + 1)...].prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self))
        }
        return names
    }
}
