internal import Chronology
internal import GRDB
import Ledger

/// A name in a query that nothing in the ledger has. Such a query selects nothing, or everything if it excludes the
/// name.
public struct UnknownName: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case category, subcategory, tag, payee, account, bank
    }

    public var kind: Kind
    /// As it was written; a number for a payee or an account of a filter.
    public var name: String
}

extension TransactionRepository {
    /// The names of categories, tags, payees, accounts and banks that are neither known nor in a transaction.
    ///
    /// - Parameter banks: the keys of the known banks.
    public func unknownNames(in query: TransactionQuery, banks: [String]) throws(StoreError) -> [UnknownName] {
        let names = NamedCondition.filters(of: query, banks) + NamedCondition.words(of: query, banks)
        guard !names.isEmpty else { return [] }
        let today = today
        return try read { db in
            try names.filter { try !$0.holds(in: db, today) }.map(\.name)
        }
    }
}

/// A condition of a query that names something, and the table of such names.
fileprivate struct NamedCondition {
    var name: UnknownName
    /// Selects the rows with this name alone.
    var query: TransactionQuery
    /// SQL that finds the name without a transaction, with its values; `nil` if only transactions have such names.
    var known: (sql: String, values: [String])?
    var isKnown = false

    func holds(in db: Database, _ today: CalendarDate) throws -> Bool {
        if isKnown { return true }
        if let known, try exists(db, known.sql, StatementArguments(known.values)) { return true }
        let condition = QueryCondition(query, today: today)
        return try exists(db, "SELECT 1 FROM transactions WHERE \(condition.sql)", condition.arguments)
    }

    private func exists(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))", arguments: arguments) ?? false
    }

    static func filters(of query: TransactionQuery, _ banks: [String]) -> [NamedCondition] {
        func one(
            _ kind: UnknownName.Kind, _ name: String?, _ table: String?, isKnown: Bool = false,
            _ change: (inout TransactionQuery) -> Void
        ) -> NamedCondition? {
            guard let name else { return nil }
            var alone = TransactionQuery()
            change(&alone)
            return NamedCondition(
                name: UnknownName(kind: kind, name: name), query: alone, known: table.map { ($0, [name]) },
                isKnown: isKnown)
        }
        return [
            one(.category, query.category, "SELECT 1 FROM categories WHERE name = ?") { $0.category = query.category },
            one(.subcategory, query.subcategory, "SELECT 1 FROM subcategories WHERE name = ?") {
                $0.subcategory = query.subcategory
            },
            one(.tag, query.tag, nil) { $0.tag = query.tag },
            one(.payee, query.payeeID.map { "\($0)" }, "SELECT 1 FROM payees WHERE id = ?") {
                $0.payeeID = query.payeeID
            },
            one(.account, query.userAccountID.map { "\($0)" }, "SELECT 1 FROM user_accounts WHERE id = ?") {
                $0.userAccountID = query.userAccountID
            },
            one(.bank, query.bank, nil, isKnown: query.bank.map(banks.contains) ?? false) { $0.bank = query.bank },
        ].compactMap(\.self)
    }

    static func words(of query: TransactionQuery, _ banks: [String]) -> [NamedCondition] {
        (query.search?.parts ?? []).compactMap { part in
            guard let search = query.search, let name = UnknownName(part.term) else { return nil }
            var alone = TransactionQuery()
            alone.search = search.only(part.term)
            let pattern = QueryCondition.pattern(name.name.replacing(" ", with: ""))
            return NamedCondition(
                name: name, query: alone,
                known: tables(of: name.kind).map { tables in
                    (
                        tables.map {
                            "SELECT 1 FROM \($0.table) WHERE replace(\($0.column), ' ', '') LIKE ? ESCAPE '\\'"
                        }
                        .joined(separator: " UNION ALL "),
                        tables.map { _ in pattern }
                    )
                },
                isKnown: [.bank, .account].contains(name.kind) && banks.contains(name.name.lowercased()))
        }
    }

    private static func tables(of kind: UnknownName.Kind) -> [(table: String, column: String)]? {
        switch kind {
        case .category, .subcategory: [("categories", "name"), ("subcategories", "name")]
        case .payee: [("payees", "name")]
        case .account: [("user_accounts", "name"), ("user_accounts", "institution")]
        case .tag, .bank: nil
        }
    }
}

extension UnknownName {
    fileprivate init?(_ term: SearchExpression.Term) {
        switch term {
        case .category(let name): self.init(kind: .category, name: name)
        case .tag(let name): self.init(kind: .tag, name: name)
        case .payee(let name): self.init(kind: .payee, name: name)
        case .account(let name): self.init(kind: .account, name: name)
        case .bank(let name): self.init(kind: .bank, name: name)
        case .text, .number, .amount, .days, .merchant, .state: return nil
        }
    }
}
