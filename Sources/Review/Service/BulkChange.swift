internal import Ledger
public import Store

/// One change of many transactions.
public enum BulkAction: Hashable, Sendable {
    case edit(TransactionEdit)
    case addTag(String)
    case removeTag(String)
    /// Gives this tag in place of the other one.
    case replaceTag(String, with: String)
    /// The payee of this name, which is made if there is none.
    case payee(String)
    case delete
}

/// The transactions of a change: those with these numbers, or all that a query selects.
public enum BulkSelection: Hashable, Sendable {
    case ids([Int64])
    case query(TransactionQuery)

    /// Limit of transactions in one change, which holds the write lock for a second or two.
    public static let maximum = 10_000
}

/// The result of a change of many transactions, or of its preview.
public struct BulkResult: Sendable {
    public struct Refusal: Hashable, Sendable {
        public var id: Int64
        /// The reason and the remedy.
        public var reason: String
    }

    /// The selected transactions, newest first.
    public var selected: [Int64]
    /// Those that changed; the others had the value already, or were refused.
    public var changed: [Int64] = []
    /// Those that cannot be changed in this way, such as a split payment's category. They stay as they are.
    public var refused: [Refusal] = []
    /// The group of all changes in the journal, for one undo.
    public let group: String
}

/// The number of selected transactions differs from the one that the caller has seen.
public struct BulkConflict: Error {
    public let selected: Int
}

/// More transactions are selected than one change may have.
public struct BulkTooLarge: Error {
    public let selected: Int
}

/// Ends the transaction of a preview.
fileprivate struct Rollback: Error {
    let result: BulkResult
}

extension BulkAction {
    /// A tag keeps the spelling that other transactions have, so another one needs the old one gone everywhere.
    fileprivate var steps: [BulkAction] {
        guard case .replaceTag(let old, let new) = self, old.lowercased() == new.lowercased() else { return [self] }
        return old == new ? [] : [.removeTag(old), .addTag(new)]
    }
}

extension ReviewService where Scope: WriteScope {
    /// Changes many transactions in one database transaction and one group of the journal.
    ///
    /// - Parameter expecting: the number of selected transactions that the caller has seen.
    /// - Throws: ``BulkConflict`` or ``BulkTooLarge``, and nothing is written then; `invalid` for a value that no
    ///   transaction can have.
    public func change(
        all selection: BulkSelection, _ action: BulkAction, expecting count: Int?
    ) throws -> BulkResult {
        try store.write { store in
            let selected = try Self.ids(selection, in: store)
            if let count, selected.count != count { throw BulkConflict(selected: selected.count) }
            var result = BulkResult(selected: selected, group: LedgerChange.newGroup())
            guard !selected.isEmpty else { return result }
            for step in try resolved(action, &result, in: store).steps {
                for id in selected { try change(id, step, &result, in: store) }
            }
            result.changed = selected.filter(Set(result.changed).contains)
            return result
        }
    }

    /// The result that ``change(all:_:expecting:)`` would have. Nothing is written.
    public func preview(all selection: BulkSelection, _ action: BulkAction) throws -> BulkResult {
        do {
            return try store.write { store in
                throw Rollback(
                    result: try ReviewService<WriteTransaction>(store, by: actor)
                        .change(all: selection, action, expecting: nil))
            }
        } catch let rollback as Rollback {
            return rollback.result
        }
    }

    private func change(
        _ id: Int64, _ step: BulkAction, _ result: inout BulkResult, in store: WriteTransaction
    ) throws {
        do throws(StoreError) {
            if try change(id, step, result.group, in: store) { result.changed.append(id) }
        } catch {
            guard error.kind == .conflict || error.kind == .invalid else { throw error }
            result.refused.append(.init(id: id, reason: error.fields.first?.detail ?? error.message))
        }
    }

    /// Finds or makes what the action names.
    private func resolved(
        _ action: BulkAction, _ result: inout BulkResult, in store: WriteTransaction
    ) throws -> BulkAction {
        guard case .payee(let name) = action else { return action }
        let isNew = try store.payees.find(named: name) == nil
        let payee = try store.payees.named(name, by: actor, group: result.group).id
        if isNew {
            // A new payee takes the transactions that print its name at once.
            result.changed = try result.selected.filter { try store.transactions.find($0)?.payeeID == payee }
        }
        var edit = TransactionEdit()
        edit.payeeID = .set(payee)
        return .edit(edit)
    }

    private func change(
        _ id: Int64, _ action: BulkAction, _ group: String, in store: WriteTransaction
    ) throws(StoreError) -> Bool {
        if action == .delete { return try store.transactions.delete(id, by: actor, group: group) }
        guard let row = try store.transactions.find(id) else { return false }
        var edit = TransactionEdit()
        switch action {
        case .edit(let wanted): edit = wanted
        case .addTag(let tag): edit.tags = Tag.unique(row.tags + [tag])
        case .removeTag(let tag): edit.tags = row.tags.filter { $0.lowercased() != tag.lowercased() }
        case .replaceTag(let old, let new):
            guard row.tags.contains(where: { $0.lowercased() == old.lowercased() }) else { return false }
            edit.tags = Tag.unique([new] + row.tags.filter { $0.lowercased() != old.lowercased() })
        case .payee, .delete: return false
        }
        return try store.transactions.change(id, edit, by: actor, group: group).revision != row.revision
    }

    private static func ids(_ selection: BulkSelection, in store: WriteTransaction) throws -> [Int64] {
        let ids: [Int64]
        switch selection {
        case .ids(let numbers): ids = numbers
        case .query(let query): ids = try store.transactions.ids(query, limit: BulkSelection.maximum + 1)
        }
        guard ids.count <= BulkSelection.maximum else { throw BulkTooLarge(selected: ids.count) }
        return ids
    }
}
