/// Which mails to ask the server for. Conditions that are set must all hold; without any, every mail matches.
public struct SearchCriteria: Hashable, Sendable {
    /// The lowest UID wanted.
    public var first: UID?
    /// The highest UID wanted.
    public var through: UID?
    /// Any of these in the From header. The server matches substrings of the address *and* the display name, so check the sender again.
    public var from: [String]
    /// INTERNALDATE on this day or later, whatever the zone: go a day back to be sure.
    public var since: Day?

    public init(first: UID? = nil, through: UID? = nil, from: [String] = [], since: Day? = nil) {
        self.first = first
        self.through = through
        self.from = from
        self.since = since
    }
}

extension SearchCriteria {
    /// The arguments of as many SEARCH commands as it takes to keep each within `limit` bytes; their results are to be united.
    ///
    /// Throws for a word that cannot stand in a quoted string.
    func commands(limit: Int) throws(IMAPError) -> [String] {
        var common: [String] = []
        if let first {
            common.append("UID \(first):\(through.map(\.description) ?? "*")")
        } else if let through {
            common.append("UID 1:\(through)")
        }
        if let since { common.append("SINCE \(since)") }
        if from.isEmpty { return [common.isEmpty ? "ALL" : common.joined(separator: " ")] }
        let head = common.isEmpty ? "" : common.joined(separator: " ") + " "
        var lists: [[String]] = [[]]
        var length = head.utf8.count
        for word in from {
            let term = "FROM " + (try Self.quoted(word))
            let cost = term.utf8.count + 4
            if length + cost > limit, lists[lists.count - 1].isEmpty == false {
                lists.append([])
                length = head.utf8.count
            }
            lists[lists.count - 1].append(term)
            length += cost
        }
        return lists.map { head + Self.anyOf($0[...]) }
    }

    /// `OR` takes two: a balanced tree keeps it shallow, because servers limit the depth.
    private static func anyOf(_ terms: ArraySlice<String>) -> String {
        if terms.count == 1, let only = terms.first { return only }
        let middle = terms.startIndex + terms.count / 2
        return "OR \(anyOf(terms[..<middle])) \(anyOf(terms[middle...]))"
    }

    private static func quoted(_ word: String) throws(IMAPError) -> String {
        guard !word.isEmpty, word.utf8.count <= 255, word.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw IMAPError(
                .invalidRequest, scope: .mailbox, retry: .afterReconfiguration,
                what: "a sender to search for is empty, longer than 255 bytes or not plain ASCII",
                remedy: "write international domains in their xn-- form in the profiles")
        }
        return "\"\(word)\""
    }

    /// `first:*` names the last message even where its UID is lower (RFC 9051 section 6.4.9), and a server may err: cut it to the range.
    func clip(_ found: UIDSet) -> UIDSet {
        let (low, high) = (first ?? .min, through ?? .max)
        guard low <= high else { return UIDSet() }
        return found.intersection(UIDSet(low...high))
    }
}
