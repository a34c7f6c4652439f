import Glibc
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Settings
import YAMLSource

/// Reads the input as each kind of file that users write: configuration, categories, a bank, a template with samples,
/// common pieces. Every fault must be an error with a position.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let file = YAMLFile(path: "fuzz.yaml", bytes: bytes)
    attempt { _ = try Settings(file) }
    attempt {
        _ = CategoryRules(
            (try CategoryFile(file)).categories.flatMap { category in
                category.rules.map {
                    var mapping = VendorMapping(
                        id: 1, keyword: $0.keyword, categoryID: 1, category: category.name, kind: $0.kind)
                    mapping.conditions = $0.conditions
                    return mapping
                }
            })
    }
    // A set of profiles is loaded for one kind only, because that takes longer than all the rest.
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("domains:") {
        load(bank: bytes)
    } else if text.contains("define:") {
        load(common: bytes)
    } else {
        load(template: bytes)
    }
    return 0
}

fileprivate func load(template: [UInt8]) {
    attempt {
        write(template, "bank/alert.yaml")
        defer { write(plainTemplate, "bank/alert.yaml") }
        try use(ProfileSet(directories: [folder]))
    }
}

fileprivate func load(bank: [UInt8]) {
    attempt {
        write(bank, "bank/_bank.yaml")
        defer { write(plainBank, "bank/_bank.yaml") }
        try use(ProfileSet(directories: [folder]))
    }
}

fileprivate func load(common: [UInt8]) {
    attempt {
        write(common, "_common.yaml")
        defer { unlink(folder + "/_common.yaml") }
        try use(ProfileSet(directories: [folder]))
    }
}

/// A set that loads must work: its samples run, and a message of its bank is decided.
fileprivate func use(_ profiles: ProfileSet) {
    _ = profiles.checkSamples()
    for bank in profiles.banks {
        for domain in bank.domains {
            let mail =
                "From: a@\(domain)\nSubject: Alert\nDate: Thu, 28 May 2026 22:00:00 +0530\n\nRs.1,234.50 was debited from A/c XX1234 to shop@upi on 28-05-26. Ref 123456789012. Bal Rs.9.00\n"
            let decision = profiles.claim(Message(parsing: Array(mail.utf8))).decide(
                trusting: .unverified, receivedAt: nil)
            precondition((0...1).contains(decision.confidence))
        }
    }
}

/// Runs code that may throw. Every error must have a description.
fileprivate func attempt(_ body: () throws -> Void) {
    do { try body() } catch {
        let text = "\(error)"
        precondition(!text.isEmpty && text.utf8.count < 1 << 20)
    }
}

/// A folder with one bank, which `scripts/fuzz` creates in memory and removes.
fileprivate let folder: String = {
    var template = Array(((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/profiles-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { fatalError("no folder for the profiles") }
    let folder = String(cString: made)
    mkdir(folder + "/bank", 0o700)
    for (bytes, name) in [
        (plainBank, "bank/_bank.yaml"), (plainTemplate, "bank/alert.yaml"), (fewDoubts, "_doubts.yaml"),
    ] { write(bytes, folder: folder, name) }
    do { try use(ProfileSet(directories: [folder])) } catch { fatalError("\(error)") }
    return folder
}()

fileprivate let plainBank = Array("name: Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\n".utf8)
fileprivate let plainTemplate = Array(
    """
    template: bank/alert
    kind: transaction
    match: { subject_pattern: alert }
    extract: { body_pattern: 'Rs\\.(?<amount>[\\d.,]+)\\swas\\sdebited', type: expense, channel: upi }

    """.utf8)

/// The shipped doubts up to the second: the patterns of all take sixty times as long to load as every other file.
fileprivate let fewDoubts: [UInt8] = {
    let path = (getenv("SPENDWISE_PARSERS").map { String(cString: $0) } ?? "parsers") + "/_doubts.yaml"
    guard let file = fopen(path, "r") else { fatalError("\(path) cannot be read") }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&text, 1, text.count, file)
    var rules = 0
    let lines = text[..<count].split(separator: 10, omittingEmptySubsequences: false).filter { line in
        if line.starts(with: "  - name:".utf8) { rules += 1 }
        if line.starts(with: "forwarded:".utf8) { rules = 0 }
        return rules < 2
    }
    return Array(lines.joined(separator: [10]))
}()

fileprivate func write(_ bytes: [UInt8], _ name: String) { write(bytes, folder: folder, name) }

fileprivate func write(_ bytes: [UInt8], folder: String, _ name: String) {
    let descriptor = open(folder + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else { fatalError("\(folder)/\(name) cannot be written") }
    close(descriptor)
}
