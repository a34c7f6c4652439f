import Chronology
import Ledger
public import Store

/// The selection of an export.
public struct ExportRequest: Hashable, Sendable {
    public var format: ExportFormat
    /// Filters of the rows; order and page size are set by the export.
    public var query: TransactionQuery
    /// The name of a series of exports: the next export with this name continues after this one.
    public var name: String?
    /// True to begin CSV with a byte order mark.
    public var marksEncoding = false

    public init(_ format: ExportFormat, _ query: TransactionQuery = .confirmed) {
        self.format = format
        self.query = query
    }
}

extension TransactionQuery {
    /// The booked transactions.
    public static var confirmed: TransactionQuery {
        var query = TransactionQuery()
        query.statuses = [.confirmed]
        return query
    }

    /// True if the query selects all booked transactions.
    fileprivate var isWhole: Bool {
        var plain = TransactionQuery.confirmed
        (plain.sort, plain.isDescending, plain.cursor) = (sort, isDescending, cursor)
        (plain.limit, plain.countsAll, plain.readsProvenance) = (limit, countsAll, readsProvenance)
        plain.notExportedAs = notExportedAs
        return self == plain
    }
}

/// An export in progress. Each call of ``next(in:)`` reads one page from the ledger, so that memory does not grow with
/// the number of rows. Only a named export keeps the ids of its rows, eight bytes each.
public struct ExportSession: Sendable {
    /// Rows of a page: some hundred kilobytes of text.
    private static let rows = 500

    private let request: ExportRequest
    private var writer: any ExportWriter
    private var out = ExportText()
    private let maker: EntryMaker
    private let book: ExportBook
    private var parts: [Part]
    private var state = State.beginning
    /// The rows of the whole export.
    private let basis: TransactionQuery
    /// The next page.
    private var query: TransactionQuery
    private var proof: BalanceProof?
    private var prices: PriceList?
    /// Accounts whose opening balance is not written yet; empty if an opening balance would be wrong or a repetition.
    private var unopened: Set<Int64> = []
    /// The opening balances of a file in the order of days that are still to be written, the latest first.
    private var openings: [(opening: OpeningBalance, account: ExportAccount)] = []
    /// Transactions of a named export, to be marked once the whole text is stored.
    public private(set) var exported: [Int64] = []

    /// A part of the file: everything, or one account in one currency.
    private struct Part: Sendable {
        var query: TransactionQuery
        var section: ExportSection?
        /// False for an account without movements.
        var hasRows = true
    }

    private enum State: Hashable {
        case beginning
        case inside(Int, isOpen: Bool)
        case ended
    }

    /// - Throws: `invalid` for a name that the ledger cannot store, before a byte is written.
    public init(_ request: ExportRequest, in ledger: some ReadScope) throws(StoreError) {
        if let name = request.name { try ledger.exports.check(name: name) }
        self.request = request
        var query = request.query
        query.notExportedAs = request.name
        (query.sort, query.isDescending, query.cursor) = (.date, false, nil)
        (query.limit, query.countsAll) = (Self.rows, false)
        query.readsProvenance = request.format.hasProvenance
        let rows = try ledger.userAccounts.all().sorted { $0.id < $1.id }
        let accounts = ExportAccount.all(rows)
        (basis, self.query) = (query, query)
        maker = EntryMaker(accounts: accounts, expenseCategories: try ledger.transactions.expenseCategories())
        book = ExportBook(accounts: rows.compactMap { accounts[$0.id] }, today: ledger.today)
        writer = request.format.writer(marksEncoding: request.marksEncoding)
        parts = [Part(query: query)]
        if request.format.hasPrices {
            prices = PriceList(try ledger.exchangeRates.table(), home: ledger.homeCurrency)
        }
        if query.isWhole, !writer.isByRow {
            unopened = Set(accounts.keys)
            if let name = request.name {
                unopened.subtract(try ledger.exports.accounts(of: name))
            } else {
                proof = BalanceProof()
            }
        }
        if request.format.isByAccount { parts = try sections(in: ledger) } else { openings = try openings(in: ledger) }
    }

    /// The next piece of the file; `nil` after the last one.
    public mutating func next(in ledger: some ReadScope) throws(StoreError) -> [UInt8]? {
        switch state {
        case .ended: return nil
        case .beginning:
            writer.begin(book, &out)
            state = .inside(0, isOpen: false)
        case .inside(let index, let isOpen):
            guard index < parts.count else {
                addOpenings(until: nil)
                writer.end(&out)
                state = .ended
                break
            }
            if !isOpen { try open(parts[index], in: ledger) }
            let next = parts[index].hasRows ? try page(parts[index], in: ledger) : nil
            query.cursor = next
            if next == nil, parts[index].section != nil { writer.close(&out) }
            state = next == nil ? .inside(index + 1, isOpen: false) : .inside(index, isOpen: true)
        }
        return out.drain()
    }

    private mutating func open(_ part: Part, in ledger: some ReadScope) throws(StoreError) {
        query = part.query
        guard let section = part.section else { return }
        writer.open(section, &out)
        if section.currency == section.account.currency { try open(section.account, in: ledger) }
    }

    /// Adds the entries of one page.
    /// - Returns: the cursor of the next one.
    private mutating func page(_ part: Part, in ledger: some ReadScope) throws(StoreError) -> String? {
        let page = try ledger.transactions.page(query)
        let transfers = try ledger.transfers.linked(of: page.rows.map(\.id))
        let others = try ledger.transactions.selected(Self.others(transfers), by: basis)
        let interest = try ledger.eventLinks.interest(ofInstalments: page.rows.map(\.id))
        let purchases = try ledger.eventLinks.purchases(ofRefunds: page.rows.map(\.id))
        for row in page.rows {
            if request.name != nil { exported.append(row.id) }
            if let purchase = purchases[row.id] {
                write(counted: maker.entry(refund: row, of: purchase), of: row)
            } else if let interest = interest[row.id] {
                write(counted: maker.entry(instalment: row, interest: interest), of: row)
            } else {
                try add(row, transfers[row.id], besides: others, in: ledger)
            }
        }
        return page.next
    }

    private static func others(_ transfers: [Int64: TransferRow]) -> Set<Int64> {
        var ids: Set<Int64> = []
        for transfer in transfers.values {
            guard let debit = transfer.debit, let credit = transfer.credit else { continue }
            ids.formUnion([debit.id, credit.id])
        }
        return ids
    }

    /// The sides of a transfer if the file contains both.
    private static func sides(
        _ transfer: TransferRow?, in others: Set<Int64>
    ) -> (debit: TransactionRow, credit: TransactionRow)? {
        guard let debit = transfer?.debit, let credit = transfer?.credit, others.contains(debit.id),
            others.contains(credit.id)
        else { return nil }
        return (debit, credit)
    }

    /// Adds the entry of a row; a transfer of which the file contains both sides is one entry, at its debit.
    private mutating func add(
        _ row: TransactionRow, _ transfer: TransferRow?, besides others: Set<Int64>, in ledger: some ReadScope
    ) throws(StoreError) {
        if let (debit, credit) = Self.sides(transfer, in: others), !request.format.isByAccount, !writer.isByRow {
            guard row.id == debit.id else { return }
            var entry = maker.entry(debit: debit, credit: credit)
            addOpenings(until: entry.day)
            let other = maker.account(of: credit)
            entry.printed = proof?.add(entry.amount, to: entry.account, of: debit)
            entry.counterpartPrinted = proof?.add(entry.amount.negated, to: other, of: credit)
            return write(entry)
        }
        let splits = row.isSplit ? try ledger.transactions.parts(of: row.id) : []
        var entry = maker.entry(row, transfer, splits)
        if let (debit, credit) = Self.sides(transfer, in: others) {
            let other = row.id == debit.id ? credit : debit
            entry.parts = [ExportEntry.Part(place: .account(maker.account(of: other)), amount: entry.amount.negated)]
        }
        addOpenings(until: entry.day)
        entry.printed = proof?.add(entry.amount, to: entry.account, of: row)
        write(entry)
    }

    /// Adds the entry of a row that is no side of a transfer.
    private mutating func write(counted entry: ExportEntry, of row: TransactionRow) {
        var entry = entry
        addOpenings(until: entry.day)
        entry.printed = proof?.add(entry.amount, to: entry.account, of: row)
        write(entry)
    }

    private mutating func write(_ entry: ExportEntry) {
        var entry = entry
        entry.price = prices?.price(of: entry)
        writer.add(entry, &out)
    }
}

extension ExportSession {
    /// Adds the opening balance of an account at the beginning of its part.
    private mutating func open(_ account: ExportAccount, in ledger: some ReadScope) throws(StoreError) {
        guard let id = account.id, unopened.remove(id) != nil, let opening = try ledger.userAccounts.opening(id),
            opening.balance.minorUnits != 0
        else { return }
        writer.add(maker.opening(opening, of: account), &out)
    }

    private func openings(
        in ledger: some ReadScope
    ) throws(StoreError) -> [(opening: OpeningBalance, account: ExportAccount)] {
        var openings: [(opening: OpeningBalance, account: ExportAccount)] = []
        for account in book.accounts {
            guard let id = account.id, unopened.contains(id), let opening = try ledger.userAccounts.opening(id),
                opening.balance.minorUnits != 0
            else { continue }
            openings.append((opening, account))
        }
        return openings.reversed().sorted { $0.opening.day > $1.opening.day }
    }

    /// Adds the opening balances up to a day; all if it is `nil`. No account has a movement before its opening.
    private mutating func addOpenings(until day: CalendarDate?) {
        while let next = openings.last, day.map({ next.opening.day <= $0 }) ?? true {
            openings.removeLast()
            _ = proof?.add(next.opening.balance, to: next.account, of: nil)
            writer.add(maker.opening(next.opening, of: next.account), &out)
        }
    }

    /// The accounts of the rows, bank accounts before cards, and with a whole ledger those that only have a balance.
    private func sections(in ledger: some ReadScope) throws(StoreError) -> [Part] {
        var parts: [Part] = []
        var seen: Set<Int64> = []
        for found in try ledger.transactions.sections(of: query) {
            var query = query
            query.currency = found.currency
            query.userAccountID = found.userAccountID
            query.hasNoUserAccount = found.userAccountID == nil
            let account =
                found.userAccountID.flatMap { maker.accounts[$0] } ?? ExportAccount(unassigned: found.currency)
            if let id = account.id, found.currency == account.currency { seen.insert(id) }
            var section = ExportSection(
                account: account, currency: found.currency, first: found.first, last: found.last,
                balance: Money(minorUnits: 0, currency: found.currency))
            if request.format == .ofx { section.balance = try balance(section, in: ledger) }
            parts.append(Part(query: query, section: section))
        }
        for account in book.accounts {
            guard let id = account.id, !seen.contains(id), unopened.contains(id),
                let opening = try ledger.userAccounts.opening(id)
            else { continue }
            let section = ExportSection(
                account: account, currency: account.currency, first: opening.day, last: opening.day,
                balance: opening.balance)
            parts.append(Part(query: query, section: section, hasRows: false))
        }
        return parts.filter { $0.section?.account.type != .card } + parts.filter { $0.section?.account.type == .card }
    }

    private func balance(_ section: ExportSection, in ledger: some ReadScope) throws(StoreError) -> Money {
        guard let id = section.account.id else { return section.balance }
        let position = try ledger.userAccounts.position(id, on: section.last)
        guard section.currency != section.account.currency else { return position.balance }
        return position.foreign.first { $0.currency == section.currency } ?? section.balance
    }
}

extension ExportWriter {
    /// True if the format has one line for each row, transfers included.
    fileprivate var isByRow: Bool { self is any RowWriter }
}

/// A format that has one object or line for each transaction, and no double entry.
protocol RowWriter: ExportWriter {
    /// - Parameter flow: the direction of the money.
    mutating func add(
        _ row: TransactionRow, _ flow: TransferLeg.Flow, in account: ExportAccount, _ out: inout ExportText)
}

extension RowWriter {
    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        guard let row = entry.row else { return }
        add(row, entry.amount.minorUnits < 0 ? .debit : .credit, in: entry.account, &out)
    }
}
