import Chronology
import Foundation
import Ledger
import Testing
import YAMLSource

@testable import Statements

/// Lists of payments as payment apps export them. Values are invented.
@Suite struct PaymentListTests {
    static func mappings() throws -> [PaymentColumns] {
        try StatementReader.paymentLists(profiles: [StatementReaderTests.profiles])
    }

    static func parser(_ mapping: PaymentColumns) throws -> StatementParser {
        let words = try StatementWords(YAMLFile(path: StatementReaderTests.profiles + "/_statement-words.yaml"))
        return StatementParser(words: words.mapped(by: mapping))
    }

    static func read(_ text: String, as name: String) throws -> BankStatement {
        let mapping = try #require(try mappings().first { $0.name == name })
        return try parser(mapping).read(Array(text.utf8), currency: .inr)
    }

    static let paytm = """
        Date,Time,Transaction Details,Other Transaction Details (UPI ID or A/c No),Your Account,Amount,UPI Ref No.,Order ID,Remarks,Tags,Comment
        29/05/2026,22:32:45,Paid to Fern Stores,fern@upi,HDFC Bank - 12,"-3,000.00",612345678901,,,#🥘 Food,
        28/05/2026,09:01:02,Received from Asha Example,asha@upi,HDFC Bank - 12,"+5,000.00",612345678902,,,,
        28/05/2026,08:00:00,Transfer to own account,,Axis Bank - 15,100.00,612345678903,,,,
        ,,Statement of two accounts,,,,,,,,
        31/02/2026,08:00:00,Paid to Nobody,,Axis Bank - 15,-1.00,612345678904,,,,
        """
    static let passbook = """
        Date,Activity,Source/Destination,Wallet Txn ID,Comment,Debit,Credit,Transaction Breakup,Status
        1/2/2026 12:00:30,Paid for order,Main Wallet,77001122334,,850,,,SUCCESS
        02/02/2026 12:00:30,Money added,Main Wallet,77001122335,,,"1,200.50",,SUCCESS
        03/02/2026 12:00:30,Paid for order,Main Wallet,77001122336,,120,,,FAILURE
        """
    static let phonepe = """
        Date,Transaction Details,Type,Amount
        "Nov 12, 2025",Paid to Corner Cafe,DEBIT,"₹1,250"
        "Nov 13, 2025",Received from Ravi Example,CREDIT,₹40.50
        "Nov 14, 2025",Paid to Nobody,REVERSED,₹1
        """
    static let googlepay = """
        Time,Transaction ID,Description,Product,Payment method,Status,Amount
        "Nov 23, 2025, 3:13\u{202F}PM",GPY.5455-3323-4557-83262,Film of the week,Google Play Apps,HDFC Bank-1: @invented,Complete,INR 299.00
        "Nov 24, 2025, 3:13 PM",GPY.5455-3323-4557-83263,Storage,Google One,Visa,Complete,USD 1.99
        "Nov 25, 2025, 3:13 PM",GPY.5455-3323-4557-83264,Game,Google Play Apps,Visa,Refunded,INR 10.00
        """

    @Test(arguments: [
        (
            "paytm", paytm, ["2026-05-28 500000 Asha Example", "2026-05-29 -300000 Fern Stores"],
            ["4 no_direction", "6 unreadable"]
        ),
        (
            "paytm", passbook, ["2026-02-01 -85000 Paid for order", "2026-02-02 120050 Money added"],
            ["4 not_completed"]
        ),
        (
            "phonepe", phonepe, ["2025-11-12 -125000 Corner Cafe", "2025-11-13 4050 Ravi Example"],
            ["4 no_direction"]
        ),
        (
            "googlepay", googlepay, ["2025-11-23 -29900 Film of the week"], ["3 other_currency", "4 not_completed"]
        ),
    ])
    func exportsAreRead(name: String, text: String, lines: [String], omitted: [String]) throws {
        for text in [text, text.replacingOccurrences(of: "\n", with: "\r\n"), "\u{FEFF}" + text] {
            let list = try Self.read(text, as: name)
            #expect(list.lines.map { "\($0.day) \($0.change) \($0.text)" } == lines)
            #expect(list.omitted.map { "\($0.row) \($0.reason.rawValue)" } == omitted)
            #expect(try StatementProof(list).strength == .none)
        }
    }

    @Test func referenceAndAccountAreKept() throws {
        let lines = try Self.read(Self.paytm, as: "paytm").lines
        #expect(lines.map(\.reference) == ["612345678902", "612345678901"])
        #expect(lines.map(\.printedAccount) == ["HDFC Bank - 12", "HDFC Bank - 12"])
    }

    /// The sheet with the totals is passed over.
    @Test func aWorkbookIsRead() throws {
        func cells(_ row: Int, _ texts: [String]) -> String {
            let cells = texts.enumerated().map { index, text in
                "<c r='\(["A", "B", "C", "D"][index])\(row)' t='inlineStr'><is><t>\(text)</t></is></c>"
            }
            return "<row r='\(row)'>\(cells.joined())</row>"
        }
        func sheet(_ rows: String) -> String { "<worksheet><sheetData>\(rows)</sheetData></worksheet>" }
        let files = [
            ("xl/workbook.xml", WorkbookTests.workbook),
            ("xl/worksheets/sheet1.xml", sheet(cells(1, ["Money Paid", "-40.00"]))),
            (
                "xl/worksheets/sheet2.xml",
                sheet(
                    cells(1, ["Date", "Transaction Details", "Amount", "UPI Ref No."])
                        + cells(2, ["03/10/2026", "Paid to Moon Tea", "-40.00", "612345678909"]))
            ),
        ]
        let mapping = try #require(try Self.mappings().first { $0.name == "paytm" })
        let list = try Self.parser(mapping).read(ZipFile.bytes(files), currency: .inr)
        #expect(list.lines.map(\.change) == [-4000] && list.lines.map(\.text) == ["Moon Tea"])
    }

    static let metro = PaymentColumns(
        name: "metro", headings: [.date: ["When"], .text: ["Station"], .amount: ["Fare (Rs)"]],
        dateOrder: .monthFirst, unsigned: .outgoing)

    @Test func ownColumnsAreRead() throws {
        let text = "When;Station;Fare (Rs)\n02/03/2026;Lake View;40\n2/4/2026;Hill;Rs. 20.50\n"
        let list = try Self.parser(Self.metro).read(Array(text.utf8), currency: .inr)
        #expect(list.lines.map(\.day.description) == ["2026-02-03", "2026-02-04"])
        #expect(list.lines.map(\.change) == [-4000, -2050])
    }

    @Test(
        arguments: [
            ("", .unknownFormat), ("a,b\n1,2", .noTable), ("Date,Transaction Details,Type,Amount\n", .noPayments),
            ("Date,Transaction Details,Type,Amount\nNov 12 2025,X,FAILED,1", .noPayments),
            ("OFXHEADER:100\n<OFX>", .noTable), ("!Type:Bank\nD01/02/2026\n^", .noTable),
        ] as [(String, StatementReadingError)]) func refusals(text: String, expected: StatementReadingError)
    {
        #expect(throws: expected) { try Self.read(text, as: "phonepe") }
    }

    @Test(arguments: [("paytm", paytm), ("googlepay", googlepay)])
    func truncationAtEveryByte(name: String, text: String) throws {
        let mapping = try #require(try Self.mappings().first { $0.name == name })
        let (parser, bytes) = (try Self.parser(mapping), Array(text.utf8))
        for length in 0..<bytes.count {
            // A cut file gives no more rows than the whole one.
            guard let list = try? parser.read(Array(bytes[..<length]), currency: .inr) else { continue }
            #expect(list.lines.count + list.omitted.count <= 4)
        }
    }

    /// The child gets the headings and gives the omitted rows back.
    @Test func requestAndAnswerCarryTheList() throws {
        let words = try StatementWords(YAMLFile(path: StatementReaderTests.profiles + "/_statement-words.yaml"))
        let mapped = words.mapped(by: Self.metro)
        let request = try #require(
            StatementRequest(StatementRequest.bytes([mapped], .inr, isPDF: false, content: [1])))
        let received = try #require(request.words.first)
        #expect(received.isList && received.dateOrder == .monthFirst && received.unsigned == .outgoing)
        #expect(received.isWord("when", of: .date) && !received.isWord("Narration", of: .text))
        let statement = try #require(StatementWords(words.json))
        #expect(!statement.isList && statement.unsigned == nil && statement.required.isEmpty)
        let list = try Self.read(Self.paytm, as: "paytm")
        #expect(StatementAnswer(StatementAnswer.statement(list).bytes) == .statement(list))
    }

    @Test(
        arguments: [
            ("-40", 4000, true), ("₹1,250", 125_000, nil), ("Rs.40.50", 4050, nil), ("- Rs. 40", 4000, true),
            ("+₹5", 500, false), ("INR -299.00", 29900, true), ("(50.00)", 5000, true), ("50 INR", 5000, nil),
            ("\u{2212}7", 700, true),
        ] as [(String, Int64, Bool?)]) func amounts(text: String, units: Int64, isNegative: Bool?) throws
    {
        let amount = try #require(SignedAmount(text, home: .inr), "\(text)")
        #expect(amount.units == units && amount.isNegative == isNegative, "\(text)")
    }

    @Test(arguments: ["", "-", "--4", "+-4", "abc", "4x5", "₹", "4 4 apples", "(5"])
    func noAmounts(text: String) { #expect(SignedAmount(text, home: .inr) == nil) }

    @Test func mappingsAreChecked() throws {
        #expect(try Self.mappings().map(\.name) == ["paytm", "phonepe", "googlepay"])
        #expect(Self.metro.problems.isEmpty)
        for (name, headings, field) in [
            ("", [.date: ["a"], .text: ["b"], .amount: ["c"]], "name"),
            ("history", [.date: ["a"], .text: ["b"], .amount: ["c"]], "name"),
            ("Metro", [.date: ["a"], .text: ["b"], .amount: ["c"]], "name"),
            ("m", [.text: ["b"], .amount: ["c"]], "date"), ("m", [.date: ["a"], .text: ["b"]], "amount"),
            ("m", [.date: ["a"], .text: ["b"], .debit: ["c"]], "amount"),
            ("m", [.date: ["--"], .text: ["b"], .amount: ["c"]], "date"),
            ("m", [.date: [String(repeating: "a", count: 101)], .text: ["b"], .amount: ["c"]], "date"),
        ] as [(String, [PaymentColumns.Column: [String]], String)] {
            #expect(PaymentColumns(name: name, headings: headings).problems.map(\.field) == [field], "\(name) \(field)")
        }
        let folder = NSTemporaryDirectory() + "payment-lists-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for text in ["a: {date: [x]}", "a: {when: x}", "a: {date: x, text: y, amount: z, unsigned: maybe}", "- a"] {
            try Data(text.utf8).write(to: URL(filePath: folder + "/_payment-lists.yaml"))
            #expect(throws: SourceError.self, "\(text)") { try StatementReader.paymentLists(profiles: [folder]) }
        }
    }
}
