public import Chronology
internal import InternetMessage
public import Ledger
public import Store

/// The operations on the review queue that the page, the API, the terminal screen and the commands share.
///
/// Over a snapshot, it only reads. Every operation that changes something is one database transaction: what it checks
/// cannot change before it writes.
public struct ReviewService<Scope: ReadScope> {
    let store: Scope
    /// The author of every change that is made through this value.
    let actor: Actor

    public init(_ store: Scope, by actor: Actor = .terminal) {
        self.store = store
        self.actor = actor
    }

    /// Items that wait, oldest first.
    /// - Parameter shape: restricts the list to mails of one shape, see `MailRow.shape`.
    public func list(limit: Int, shape: String? = nil) throws(StoreError) -> [ReviewItem] {
        try store.review.queue(limit: limit, shape: shape)
    }

    /// The number of items that wait.
    /// - Parameter shape: restricts it to mails of one shape, see `MailRow.shape`.
    public func count(shape: String? = nil) throws(StoreError) -> Int { try store.review.count(shape: shape) }

    /// The same items as lines, without their reasons.
    /// - Returns: at most `limit` lines, and the number of items that wait in all.
    public func lines(limit: Int = 1000) throws(StoreError) -> (lines: [ReviewLine], total: Int) {
        try store.review.lines(limit: limit)
    }

    /// The item that follows `id` in the queue; the first one if `id` does not wait. `nil` at the end.
    public func next(after id: ReviewID) throws(StoreError) -> ReviewID? {
        try QueueNeighbours(of: id, in: store.review.lines().lines).next
    }

    /// One item, decided or not; `nil` if there is none.
    public func item(_ id: ReviewID) throws(StoreError) -> ReviewItem? { try store.review.item(id) }

    /// One item with its mail's text; `nil` if there is none. Parses the mail.
    public func content(_ id: ReviewID) throws(StoreError) -> ReviewItemContent? {
        guard let item = try store.review.item(id) else { return nil }
        let provenance = item.transaction?.provenance ?? item.mail?.provenance
        var text: [UInt8]?
        if let mail = item.mail { text = try mailText(mail.id) }
        return ReviewItemContent(
            item, id: id, text: text, spans: try store.review.spans(in: provenance),
            categoryReason: item.transaction?.categoryWhy, home: store.homeCurrency)
    }

    /// The mail of an item, for a template. Parses the mail.
    ///
    /// - Throws: ``TemplateEditorError`` if there is none, or its bytes are not retained.
    public func reviewedMail(_ id: ReviewID) throws -> ReviewedMail { try ReviewedMail(id, in: store) }

    /// The mail that a row was read from; `nil` if the ledger does not have it. Parses the mail.
    /// - Parameter provenance: gives the words of each field; the mail's own if `nil`.
    public func mailSource(ofMail id: String?, provenance: String?) throws(StoreError) -> MailSource? {
        guard let id, let mail = try store.mails.find(id) else { return nil }
        return MailSource(
            sender: mail.fromAddress ?? "", subject: mail.subject ?? "", arrived: mail.receivedAt ?? mail.sentAt,
            text: try mailText(id), spans: try store.review.spans(in: provenance ?? mail.provenance))
    }

    /// The canonical text of a mail; `nil` if its bytes are not retained.
    private func mailText(_ id: String) throws(StoreError) -> [UInt8]? {
        guard let bytes = try store.mails.raw(ofMail: id) else { return nil }
        return Message(parsing: bytes).text.bytes
    }
}

extension ReviewService: Sendable where Scope: Sendable {}

/// The mail of a transaction, with the words that each field was read from.
public struct MailSource: Sendable {
    public var sender: String
    public var subject: String
    /// `nil` if neither the server nor the mail gives it.
    public var arrived: UnixTime?
    /// The canonical text; `nil` if the mail's bytes are not retained.
    public var text: [UInt8]?
    /// Byte offsets into `text`.
    public var spans: [Field: Range<Int>]

    public init(sender: String, subject: String, arrived: UnixTime?, text: [UInt8]?, spans: [Field: Range<Int>]) {
        self.sender = sender
        self.subject = subject
        self.arrived = arrived
        self.text = text
        self.spans = spans
    }
}

/// The items before and after one in the queue.
public struct QueueNeighbours {
    /// From 0; `nil` if the item does not wait.
    public let position: Int?
    public let previous: ReviewID?
    public let next: ReviewID?

    public init(of id: ReviewID, in lines: [ReviewLine]) {
        position = lines.firstIndex { $0.id == id }
        previous = position.flatMap { $0 > 0 ? lines[$0 - 1].id : nil }
        let following = position.map { $0 + 1 } ?? 0
        next = following < lines.count ? lines[following].id : nil
    }
}
