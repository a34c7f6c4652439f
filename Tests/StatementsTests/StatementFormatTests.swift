import Chronology
import Ledger
import Testing

@testable import Statements

/// OFX, QIF and MT940. Values are invented.
@Suite struct StatementFormatTests {
    static func read(_ text: String) throws -> BankStatement {
        try StatementReaderTests.parser().read(Array(text.utf8), currency: .inr)
    }

    static let sgml = """
        OFXHEADER:100
        DATA:OFXSGML
        VERSION:102

        <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260131</SONRS></SIGNONMSGSRSV1>
        <BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>EUR
        <BANKACCTFROM><BANKID>1<ACCTID>0042<ACCTTYPE>CHECKING</BANKACCTFROM>
        <BANKTRANLIST><DTSTART>20260101<DTEND>20260131120000
        <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105120000.000[+5.5:IST]<TRNAMT>-12.50<FITID>F1<NAME>Fern &amp; Co<MEMO>books</STMTTRN>
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260106<TRNAMT>+100,00<FITID>F2<CHECKNUM>77<NAME>Salary<MEMO>Salary</STMTTRN>
        </BANKTRANLIST>
        <LEDGERBAL><BALAMT>187.50<DTASOF>20260131</LEDGERBAL>
        <AVAILBAL><BALAMT>900.00<DTASOF>20260131</AVAILBAL>
        </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
        """

    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <?OFX OFXHEADER="200" VERSION="211"?>
        <OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD</CURDEF>
          <CCACCTFROM><ACCTID>4242</ACCTID></CCACCTFROM>
          <BANKTRANLIST>
            <STMTTRN>
              <TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260110</DTPOSTED><TRNAMT>-4.0000</TRNAMT><FITID>A</FITID>
              <PAYEE><NAME>Coffee</NAME><ADDR1>Hill Rd</ADDR1><CITY>X</CITY></PAYEE>
            </STMTTRN>
            <STMTTRN><DTPOSTED>20260109</DTPOSTED><TRNAMT>-6</TRNAMT><FITID>B</FITID><NAME>Tea</NAME></STMTTRN>
            <STMTTRN><DTPOSTED>20260108</DTPOSTED><TRNAMT>0.00</TRNAMT><FITID>C</FITID><NAME>note</NAME></STMTTRN>
          </BANKTRANLIST>
          <LEDGERBAL><BALAMT>-10.00</BALAMT><DTASOF>20260120</DTASOF></LEDGERBAL>
        </CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>
        """

    @Test func ofxWithoutEndTags() throws {
        let statement = try Self.read(Self.sgml)
        #expect(statement.currency.code == "EUR" && statement.closing == 18750)
        #expect(statement.period == DaySpan(try day("2026-01-01"), through: try day("2026-01-31")))
        #expect(statement.lines.map(\.change) == [-1250, 10000])
        #expect(statement.lines.map(\.text) == ["Fern & Co books", "Salary"])
        #expect(statement.lines.map(\.reference) == ["F1", "77"])
        #expect(statement.lines.map(\.day.description) == ["2026-01-05", "2026-01-06"])
    }

    @Test func ofxOfACardWithTheNewestFirst() throws {
        let statement = try Self.read(Self.xml)
        #expect(statement.currency.code == "USD" && statement.lines.map(\.change) == [-600, -400])
        #expect(statement.lines.map(\.text) == ["Tea", "Coffee"])
        #expect(statement.closing == nil, "the balance of a later day")
    }

    static let qif =
        "!Type:Bank\nD05/01/2026\nT-1,250.50\nPFERN STORES\nMcity\nN77\n^\nD 6/ 1'26\nT100\nPSALARY\nLIncome\nSOther\n$40\n^\n"

    static let later = "D25/01/2026\nT-1\nPX\n^\n"

    @Test func recordsOfQIF() throws {
        let statement = try Self.read(
            "!Account\nNSavings\nTBank\n^\n" + Self.qif + "D25/01/2026\nT-1\nPX\n^\n!Type:Cat\nNFood\nE\n^\n")
        #expect(statement.lines.map(\.change) == [-125050, 10000, -100])
        #expect(statement.lines.map(\.text) == ["FERN STORES city", "SALARY", "X"])
        #expect(statement.lines.map(\.day.description) == ["2026-01-05", "2026-01-06", "2026-01-25"])
        #expect(statement.lines[0].reference == "77" && statement.lines[0].row == 11)
    }

    @Test(
        arguments: [
            (["01/02/2026", "01/13/2026"], "2026-01-02"), (["13/01/2026", "01/02/2026"], "2026-01-13"),
            (["2026-01-02", "2026-01-03"], "2026-01-02"), (["1/2/26", "1/3/26", "2/1/26"], "2026-01-02"),
            (["02.01.2026", "03.01.2026", "01.02.2026"], "2026-01-02"), (["03/03/2026"], "2026-03-03"),
        ])
    func orderOfDates(dates: [String], first: String) throws {
        let records = dates.map { "D\($0)\nT-5\nPx\n^\n" }.joined()
        #expect(try Self.read("!Type:CCard\n" + records).lines.contains { $0.day.description == first })
    }

    @Test func aQIFOpeningBalanceIsNoMovement() throws {
        let text = "!Type:Bank\nD20/01/2026\nT500.00\nPOpening Balance\nL[Savings]\n^\nD21/01/2026\nT-20\nPx\n^\n"
        let statement = try Self.read(text)
        #expect(statement.opening == 50000 && statement.lines.map(\.change) == [-2000])
    }

    static let mt940 = """
        :20:STARTUMS
        :25:10020030/1234567
        :28C:1/1
        :60F:C251231EUR1000,00
        :61:2601050105D12,50NTRFNONREF//B1
        :86:166?00GUTSCHRIFT?20Invoice 4711?21 of January?32FERN STORES
        :61:2512310102RC100,NMSCREF9
        :86:Correction
        of a credit
        :62M:C260105EUR887,5
        -
        :20:STARTUMS
        :25:10020030/1234567
        :28C:1/2
        :60M:C260105EUR887,5
        :61:260131CR0,5NINTINT
        :86:Interest
        :62F:C260131EUR888,00
        -
        """

    @Test func messagesOfMT940() throws {
        let statement = try Self.read(Self.mt940)
        #expect(statement.opening == 100_000 && statement.closing == 88_800 && statement.currency.code == "EUR")
        #expect(statement.lines.map(\.change) == [-1250, -10000, 50])
        #expect(
            statement.lines.map(\.text) == [
                "FERN STORES Invoice 4711 of January", "Correction of a credit", "Interest",
            ])
        #expect(statement.lines.map(\.reference) == ["B1", "REF9", "INT"])
        #expect(statement.lines.map(\.day.description) == ["2026-01-05", "2026-01-02", "2026-01-31"])
        #expect(statement.lines[1].valueDay?.description == "2025-12-31")
        #expect(try StatementProof(statement).strength == .sum)
        let enveloped = "{1:F01BANKDEFF}{2:O940}{4:\r\n" + Self.mt940.replacing("\n", with: "\r\n") + "}"
        #expect(
            try Self.read(enveloped).lines
                == statement.lines.map { line in
                    var line = line
                    line.row += 1
                    return line
                })
    }

    @Test(
        arguments: [
            (mt940.replacing("D12,50", with: "D12,51"), "the lines before give"),
            (mt940.replacing(":60M:C260105EUR887,5", with: ":60M:C260105EUR887,6"), "the lines before give"),
            (mt940.replacing("D12,50", with: "X12,50"), "cannot be read for certain"),
            (mt940.replacing("D12,50", with: "D12.50"), "cannot be read for certain"),
            (mt940.replacing("2601050105D", with: "2613050105D"), "cannot be read for certain"),
            (mt940.replacing(":25:10020030/1234567\n:28C:1/2", with: ":25:9\n:28C:1/2"), "several accounts"),
            (sgml.replacing("<TRNAMT>-12.50", with: "<TRNAMT>-12.505"), "cannot be read for certain"),
            (sgml.replacing("<DTPOSTED>20260106", with: "<DTPOSTED>20260230"), "cannot be read for certain"),
            (sgml.replacing("</OFX>", with: "<ACCTID>0043</OFX>"), "several accounts"),
            (
                String(sgml.split(separator: "</STMTTRN>\n</BANKTRANLIST>")[0]), "cannot be read for certain"
            ),
            ("<OFX></OFX>", "has no table"),
            (sgml.replacing("EUR", with: "EURO"), "cannot be read for certain"),
            ("<OFX><STMTRS></OFX>", "has no table"),
            (qif + "D32/13/2026\nT5\n^\n", "cannot be read for certain"),
            ("!Type:Bank\nD01/02/2026\nT5\n^\n", "the day or the month first"),
            (qif + "D06/01/2026\nT5\n", "cannot be read for certain"),
            // The end of a record is missing before the next section.
            (qif + "D25/01/2026\nT-1\nPX\n!Type:Cat\nNFood\n^\n", "cannot be read for certain"),
            (qif + "!Type:CCard\n", "several accounts"),
            ("!Type:Invst\n^\n", "not in a known"),
            ("!Type:Bank\n", "has no table"), ("!Type:Bank\nD13/01/2026\nT--5\n^\n", "cannot be read for certain"),
            ("!Type:Bank\nD13/01/2026\nT99999999999999999999\n^\n", "cannot be read for certain"),
        ])
    func aFileThatIsNotCertainIsRefused(text: String, fault: String) throws {
        let error = #expect(throws: StatementReadingError.self) { try Self.read(text) }
        #expect(error?.description.contains(fault) == true, "\(String(describing: error))")
    }

    /// A cut file is refused or has fewer lines, and no bytes end the process.
    @Test(arguments: [sgml, xml, qif + later, mt940, camt, page]) func cutsAndDamage(text: String) throws {
        let whole = try Self.read(text)
        let bytes = Array(text.utf8)
        let reader = try StatementReaderTests.parser()
        for length in bytes.indices {
            if let part = try? reader.read(Array(bytes[..<length]), currency: .inr) {
                #expect(part.lines.count <= whole.lines.count)
            }
        }
        for (index, byte) in [UInt8](arrayLiteral: 0, 10, 60, 62, 94, 0x80, 0xFF).enumerated() {
            for at in stride(from: index, to: bytes.count, by: 7) {
                var altered = bytes
                altered[at] = byte
                _ = try? reader.read(altered, currency: .inr)
            }
        }
    }

    static let camt = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt>
        <Acct><Id><IBAN>XX001</IBAN></Id></Acct>
        <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-04</Dt></Dt></Bal>
        <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">9.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
        <Ntry><Amt Ccy="EUR">120.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>
        <ValDt><DtTm>2026-01-06T00:00:00+01:00</DtTm></ValDt><AcctSvcrRef>A1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E2E</EndToEndId></Refs>
        <RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Pty><Nm>Fern &amp; Co</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
        <Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-01-07</Dt></BookgDt></Ntry>
        <Ntry><Amt Ccy="EUR">10.5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-08</Dt></BookgDt>
        <AcctSvcrRef>A2</AcctSvcrRef><AddtlNtryInf>Interest</AddtlNtryInf></Ntry>
        </Stmt></BkToCstmrStmt></Document>
        """

    @Test func bookedEntriesOfCamt() throws {
        let statement = try Self.read(Self.camt)
        #expect(statement.currency.code == "EUR" && statement.opening == 10_000 && statement.closing == -950)
        #expect(statement.lines.map(\.change) == [-12_000, 1_050])
        #expect(statement.lines.map(\.text) == ["Fern & Co Invoice 1", "Interest"])
        #expect(statement.lines.map(\.reference) == ["E2E", "A2"] && statement.lines.map(\.row) == [1, 3])
        #expect(statement.lines[0].valueDay?.description == "2026-01-06")
        #expect(try StatementProof(statement).strength == .sum)
    }

    static let page = """
        <html><head><style>td { color: red }</style></head><body><table><tr><td colspan=7>Statement &amp; account</table>
        <TABLE><tr><th>Date<th>Narration<th>Ref.No.<th>Value Dt<th>Withdrawal Amt.<th>Deposit Amt.<th>Closing Balance</tr>
        <tr><td>05/01/2026</td><td>FERN&nbsp;STORES<br>CITY</td><td>R1</td><td>05/01/26</td><td>1,250.50</td><td></td><td>98,749.50</td></tr>
        <tr><td>06/01/2026</td><td>SALARY</td><td>R2</td><td>06/01/26</td><td>0.00</td><td>1,00,000.00</td><td>1,98,749.50</td></tr>
        </table></body></html>
        """

    @Test func aTableOfHTML() throws {
        let statement = try Self.read(Self.page)
        #expect(statement.lines.map(\.change) == [-125_050, 1_00_000_00])
        #expect(statement.lines.map(\.reference) == ["R1", "R2"] && statement.lines.map(\.row) == [3, 4])
    }

    static let laughs =
        "<!DOCTYPE x [<!ENTITY a 'ha'>"
        + (1...9).map { "<!ENTITY a\($0) '\(String(repeating: "&a\($0 == 1 ? "" : "\($0 - 1)");", count: 10))'>" }
        .joined()
        + "]>"

    @Test(
        arguments: [
            camt.replacing("120.00", with: "120.01"),
            camt.replacing("DBIT</CdtDbtInd><Sts><Cd>", with: "X</CdtDbtInd><Sts><Cd>"),
            camt.replacing("<Document", with: laughs + "<Document").replacing("Invoice 1", with: "&a9;"),
            camt.replacing("<Document", with: "<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x'><Document"),
            camt.replacing("</Document>", with: ""), camt.replacing("Ccy=\"EUR\">10.5", with: "Ccy=\"USD\">10.5"),
            "<html></html>", "<table>" + String(repeating: "<tr><td>", count: 50_000), "<xml/>",
            "<!-- camt.053 -->" + String(repeating: "<a>", count: 100_000),
            "<html" + String(repeating: "<table><tr><td>", count: 30_000),
        ])
    func markupThatIsNotCertainIsRefused(text: String) {
        #expect(throws: StatementReadingError.self) { try Self.read(text) }
    }

    @Test func textOfOlderProgramsIsISO8859() throws {
        var bytes = Array(Self.qif.utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "F")))
        bytes[place] = 0xC9
        let statement = try StatementReaderTests.parser().read(
            bytes + Array("D25/01/2026\nT-1\nPX\n^\n".utf8), currency: .inr)
        #expect(statement.lines[0].text.hasPrefix("ÉERN"))
    }

    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(iso: text)) }
}
