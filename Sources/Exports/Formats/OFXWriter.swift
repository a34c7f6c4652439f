import Chronology
import Ledger
import Store

/// OFX 2.2: one statement for each account and currency, bank accounts before cards. The identifier is the FITID.
struct OFXWriter: ExportWriter {
    private var set: String?
    private var section: ExportSection?
    private var today = CalendarDate(daysSince1970: 0)

    /// Characters of NAME (OFX 2.2, section 11.4.4.1), MEMO (255) and CHECKNUM (12).
    private static let nameLimit = 32
    private static let memoLimit = 255

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        today = book.today
        out.line(#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#)
        out.line(#"<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>"#)
        out.line("<OFX>")
        out.line("<SIGNONMSGSRSV1><SONRS>\(Self.status)<DTSERVER>\(Self.instant(today))</DTSERVER>")
        out.line("<LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>")
    }

    mutating func open(_ section: ExportSection, _ out: inout ExportText) {
        self.section = section
        let isCard = section.account.type == .card
        let wanted = isCard ? "CREDITCARDMSGSRSV1" : "BANKMSGSRSV1"
        if set != wanted {
            if let set { out.line("</\(set)>") }
            out.line("<\(wanted)>")
            set = wanted
        }
        let id = Self.text(Self.accountID(section), limit: 22)
        out.line(isCard ? "<CCSTMTTRNRS>" : "<STMTTRNRS>")
        out.line("<TRNUID>0</TRNUID>\(Self.status)")
        out.line(isCard ? "<CCSTMTRS>" : "<STMTRS>")
        out.line("<CURDEF>\(section.currency.code)</CURDEF>")
        if isCard {
            out.line("<CCACCTFROM><ACCTID>\(id)</ACCTID></CCACCTFROM>")
        } else {
            let bank = Self.text(section.account.institution ?? "SpendWise", limit: 9)
            out.line("<BANKACCTFROM><BANKID>\(bank)</BANKID><ACCTID>\(id)</ACCTID>")
            out.line("<ACCTTYPE>\(section.account.isDebt ? "CREDITLINE" : "SAVINGS")</ACCTTYPE></BANKACCTFROM>")
        }
        out.line("<BANKTRANLIST><DTSTART>\(Self.instant(section.first))</DTSTART>")
        out.line("<DTEND>\(Self.instant(section.last))</DTEND>")
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        // The balance of the statement contains the opening balance.
        guard let row = entry.row else { return }
        out.line("<STMTTRN><TRNTYPE>\(Self.type(entry, row))</TRNTYPE><DTPOSTED>\(Self.instant(entry.day))</DTPOSTED>")
        out.line("<TRNAMT>\(entry.amount.decimal)</TRNAMT><FITID>\(entry.id)</FITID>")
        let payee = PlainLine.make(entry.payee)
        let name = Self.text(payee.isEmpty ? row.category : payee, limit: Self.nameLimit)
        out.line("<NAME>\(name.isEmpty ? "-" : name)</NAME>")
        let isCut = payee.unicodeScalars.count > Self.nameLimit
        let memo = [isCut ? payee : "", entry.notes, row.reference.map { "ref \($0)" } ?? ""].filter { !$0.isEmpty }
        if !memo.isEmpty {
            out.line("<MEMO>\(Self.text(memo.joined(separator: "; "), limit: Self.memoLimit))</MEMO>")
        }
        out.line("</STMTTRN>")
    }

    mutating func close(_ out: inout ExportText) {
        guard let section else { return }
        let isCard = section.account.type == .card
        out.line("</BANKTRANLIST>")
        out.line("<LEDGERBAL><BALAMT>\(section.balance.decimal)</BALAMT>")
        out.line("<DTASOF>\(Self.instant(section.last))</DTASOF></LEDGERBAL>")
        out.line(isCard ? "</CCSTMTRS></CCSTMTTRNRS>" : "</STMTRS></STMTTRNRS>")
    }

    mutating func end(_ out: inout ExportText) {
        if let set { out.line("</\(set)>") }
        out.line("</OFX>")
    }

    private static let status = "<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>"

    /// Noon of the day, so that it is the same day in nearly every time zone.
    private static func instant(_ day: CalendarDate) -> String {
        day.description.replacing("-", with: "") + "120000"
    }

    private static func accountID(_ section: ExportSection) -> String {
        let account = section.account
        let number = account.id.map { "\(account.lastFour ?? "")-\($0)" } ?? "unassigned"
        return number + (section.currency == account.currency ? "" : "-\(section.currency.code)")
    }

    private static func type(_ entry: ExportEntry, _ row: TransactionRow) -> String {
        if entry.isTransfer { return "XFER" }
        switch row.channel {
        case .atm: return "ATM"
        case .cheque: return "CHECK"
        case .card: return entry.amount.minorUnits < 0 ? "POS" : "CREDIT"
        default: return entry.amount.minorUnits < 0 ? "DEBIT" : "CREDIT"
        }
    }

    /// One line with the references of XML. A limit counts characters before they are made.
    private static func text(_ text: String, limit: Int) -> String {
        var result = ""
        for scalar in PlainLine.make(text, limit: limit).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
