import ArgumentParser
import Chronology
import Codecs
import Console
import DurableFiles
import Glibc
import Ingest
import Store

struct ExportMails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the retained mails to an .mbox file, or each to a file .eml in a new folder.",
        discussion: """
            'parserctl import' and mail programs read both. Of a settled mail the ledger may retain the header and the text only (keep_raw).
            """)
    @Argument(help: "A new file whose name ends with .mbox, or a new folder.")
    var path: String
    @OptionGroup var selection: ArchiveConditions
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try options.read { store in
            let selected = try selection.value()
            guard access(path, F_OK) != 0 else { throw Refused("\(path) exists\nName a new file or folder.") }
            store.noteCopy("export of retained mails")
            let mails = path.hasSuffix(".mbox") ? try writeFile(store, selected) : try writeFolder(store, selected)
            Terminal.progress(nil)
            options.show(
                .object([("path", .string(path)), ("mails", JSON(mails))]), "\(path): \(mails) mails")
        }
    }

    private func writeFile(_ store: Store, _ selected: ArchiveSelection) throws -> Int {
        var count = 0
        try FileReplacement(path, mode: .exactly(0o600)).write { descriptor in
            try store.archive.eachMail(selected) { mail, bytes in
                try FileOutput.write(
                    MboxWriter.entry(bytes, date: mail.receivedAt ?? mail.sentAt), to: descriptor)
                report(&count)
            }
        }
        return count
    }

    private func writeFolder(_ store: Store, _ selected: ArchiveSelection) throws -> Int {
        guard mkdir(path, 0o700) == 0 else {
            throw Refused("the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        var count = 0
        try store.archive.eachMail(selected) { mail, bytes in
            let day = (mail.receivedAt ?? mail.sentAt).map { "\($0.day())-" } ?? ""
            try FileReplacement("\(path)/\(day)\(mail.id).eml", mode: .exactly(0o600), isDurable: false).write(bytes)
            report(&count)
        }
        return count
    }

    private func report(_ count: inout Int) {
        count += 1
        if count.isMultiple(of: 1000) { Terminal.progress("\(count) mails") }
    }
}
