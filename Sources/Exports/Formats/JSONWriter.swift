import Codecs
import Ledger
import Store

/// JSON: one array, or one object a line (JSON Lines).
struct JSONWriter: RowWriter {
    let isArray: Bool
    private var isFirst = true

    init(isArray: Bool) { self.isArray = isArray }

    mutating func add(
        _ row: TransactionRow, _ flow: TransferLeg.Flow, in account: ExportAccount, _ out: inout ExportText
    ) {
        if isArray { out.text(isFirst ? "[" : ",") }
        isFirst = false
        var members: [(String, JSON)] = [
            ("export_id", .string(row.exportID)), ("direction", .string(flow.word)),
        ]
        if case .object(let own) = row.json { members = own + members }
        out.line(JSON.object(members).text)
    }

    mutating func end(_ out: inout ExportText) {
        if isArray { out.line(isFirst ? "[]" : "]") }
    }
}
