import Chronology
import InternetMessage
import Ledger
public import Profiles
import YAMLSource

/// Mends a template that reads a form of mail wrongly: a pattern derived from such a mail is placed before its own
/// ones, and the mail becomes one more sample. The rest of its file stays, and every sample that passed still passes.
public struct TemplateMending {
    public struct Result: Sendable {
        public var old: String
        public var yaml: String
        public var notes: [String]
    }

    private let base: ProfileSet
    private let proof: TemplateProof
    private let template: String
    private let file: YAMLFile
    private let mail: ExampleMail
    private let message: Message
    private let zone: IANATimeZone
    private let words: Set<String>

    /// - Parameters:
    ///   - template: name such as `hdfc/card-spend`.
    ///   - mail: with corrected values.
    /// - Throws: ``DerivationError``, or the errors of the folders.
    public init(folders: ProfileFolders, template: String, mail: ExampleMail) throws {
        let parts = template.split(separator: "/").map(String.init)
        guard parts.count == 2 else { throw DerivationError(.notProvable, "'\(template)' is not a template of a file") }
        base = try ProfileSet(directories: folders, only: parts[0])
        guard let bank = base.banks.first, let file = base.file(ofTemplate: template, in: folders) else {
            throw DerivationError(
                .notProvable, "there is no file of the template \(template)",
                remedy: "It may be made of an account: change that under /accounts.")
        }
        self.template = template
        self.file = file
        self.mail = mail
        message = Message(parsing: mail.bytes)
        zone = bank.timeZone
        let claim = base.claim(message)
        if let draft = claim.decide(trusting: .unverified, receivedAt: nil).draft,
            mail.values.allSatisfy({ draft.reads($0.key, as: $0.value) })
        {
            throw DerivationError(.notProvable, "\(template) reads \(mail.name) so already: there is nothing to mend")
        }
        guard claim.claimants() == [template] else {
            throw DerivationError(.notProvable, "\(mail.name) is not read by \(template) alone")
        }
        words = base.bankWords().union(BankWords.lowercased(bank.name + " " + parts[0]))
        proof = try TemplateProof(folders: folders, base: base, bank: parts[0], template: template, bankFile: nil)
    }

    /// Tries choices from the most general to the most specific, and returns the first proven one.
    /// - Parameter retained: further mails, which must be read as before.
    public func run(retained: [TemplateProof.RetainedMails] = []) throws -> Result {
        let marked = MarkedMail(message, values: mail.values, zone: zone)
        var options = DraftOptions()
        options.knownWords = words
        options.statusRow = base.negatives?.row.pattern
        var first: DerivationError?
        for specificity in 0...TemplateDraft.greatestSpecificity {
            do throws(DerivationError) {
                return try prove(
                    TemplateDraft.derive(from: [marked], options: options, specificity: specificity), retained)
            } catch {
                // More specific choices do not help against a missing value.
                if [.missingValue, .valueNotFound, .ambiguous, .internal].contains(error.cause) { throw error }
                first = first ?? error
            }
        }
        throw first ?? DerivationError(.notProvable, "no pattern could be derived")
    }

    private func prove(
        _ draft: TemplateDraft, _ retained: [TemplateProof.RetainedMails]
    ) throws(DerivationError) -> Result {
        do {
            let mended = try withPatterns(draft.patterns)
            let bare = try proof.loaded(mended)
            try proof.checkReading(of: mail, by: bare, ignores: false)
            let redaction = try bare.redact(mail.bytes, knownWords: words)
            guard let read = redaction.decision.draft else {
                throw DerivationError(.notProvable, "nothing is read from the redacted mail")
            }
            let sample = TemplateDraft.WrittenSample(
                name: "as corrected by a person", from: message.from.first?.addrSpec ?? "", date: redaction.date,
                subject: redaction.subject, text: redaction.text, expect: .fields(Sample.fields(of: read)))
            let yaml = try Self.withSample(sample.yaml, in: mended)
            let set = try proof.loaded(yaml)
            try proof.check(set, given: [mail], ignores: false)
            return Result(
                old: String(decoding: file.bytes, as: UTF8.self), yaml: yaml,
                notes: draft.notes + [try proof.unchanged(set, retained, except: mail.bytes)])
        } catch let error as DerivationError { throw error } catch { throw DerivationError(.notProvable, "\(error)") }
    }

    /// The file with further patterns before those of `extract.body_pattern`.
    private func withPatterns(_ patterns: [String]) throws(DerivationError) -> String {
        do {
            let extract = try file.root().mapping()["extract"]?.mapping()
            guard let extract, let value = extract["body_pattern"],
                let place = extract.keys.first(where: { $0.name == "body_pattern" })?.place
            else {
                throw DerivationError(
                    .notProvable, "\(template) has no body_pattern",
                    remedy: "Mend \(file.path) by hand; 'parserctl explain' shows how it reads the mail.")
            }
            let old = try value.strings()
            var lines = Self.lines(file)
            let indentation = place.column - 1
            guard lines.indices.contains(place.line - 1),
                lines[place.line - 1].prefix(indentation).allSatisfy({ $0 == " " })
            else { throw byHand }
            let end = Self.end(of: place.line - 1, indentation, lines, listMayStandThere: true)
            var new = [Self.blanks(indentation) + "body_pattern:"]
            for pattern in patterns + old {
                new.append(Self.blanks(indentation + 2) + "- |-")
                // Blanks have no meaning in these patterns, and a block's first line sets its indentation.
                for line in pattern.drop(while: { $0 == " " || $0 == "\n" }).split(separator: "\n") {
                    new.append(Self.blanks(indentation + 6) + line)
                }
            }
            lines.replaceSubrange((place.line - 1)..<end, with: new)
            return lines.joined(separator: "\n")
        } catch let error as DerivationError { throw error } catch { throw DerivationError(.notProvable, "\(error)") }
    }

    private var byHand: DerivationError {
        DerivationError(
            .notProvable, "\(file.path) has a layout that cannot be edited", remedy: "Mend it by hand.")
    }

    /// The file with one more sample after the others.
    static func withSample(_ sample: String, in text: String) throws -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("samples:") }),
            lines[start].dropFirst(8).allSatisfy({ $0 == " " })
        else {
            let rest = lines.filter { !$0.hasPrefix("samples:") }
            return (rest + ["samples:"]).joined(separator: "\n") + "\n" + sample
        }
        let end = end(of: start, 0, lines, listMayStandThere: true)
        let depth =
            lines[start + 1..<end].first { $0.drop { $0 == " " }.hasPrefix("- ") }.map { $0.prefix { $0 == " " }.count }
            ?? 2
        let moved = sample.split(separator: "\n").map { line in
            depth >= 2 ? blanks(depth - 2) + line : String(line.dropFirst(2 - depth))
        }
        lines.insert(contentsOf: moved, at: end)
        return lines.joined(separator: "\n") + "\n"
    }

    static func lines(_ file: YAMLFile) -> [String] {
        String(decoding: file.bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }.map(String.init)
    }

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// The line after the entry that begins at `start`: the next one with the same or less indentation, without
    /// preceding empty lines.
    static func end(of start: Int, _ indentation: Int, _ lines: [String], listMayStandThere: Bool) -> Int {
        var end = start + 1
        for index in lines.indices.dropFirst(start + 1) {
            let text = lines[index].drop { $0 == " " }
            if text.isEmpty { continue }
            let depth = lines[index].count - text.count
            guard depth > indentation || depth == indentation && listMayStandThere && text.hasPrefix("-") else { break }
            end = index + 1
        }
        return end
    }
}
