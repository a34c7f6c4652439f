public import Chronology

/// The conditions of a SEARCH. All that are set must hold; without any, every message matches.
public struct SearchCriteria: Hashable, Sendable {
    /// The lowest UID.
    public var first: UID?
    /// The highest UID.
    public var through: UID?
    /// Any of these words in the From field. The server matches substrings of address *and* display name, so check the
    /// sender again.
    public var from: [String]
    /// Parent domains of many words in `from`, each sent in place of those below it: each word costs the server time
    /// for every message.
    public var above: [String]
    /// INTERNALDATE on this day or later, in any zone: subtract a day to be sure.
    public var since: Day?
    /// The same in seconds since 1970, for servers that accept it (Gmail). Messages of the whole day may still match.
    public var sinceInstant: UnixTime?

    public init(
        first: UID? = nil, through: UID? = nil, from: [String] = [], above: [String] = [], since: Day? = nil,
        sinceInstant: UnixTime? = nil
    ) {
        self.first = first
        self.through = through
        self.from = from
        self.above = above
        self.since = since
        self.sinceInstant = sinceInstant
    }
}

extension SearchCriteria {
    /// The wire form: `5:9`, or `5:*` without an upper end.
    var range: String { "\(first ?? .min):\(through?.description ?? "*")" }
}

/// The form of a SEARCH that a server accepts.
enum SearchDialect {
    case standard
    /// One FROM per command, for servers that limit the depth of OR.
    case withoutOr
    /// Gmail's X-GM-RAW, which supports instants and finds domains by index.
    case gmail

    /// Gmail does not document its limit on the length of a query; this many bytes are known to work.
    static let gmailBytes = 1000
}

extension SearchCriteria {
    /// The arguments of as many SEARCH commands as needed to keep each within `limit` bytes. The result is the union of
    /// theirs.
    ///
    /// - Throws: for a word that cannot be sent as a quoted string.
    func commands(limit: Int, _ dialect: SearchDialect = .standard) throws(IMAPError) -> [String] {
        var common: [String] = []
        if first != nil || through != nil { common.append("UID \(range)") }
        if dialect == .gmail, let instant = sinceInstant, !from.isEmpty {
            return try gmailCommands(common, after: instant)
        }
        if let since { common.append("SINCE \(since)") }
        if from.isEmpty { return [common.isEmpty ? "ALL" : common.joined(separator: " ")] }
        let head = common.isEmpty ? "" : common.joined(separator: " ") + " "
        var lists: [[String]] = [[]]
        var length = head.utf8.count
        for word in words {
            let term = "FROM " + (try Self.quoted(word))
            let cost = term.utf8.count + 4
            if length + cost > (dialect == .withoutOr ? 0 : limit), lists[lists.count - 1].isEmpty == false {
                lists.append([])
                length = head.utf8.count
            }
            lists[lists.count - 1].append(term)
            length += cost
        }
        return lists.map { head + Self.anyOf($0[...]) }
    }

    /// `from` without the subdomains of others: a server that matches substrings finds them by the parent, and so does
    /// one that matches whole labels, as full-text indexes do.
    private var words: [String] {
        let all = Set(from).union(above)
        return (above + from).filter { word in
            var rest = word[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if all.contains(String(rest)) { return false }
            }
            return true
        }
    }

    /// A balanced tree of `OR`, which has two operands: servers limit the depth.
    private static func anyOf(_ terms: ArraySlice<String>) -> String {
        if terms.count == 1, let only = terms.first { return only }
        let middle = terms.startIndex + terms.count / 2
        return "OR \(anyOf(terms[..<middle])) \(anyOf(terms[middle...]))"
    }

    /// `X-GM-RAW "after:1767225600 {from:a.example from:b.example}"`: braces mean "any of" (Gmail's search operators).
    private func gmailCommands(_ common: [String], after instant: UnixTime) throws(IMAPError) -> [String] {
        let head = (common + ["X-GM-RAW "]).joined(separator: " ")
        var queries: [[String]] = [[]]
        var length = 0
        for word in from {
            _ = try Self.quoted(word)
            guard word.utf8.allSatisfy({ $0 != 0x20 && $0 != 0x7B && $0 != 0x7D && $0 != 0x28 && $0 != 0x29 }) else {
                // Such a word would change the meaning of the query.
                return try commands(limit: WireLimits.commandBytes, .standard)
            }
            if length > SearchDialect.gmailBytes {
                queries.append([])
                length = 0
            }
            queries[queries.count - 1].append("from:\(word)")
            length += word.utf8.count + 6
        }
        return queries.map { head + "\"after:\(instant.seconds) {\($0.joined(separator: " "))}\"" }
    }

    private static func quoted(_ word: String) throws(IMAPError) -> String {
        guard !word.isEmpty, word.utf8.count <= 255,
            word.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else {
            throw IMAPError(
                .invalidRequest, scope: .mailbox, retry: .afterReconfiguration,
                what: "a sender to search for is empty, longer than 255 bytes or not plain ASCII",
                remedy: "write international domains in their xn-- form in the profiles")
        }
        return "\"\(word)\""
    }

    /// Cuts a result to the range: `first:*` includes the last message even if its UID is lower (RFC 9051 section
    /// 6.4.9), and a server may err.
    func clip(_ found: UIDSet) -> UIDSet {
        let (low, high) = (first ?? .min, through ?? .max)
        guard low <= high else { return UIDSet() }
        return found.intersection(UIDSet(low...high))
    }
}
