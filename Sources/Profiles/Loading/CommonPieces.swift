import PCRE2

/// Named pieces of `_common.yaml`, stored separately so that each pattern carries only the pieces that it calls.
/// Compiling all of them into several hundred patterns would take half a second and tens of megabytes.
struct CommonPieces: Sendable {
    /// Bodies of the groups by name.
    private let bodies: [String: String]
    /// Requirements, computed on first use.
    private let found: Deferred<[String: PatternNeeds]>
    private let calls: [String: [String]]
    private let order: [String]
    /// Bodies of short pieces, and all bodies with their calls of short pieces expanded.
    private let short: [String: String]
    private let written: [String: String]
    /// Longer pieces are not expanded: a call is cheap compared with their matching.
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
                if depth == 2, open == nil, let name = Self.name(bytes, ofGroupAt: at) {
                    open = (String(decoding: name, as: UTF8.self), name.endIndex + 1)
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

    /// The name of `(?<name>`; `nil` for `(?<=`, `(?<!` and any other group.
    private static func name(_ bytes: [UInt8], ofGroupAt at: Int) -> ArraySlice<UInt8>? {
        guard bytes[at...].starts(with: "(?<".utf8) else { return nil }
        let name = bytes[(at + 3)...].prefix { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "_")
        }
        let isNamed = !name.isEmpty && name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ">")
        return isNamed ? name : nil
    }

    /// The names of the pieces in the order of the file.
    var names: [String] { order }

    /// Requirements of each piece. A piece can call only earlier ones in the file.
    var needs: [String: PatternNeeds] { (try? found.get()) ?? [:] }

    /// A `(?(DEFINE)…)` of the pieces that `pattern` calls, directly or indirectly; empty if it calls none.
    func prefix(for pattern: String) -> String { definitions(of: Self.calls(in: pattern), bodies) { calls[$0] ?? [] } }

    /// The pattern with its short pieces expanded, and the others appended; `nil` if it calls none. A call takes
    /// several times as long as the expanded words, and with definitions in front PCRE2 does not optimise the first
    /// character of a match.
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

    /// Alternatives of a pattern that is only searched for; a piece that is one of them is split, too.
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
