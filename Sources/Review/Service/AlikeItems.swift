internal import Ledger
public import Store

extension ReviewService {
    /// The waiting items that can be resolved together with an item, which comes first. They are drafts that the same
    /// template read with the same merchant and direction; drafts without a template, of the same sender, shape,
    /// merchant and direction; or mails of the same shape without a draft. Empty if no other item is alike.
    ///
    /// A draft without a direction is like no other: it cannot be accepted as it was read.
    ///
    /// - Parameter lines: the lines of the whole queue.
    public func alike(_ id: ReviewID, in lines: [ReviewLine]) -> [ReviewLine] {
        guard let line = lines.first(where: { $0.id == id }) else { return [] }
        let others = lines.filter { $0.id != id && $0.isLike(line) }
        return others.isEmpty ? [] : [line] + others
    }

    /// Accepts or rejects several items without an edit, in one transaction and one group of the journal, which an undo
    /// reverts as a whole.
    ///
    /// - Throws: ``ReviewConflict`` if one differs from what the caller has seen; nothing is written then.
    public func resolve(
        _ items: [(id: ReviewID, seen: SeenDraft)], accepting: Bool
    ) throws -> (changed: Int, group: String) where Scope: WriteScope {
        try store.write { store in
            let service = ReviewService<WriteTransaction>(store, by: actor)
            let group = LedgerChange.newGroup()
            let results = try items.map { id, seen in
                accepting
                    ? try service.accept(id, seen: seen, group: group)
                    : try service.reject(id, seen: seen, group: group)
            }
            return (results.count(where: \.changed), group)
        }
    }
}

extension ReviewLine {
    fileprivate func isLike(_ other: ReviewLine) -> Bool {
        if revision != nil, let merchant {
            // Mails of one sender may report different events. A template tells them apart, and the shape without one.
            let isReadAlike = template != nil || sender != nil && sender == other.sender && shape == other.shape
            return isReadAlike && template == other.template && type == other.type
                && merchant.lowercased() == other.merchant?.lowercased()
                && profile == other.profile && !lacksDirection && !other.lacksDirection
        }
        return revision == nil && other.revision == nil && shape != nil && shape == other.shape
    }
}
