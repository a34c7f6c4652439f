import Fleet
import Glibc
import Store

/// A folder for one ledger, `ledger.db`.
enum LedgerFolder {
    /// Calls `body` with the path of a new folder, and removes it with the ledger.
    static func with(_ body: (_ folder: String) throws -> Void) throws {
        var template = Array("/tmp/spendwise-fleet.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FleetError("no temporary folder: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            LedgerFiles.remove(folder + "/ledger.db")
            rmdir(folder)
        }
        try body(folder)
    }
}
