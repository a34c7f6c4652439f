import Chronology
import Foundation
import Ledger
import Testing

@testable import Statements

/// Workbooks of Office Open XML. Values are invented.
@Suite struct WorkbookTests {
    static let workbook = "<workbook><workbookPr/><sheets><sheet name='a' sheetId='1'/></sheets></workbook>"
    static let strings = """
        <sst><si><t>Date</t></si><si><r><t xml:space="preserve">Narra</t></r><r><t>tion</t></r></si><si><t>Withdrawal Amt.</t></si>
        <si><t>Deposit Amt.</t></si><si><t>Closing Balance</t></si><si><t>FERN &amp; CO</t></si></sst>
        """
    static let styles = """
        <styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="[$-409]dd\\-mmm\\-yy;@"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0.00"/>
        </numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/></cellXfs></styleSheet>
        """
    static let header = (0..<5).map { "<c r='\(["A", "B", "C", "D", "E"][$0])5' t='s'><v>\($0)</v></c>" }.joined()

    static func sheet(_ last: String = "1099.5") -> String {
        """
        <worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Statement</t></is></c></row>
        <row r="5">\(header)</row>
        <row r="6"><c r="A6" s="1"><v>46027</v></c><c r="B6" t="s"><v>5</v></c><c r="C6" s="3"><v>0.1</v></c><c r="E6"><v>999.89999999999998</v></c></row>
        <row r="8"><c r="A8" s="2"><v>46028.75</v></c><c r="B8" t="str"><v>SALARY</v></c><c r="D8"><v>99.6</v></c><c r="E8"><v>\(last)</v></c></row>
        </sheetData></worksheet>
        """
    }

    static func files(_ sheet: String) -> [(String, String)] {
        [
            ("[Content_Types].xml", "<Types/>"), ("xl/workbook.xml", workbook), ("xl/sharedStrings.xml", strings),
            ("xl/styles.xml", styles), ("xl/worksheets/sheet1.xml", "<worksheet><sheetData/></worksheet>"),
            ("xl/worksheets/sheet2.xml", sheet),
        ]
    }

    static func read(_ bytes: [UInt8]) throws -> BankStatement {
        try StatementReaderTests.parser().read(bytes, currency: .inr)
    }

    @Test func datesNumbersAndStringsAreRead() throws {
        let statement = try Self.read(ZipFile.bytes(Self.files(Self.sheet())))
        #expect(statement.lines.map(\.day.description) == ["2026-01-05", "2026-01-06"])
        #expect(statement.lines.map(\.change) == [-10, 9960] && statement.lines.map(\.balance) == [99_990, 109_950])
        #expect(statement.lines.map(\.text) == ["FERN & CO", "SALARY"] && statement.lines.map(\.row) == [6, 8])
        #expect(try StatementProof(statement).strength == .everyLine)
    }

    @Test func daysSince1904() throws {
        let files = Self.files(Self.sheet()).map {
            ($0.0, $0.1.replacingOccurrences(of: "<workbookPr/>", with: "<workbookPr date1904='1'/>"))
        }
        #expect(try Self.read(ZipFile.bytes(files)).lines.first?.day.description == "2030-01-06")
    }

    @Test(arguments: [
        files(sheet("1099.6")), files(sheet().replacingOccurrences(of: "46027", with: "1e300")),
        [("xl/workbook.xml", "<x>")],
        files("<worksheet>" + String(repeating: "<row>", count: 100_000)), [("a.txt", "x")],
        files(sheet().replacingOccurrences(of: "r=\"A6\"", with: "r=\"ZZZ6\"")),
    ])
    func aWorkbookThatIsNotCertainIsRefused(files: [(String, String)]) {
        #expect(throws: StatementReadingError.self) { try Self.read(ZipFile.bytes(files)) }
    }

    @Test func cutsAndDamage() throws {
        let bytes = ZipFile.bytes(Self.files(Self.sheet()))
        for length in stride(from: 0, to: bytes.count, by: 11) {
            if let part = try? Self.read(Array(bytes[..<length])) { #expect(part.lines.count <= 2) }
        }
        for at in stride(from: 0, to: bytes.count, by: 13) {
            var altered = bytes
            altered[at] ^= 0xFF
            _ = try? Self.read(altered)
        }
    }
}

/// A zip file without compression (APPNOTE 6.3, sections 4.3.7 and 4.3.12).
enum ZipFile {
    static func bytes(_ files: [(String, String)]) -> [UInt8] {
        var (file, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, text) in files {
            let (name, content) = (Array(name.utf8), Array(text.utf8))
            let offset = file.count
            let common =
                number(20, 2) + number(0, 8) + number(checksum(content), 4) + number(content.count, 4)
                + number(content.count, 4) + number(name.count, 2) + number(0, 2)
            file += [0x50, 0x4B, 3, 4] + common + name + content
            directory += [0x50, 0x4B, 1, 2] + number(20, 2) + common + number(0, 10) + number(offset, 4) + name
        }
        let end =
            number(0, 4) + number(files.count, 2) + number(files.count, 2) + number(directory.count, 4)
            + number(file.count, 4) + number(0, 2)
        return file + directory + [0x50, 0x4B, 5, 6] + end
    }

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(sum ^ 0xFFFF_FFFF)
    }
}
