public import Store

/// The state of an item that a caller has seen. A change is refused if the item differs by now.
public enum SeenDraft: Hashable, Sendable {
    /// The draft in this revision.
    case revision(Int64)
    /// A mail without a draft.
    case noDraft
    /// The caller has no expectation.
    case anything

    /// The state of an item that was just read.
    public init(_ item: ReviewItem) { self = item.transaction.map { .revision($0.revision) } ?? .noDraft }

    /// - Throws: ``ReviewConflict`` if `item` is in another state.
    func check(_ item: ReviewItem, _ id: ReviewID) throws(ReviewConflict) {
        guard self != .anything, self != SeenDraft(item) else { return }
        throw ReviewConflict(id: id, seen: self, current: item.transaction?.revision)
    }
}

/// An item that has changed since the caller saw it. Nothing was written.
public struct ReviewConflict: Error, Hashable, Sendable, CustomStringConvertible {
    public let id: ReviewID
    public let seen: SeenDraft
    /// The revision of the draft now; `nil` if there is no draft.
    public let current: Int64?

    public var description: String {
        let now = current.map { "revision \($0)" } ?? "no draft"
        let before =
            switch seen {
            case .revision(let revision): "revision \(revision)"
            case .noDraft, .anything: "no draft"
            }
        return "\(id) has changed since it was shown: it has \(now), not \(before); review it again"
    }
}
