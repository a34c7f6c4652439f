import Chronology
import ChronologyFixture
import Codecs
import Foundation
import Ledger
import Store
import Testing

@testable import Exports

/// The text of each format, hostile text included.
@Suite struct ExportFormatTests {
    @Test(
        "No cell is a formula for a spreadsheet",
        arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\u{FF1D}1", "\r=1"])
    func formulas(_ text: String) {
        #expect(CSV.field(text).hasPrefix("'") || CSV.field(text).hasPrefix("\"'"))
    }

    @Test(
        arguments: [
            ("HDFC 4410", "4410", "HDFC 4410"), ("Salary account", "4410", "Salary account 4410"),
            ("Cash", nil, "Cash"), (nil, "4410", "4410"), (nil, nil, ""),
        ] as [(String?, String?, String)])
    func theFilesAccountHasItsDigitsOnce(name: String?, digits: String?, expected: String) throws {
        let fixture = try ExportFixture()
        var new = NewTransaction(
            amount: Money(minorUnits: 12345, currency: .inr), type: .expense, date: "2026-01-03")
        (new.accountName, new.accountDigits, new.merchant) = (name, digits, "=SUM(A1)")
        let row = try fixture.store.transactions.add(new, by: ExportFixture.clerk)
        #expect(CSV.line(row) == "Personal,Uncategorized,,INR,123.45,\(expected),Manual,2026-01-03,,'=SUM(A1),expense")
    }

    @Test func aCSVRecordOfHostileTextHasItsFields() throws {
        let fixture = try ExportFixture()
        for text in hostileTexts {
            try fixture.book(100, on: "2026-01-03") { ($0.merchant, $0.notes, $0.reference) = (text, text, text) }
        }
        for (format, columns) in [(ExportFormat.csv, 11), (.richCSV, RichCSVWriter.header.count), (.firefly, 11)] {
            let records = Self.records(try fixture.text(format))
            #expect(records.count == hostileTexts.count + 1, "\(format)")
            #expect(records.allSatisfy { $0.count == columns }, "\(format)")
        }
        let bom = try fixture.export(
            {
                var request = ExportRequest(.richCSV)
                request.marksEncoding = true
                return request
            }()
        ).text
        #expect(bom.utf8.starts(with: [0xEF, 0xBB, 0xBF]))
    }

    /// A reader of RFC 4180.
    private static func records(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var (record, field, isQuoted) = ([String](), [UInt8](), false)
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            switch (byte, isQuoted) {
            case (0x22, true) where bytes.first == 0x22:
                field.append(0x22)
                bytes.removeFirst()
            case (0x22, _): isQuoted.toggle()
            case (0x2C, false), (0x0A, false):
                record.append(String(decoding: field, as: UTF8.self))
                field = []
                if byte == 0x0A {
                    records.append(record)
                    record = []
                }
            default: field.append(byte)
            }
        }
        return records
    }

    @Test func everyLineOfJSONLinesIsAnObjectWithItsIdentifier() throws {
        let fixture = try ExportFixture()
        for text in hostileTexts { try fixture.book(100, on: "2026-01-03") { $0.merchant = text } }
        let lines = try fixture.text(.jsonLines).split(separator: "\n")
        #expect(lines.count == hostileTexts.count)
        for (line, text) in zip(lines, hostileTexts) {
            let object = try JSON(parsing: Array(line.utf8))
            #expect(object["merchant"]?.text == JSON.string(text).text)
            #expect(object["export_id"]?.text.contains("-") ?? false)
        }
        guard case .array(let all) = try JSON(parsing: Array(try fixture.text(.json).utf8)) else {
            return #expect(Bool(false))
        }
        #expect(all.count == hostileTexts.count)
        #expect(try ExportFixture().text(.json) == "[]\n")
    }

    /// A journal with every kind of entry, to the letter.
    @Test func aJournalHasAccountsTransfersRefundsAndBalances() throws {
        let text = try Self.household().text(.hledger)
        let expected = """
            ; SpendWise

            commodity INR
                format INR 1000.00

            account Assets:Bank:HDFC Bank \u{B7}\u{B7}4321

            account Equity:Opening-Balances

            2026-01-01 * (opening-1) Opening balance
                ; id: opening-1
                Assets:Bank:HDFC Bank \u{B7}\u{B7}4321  INR 1000.00
                Equity:Opening-Balances  INR -1000.00

            account Expenses:Food:Cafés & Bakeries

            2026-01-02 * (1-t8dsw0) Tea, \"here\" / there
                ; id: 1-t8dsw0
                ; reference: R1 x
                Assets:Bank:HDFC Bank \u{B7}\u{B7}4321  INR -250.00 = INR 750.00
                Expenses:Food:Cafés & Bakeries  INR 250.00

            account Income:Salary

            2026-01-03 * (2-t8dsw0) Employer
                ; id: 2-t8dsw0
                Assets:Bank:HDFC Bank \u{B7}\u{B7}4321  INR 500.00  ; printed: INR 1234.56
                Income:Salary  INR -500.00

            2026-01-04 * (3-t8dsw0) Shop
                ; id: 3-t8dsw0
                Assets:Bank:HDFC Bank \u{B7}\u{B7}4321  INR 50.00
                Expenses:Food:Cafés & Bakeries  INR -50.00

            account Liabilities:Cards:Card

            2026-01-05 * (4-t8dsw0) Card bill
                ; id: 4-t8dsw0
                ; counterpart-id: 5-t8dsw0
                ; counterpart-date: 2026-01-06
                Assets:Bank:HDFC Bank \u{B7}\u{B7}4321  INR -300.00
                Liabilities:Cards:Card  INR 300.00

            account Equity:Transfers

            2026-01-07 * (6-t8dsw0) Somewhere
                ; id: 6-t8dsw0
                Liabilities:Cards:Card  INR -10.00
                Equity:Transfers  INR 10.00


            """
        #expect(text == expected, "\(text)")
    }

    /// A bank account and a card, with a transfer between them and one that leads nowhere.
    private static func household() throws -> ExportFixture {
        let fixture = try ExportFixture()
        let bank = try fixture.account("HDFC Bank \u{B7}\u{B7}4321", initial: 100_000, from: "2026-01-01")
        let card = try fixture.account("Card", .card)
        let tea = try fixture.book(25_000, on: "2026-01-02", in: bank) {
            ($0.merchant, $0.subcategory, $0.reference) = ("Tea;\n\"here\" | there", "Cafés & Bakeries", "R1,\u{202E}x")
        }
        try fixture.print(75_000, of: tea)
        let salary = try fixture.book(50_000, .income, on: "2026-01-03", in: bank) {
            ($0.merchant, $0.category, $0.subcategory) = ("Employer", "Income", "Salary")
        }
        try fixture.print(123_456, of: salary)
        try fixture.book(5_000, .income, on: "2026-01-04", in: bank) { $0.subcategory = "Cafés & Bakeries" }
        let debit = try fixture.book(30_000, on: "2026-01-05", in: bank) { $0.merchant = "Card bill" }
        let credit = try fixture.book(30_000, .income, on: "2026-01-06", in: card) { $0.merchant = nil }
        try fixture.store.transfers.link(debit: debit, credit: credit, by: ExportFixture.clerk)
        try fixture.book(1_000, .transfer, on: "2026-01-07", in: card) { $0.merchant = "Somewhere" }
        return fixture
    }

    /// Linked or not, a transfer says out of or into which account it went.
    @Test func everyTransferHasADirection() throws {
        let fixture = try Self.household()
        let card = try #require(try fixture.store.userAccounts.all().last)
        try fixture.book(2_000, .transfer, on: "2026-01-08", in: card.id) { $0.merchant = "" }
        let lines = try fixture.text(.richCSV).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let transfers = lines.filter { $0.count > 4 && $0[3] == "transfer" }.map { "\($0[4]) \($0[5])" }
        #expect(transfers == ["out 300.00", "in 300.00", "out 10.00", "in 20.00"])
    }

    /// A side whose other side is not part of the export is balanced by the account of transfers.
    @Test func aSplitPaymentHasAPostingForEachPart() throws {
        let fixture = try ExportFixture()
        let bank = try fixture.account("Bank", initial: 100_000, from: "2026-01-01")
        let id = try fixture.book(10_000, on: "2026-01-02", in: bank)
        for name in ["House", "Garden"] { _ = try fixture.store.categories.add(name: name) }
        let parts = [
            SplitPart(category: "House", minorUnits: 7_500), SplitPart(category: "Garden", minorUnits: 2_500),
        ]
        _ = try fixture.store.transactions.split(id, parts, by: ExportFixture.clerk)
        let journal = try fixture.text(.hledger)
        #expect(journal.contains("INR -100.00"))
        for part in ["Expenses:House  INR 75.00", "Expenses:Garden  INR 25.00"] {
            #expect(journal.contains(part), "\(journal)")
        }
        let qif = try fixture.text(.qif)
        #expect(qif.contains("$-75.00") && qif.contains("$-25.00") && qif.contains("T-100.00"), "\(qif)")
    }

    @Test func aFilterLeavesOneSideOfATransfer() throws {
        let fixture = try Self.household()
        var query = TransactionQuery.confirmed
        query.userAccountID = 2
        let text = try fixture.text(.hledger, query)
        #expect(text.contains("    Liabilities:Cards:Card  INR 300.00\n    Equity:Transfers  INR -300.00\n"), "\(text)")
        #expect(!text.contains("Assets:Bank") && !text.contains("opening"))
        #expect(try fixture.text(.qif, query).contains("\nLTransfers\n"))
        #expect(try fixture.text(.qif).contains("\nL[Card]\n"))
    }

    @Test func theNextExportOfANameContinuesBehindTheLast() throws {
        let fixture = try Self.household()
        var request = ExportRequest(.hledger)
        request.name = "books"
        let first = try fixture.export(request)
        #expect(first.session.exported == [1, 2, 3, 4, 5, 6] && first.text.contains("opening-1"))
        #expect(try fixture.export(request).session.exported.count == 6, "it is not marked before the file is stored")
        try fixture.store.exports.mark("books", format: "hledger", first.session.exported)
        // An earlier day, and a draft that is accepted later, belong to the next export all the same.
        try fixture.book(700, on: "2025-12-01", in: 1)
        let second = try fixture.export(request)
        #expect(second.session.exported == [7])
        #expect(second.text.contains("2025-12-01 * (7-") && !second.text.contains("opening"))
        #expect(try fixture.store.exports.all().map(\.transactions) == [6])
        try fixture.store.exports.forget("books")
        #expect(try fixture.export(request).session.exported.count == 7)
    }

    @Test(arguments: ["", "\u{200B}", String(repeating: "n", count: 1000)])
    func anExportOfNoNameIsRefusedBeforeItsFirstByte(name: String) throws {
        let fixture = try Self.household()
        var request = ExportRequest(.csv)
        request.name = name
        let error = #expect(throws: StoreError.self) { try fixture.store.read { try ExportSession(request, in: $0) } }
        #expect(error?.kind == .invalid)
    }

    @Test func aForeignAmountBringsThePriceOfItsDayOnce() throws {
        let fixture = try ExportFixture()
        let dollar = try #require(Currency(code: "USD"))
        let rate = try #require(
            ExchangeRate(day: "2026-01-01", base: dollar, quote: .inr, billionths: 88_512_500_000, source: .person))
        try fixture.store.exchangeRates.set(rate, by: .terminal)
        let bank = try fixture.account("Bank")
        for day in ["2026-01-02", "2026-01-02", "2026-01-03"] as [CalendarDate] {
            try fixture.book(100, on: day, in: bank, currency: dollar)
        }
        let journal = try fixture.text(.hledger)
        #expect(
            journal.split(separator: "\n").filter { $0.hasPrefix("P ") } == [
                "P 2026-01-02 USD INR 88.5125", "P 2026-01-03 USD INR 88.5125",
            ])
        #expect(try fixture.text(.beancount).contains("\n2026-01-03 price USD 88.5125 INR\n"))
        #expect(journal.contains("    Assets:Bank:Bank  USD -1.00\n"))
    }

    @Test func twoAccountsOfOneNameStayTwo() throws {
        let fixture = try ExportFixture()
        let first = try fixture.account("Savings (A)")
        let second = try fixture.account("Savings [A]")
        try fixture.book(100, on: "2026-01-01", in: first)
        try fixture.book(200, on: "2026-01-01", in: second)
        let text = try fixture.text(.beancount)
        #expect(
            text.contains("Assets:Bank:Savings-A-1  -1.00 INR") && text.contains("Assets:Bank:Savings-A-2  -2.00 INR"))
    }

    /// The same text and the same identifiers, however many pages.
    @Test func anEmptyLedgerAndThreePagesAreFiles() throws {
        let fixture = try ExportFixture()
        for format in ExportFormat.allCases { #expect(try fixture.text(format) == fixture.text(format), "\(format)") }
        let id = try fixture.account("A")
        let rows = (1...1100).map { minor in
            NewTransaction(amount: Money(minorUnits: Int64(minor), currency: .inr), type: .expense, date: "2026-01-01")
            {
                $0.userAccountID = id
            }
        }
        try fixture.store.transactions.add(rows, by: ExportFixture.clerk)
        for format in ExportFormat.allCases where format != .csv {
            let text = try fixture.text(format).utf8
            let mark = Array("-t8dsw0".utf8)
            var found: Set<[UInt8]> = []
            var digits: [UInt8] = []
            var rest = text[...]
            while let byte = rest.first {
                if rest.starts(with: mark), !digits.isEmpty { found.insert(digits) }
                digits = (0x30...0x39).contains(byte) ? digits + [byte] : []
                rest = rest.dropFirst()
            }
            #expect(found.count == 1100, "\(format)")
        }
    }
}
