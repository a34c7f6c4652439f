import ArgumentParser
import Console
import Glibc
import Ingest
import Ledger
import ProfileAuthoring
import Profiles
import Settings
import YAMLSource

struct Redact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract:
            "Replace personal data in a mail by pseudonyms of the same form; the result is proven to be read the same.",
        discussion:
            "For a bug report or a sample. Check the result before you pass it on. Exit status: 0 done, 1 cannot load, 2 cannot be redacted."
    )

    @Argument(help: "A mail file.")
    var mail: String
    @Option(name: .shortAndLong, help: "The output file. Default: standard output.")
    var output: String?
    @Flag(help: "Replace an existing output file.")
    var force = false
    @OptionGroup var locations: Locations

    func run() async throws {
        let bytes: [UInt8]
        let redaction: Redaction
        do {
            bytes = try OneMail.read(mail)
            redaction = try locations.profiles().redact(bytes)
        } catch let error as RedactionError {
            StandardError.write("\(mail): \(error)\n")
            throw Exit.differs
        } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.failed
        }
        try orExit {
            if let output {
                try NewFile.write(redaction.message, to: output, replacing: force)
            } else {
                Output.write(redaction.message)
            }
        }
        let decision = redaction.decision
        StandardError.write(
            "still \(decision.outcome.rawValue)\(decision.template.map { " by \($0)" } ?? "") (check it before you pass it on)\n"
        )
    }
}

enum OneMail {
    /// The only mail at a path.
    static func read(_ path: String) throws -> [UInt8] {
        var mails: [[UInt8]] = []
        try MailArchive.read(path) { _, bytes in mails.append(bytes) }
        guard let mail = mails.first, mails.count == 1 else {
            throw SourceError(
                file: path, message: mails.isEmpty ? "holds no mail" : "holds \(mails.count) mails",
                remedy: "Give a file with one mail.")
        }
        return mail
    }
}
