import Codecs
internal import GRDB

/// End of a page, as the text that a client sends for the next one.
struct PageCursor: Equatable {
    /// Number of the last booked row when the first page was read.
    var newest: Int64
    /// The number of rows on all pages; `nil` if they were not counted.
    var total: Int?
    var key: DatabaseValue
    var id: Int64

    init(newest: Int64, total: Int?, key: DatabaseValue, id: Int64) {
        self.newest = newest
        self.total = total
        self.key = key
        self.id = id
    }

    init?(_ text: String, of query: TransactionQuery) {
        // Hexadecimal needs no escaping in URLs.
        guard text.utf8.count <= 4096, let bytes = Hexadecimal.bytes(text),
            let plain = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = plain.split(separator: "\u{1F}", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == Self.mark(query), let newest = Int64(parts[1]), let id = Int64(parts[3])
        else { return nil }
        self.newest = newest
        total = Int(parts[2]).map { max(0, $0) }
        self.id = id
        let value = String(parts[4])
        switch query.sort {
        case .amount, .id:
            guard let number = Int64(value) else { return nil }
            key = number.databaseValue
        case .confidence:
            guard let number = Double(value), number.isFinite else { return nil }
            key = number.databaseValue
        case .merchant: key = value.isEmpty ? .null : value.databaseValue
        case .date, .category: key = value.databaseValue
        }
    }

    func text(of query: TransactionQuery) -> String {
        let value: String
        switch key.storage {
        case .int64(let number): value = "\(number)"
        case .double(let number): value = "\(number)"
        case .string(let text): value = text
        case .null, .blob: value = ""
        }
        let plain = "\(Self.mark(query))\u{1F}\(newest)\u{1F}\(total.map(String.init) ?? "")\u{1F}\(id)\u{1F}\(value)"
        return Hexadecimal.text(plain.utf8)
    }

    private static func mark(_ query: TransactionQuery) -> String {
        query.sort.rawValue + (query.isDescending ? "-" : "+")
    }
}
