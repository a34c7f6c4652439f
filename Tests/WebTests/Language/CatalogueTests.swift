import Codecs
import Foundation
import Ledger
import Store
import Testing

@testable import Web

/// The catalogue of texts is complete in both languages, and nothing on a page is said beside it.
@Suite struct CatalogueTests {
    static let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/Web").standardized

    /// Without the texts of another language in place of missing ones.
    static let own: [PageLanguage: TextCatalogue] = [
        .english: TextCatalogue(.english, EmbeddedFile.bytes("en.json")),
        .hindi: TextCatalogue(.hindi, EmbeddedFile.bytes("hi.json")),
    ]

    /// All templates, also those of pages without the frame.
    static let templates = PageLibrary.templates.merging([
        "login": EmbeddedFile.bytes("login.mustache"), "refusal": EmbeddedFile.bytes("refusal.mustache"),
        "resend": EmbeddedFile.bytes("resend.mustache"), "start": EmbeddedFile.bytes("start.mustache"),
    ]) { $1 }.mapValues { String(decoding: $0, as: UTF8.self) }

    static func placeholders(_ text: TextCatalogue.Text) -> Set<String> {
        let found = [text.one, text.other].compactMap(\.self).flatMap { $0.matches(of: #/\{([a-z\/]+)\}/#) }
        return Set(found.map { String($0.output.1) })
    }

    /// The text of Swift files, without comments.
    static func swiftText() throws -> [(file: String, lines: [String])] {
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map { file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            return (
                file.lastPathComponent,
                lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.map(String.init)
            )
        }
    }

    @Test func filesAreObjectsOfGroups() throws {
        for file in [EmbeddedFile.bytes("en.json"), EmbeddedFile.bytes("hi.json")] {
            guard case .object(let groups) = try JSON(parsing: file) else { throw Missing(what: "groups") }
            for case (let name, let group) in groups {
                guard case .object(let members) = group else { throw Missing(what: name) }
                #expect(members.allSatisfy { TextCatalogue.Text($0.1) != nil }, "\(name)")
            }
        }
    }

    private struct Missing: Error { var what: String }

    @Test func everyTextIsTranslated() throws {
        let (english, hindi) = (try #require(Self.own[.english]?.texts), try #require(Self.own[.hindi]?.texts))
        #expect(english.count > 1000)
        #expect(Set(english.keys).subtracting(hindi.keys).sorted() == [])
        let ofLowerTargets = Set(hindi.keys.filter { key in Self.ofLowerTargets.contains { key.hasPrefix($0) } })
        #expect(Set(hindi.keys).subtracting(english.keys) == ofLowerTargets)
        for (key, text) in hindi where !ofLowerTargets.contains(key) {
            #expect(
                Self.placeholders(text) == english[key].map(Self.placeholders), "the placeholders of \(key) differ")
        }
    }

    /// Groups of texts that lower targets have in English: a case selects them in other languages.
    static let ofLowerTargets = ["reason.", "health."]

    @Test func casesOfLowerTargetsAreTranslated() throws {
        let hindi = try #require(Self.own[.hindi]?.texts)
        let reasons = Reason.Factor.allCases.map(\.rawValue) + IgnoreReason.allCases.map(\.rawValue)
        #expect(Set(hindi.keys.filter { $0.hasPrefix("reason.") }) == Set(reasons.map { "reason." + $0 }))
        let used = try Self.swiftText().filter { $0.file == "HealthText.swift" }.flatMap(\.lines).flatMap { line in
            line.matches(of: #/"(health\.[a-z-]+)"/#).map { String($0.output.1) }
        }
        #expect(Set(hindi.keys.filter { $0.hasPrefix("health.") }) == Set(used))
        PageLanguage.$current.withValue(.hindi) {
            #expect(ReasonText.note(Reason(.newSender, weight: 1, note: "new")) == "भेजने वाले का पता इस बैंक के लिए नया है")
            #expect(ReasonText.note(Reason(name: "of_another_version", weight: 1, note: "words")) == "words")
            #expect(
                HealthText.sentence(HealthFault.notReadYet(mailbox: "home")).hasPrefix("मेलबॉक्स home: अभी पढ़ा नहीं गया"))
            #expect(Channel.card.words == "कार्ड" && Channel.upi.words == "UPI")
        }
        #expect(ReasonText.note(Reason(.newSender, weight: 1, note: "new")) == "new")
        #expect(HealthText.sentence(HealthFault.notReadYet(mailbox: "home")).contains("has not been read yet"))
    }

    @Test func faultsOfLowerTargetsAreTranslated() {
        let faults: [FieldFault] = [
            .empty, .required, .tooLong(120), .tooMany(3), .controlCharacters, .currency, .century, .amountRange,
            .notPositive, .percent, .years(50), .noDay, .tagForm, .tooFewParts, .tooManyParts(50), .upiAddress,
            .alias(words: 6), .amountForm, .currencyForm, .dateForm, .timeForm, .oneOf(["a", "b"]),
        ]
        for fault in faults {
            #expect(fault.sentence == fault.detail)
            PageLanguage.$current.withValue(.hindi) {
                #expect(fault.sentence != fault.detail && !fault.sentence.contains("{"), "\(fault)")
            }
        }
    }

    /// Markup comes from the templates, so that a translation can neither break a page nor run in it.
    @Test func textsHoldNeitherMarkupNorEscapes() {
        for (language, catalogue) in Self.own {
            for (key, text) in catalogue.texts {
                for part in [text.one, text.other].compactMap(\.self) {
                    #expect(!part.contains(#/<[a-z\/!]|\{\{|\[\[|&[a-z]+;|\\/#), "\(language) \(key)")
                    #expect(!part.isEmpty, "\(language) \(key)")
                }
            }
        }
    }

    /// Beginnings of keys that continue with a word of the ledger, such as the length of a period.
    static let chosenByWord = [
        "bank.notice-",
        "budgets.by-",
        "category.",
        "channel.",
        "comparison.received",
        "comparison.spent",
        "consent.login-",
        "count.",
        "date.month-",
        "date.weekday-",
        "field.",
        "history.item-",
        "missing.",
        "new-mailbox.fault-",
        "new-mailbox.password-",
        "new-mailbox.tls-",
        "notice.",
        "notifications.about-",
        "notifications.event-",
        "notifications.fault-",
        "notifications.kind-",
        "notifications.refused-",
        "notifications.tls-",
        "overview.by-",
        "overview.most-in-one-",
        "page.",
        "period.compare-",
        "period.kind-",
        "roles.",
        "statistics.categories-by-",
        "statistics.name-",
        "statistics.partial-",
        "statistics.series-by-",
        "statistics.worth-by-",
        "theme.",
        "type.",
    ]

    @Test func everyKeyExistsAndIsUsed() throws {
        let texts = try #require(Self.own[.english]?.texts)
        var used: Set<String> = []
        for (name, template) in Self.templates {
            for match in template.matches(of: #/\[\[([^|\]]+)/#) {
                used.insert(String(match.output.1))
                #expect(texts[String(match.output.1)] != nil, "\(name): \(match.output.1)")
            }
        }
        let groups = Set(texts.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
        for (file, lines) in try Self.swiftText() where file != "TextCatalogue.swift" {
            for match in lines.joined(separator: "\n").matches(of: #/"([a-z-]+)\.([a-z0-9_-]+)"/#) {
                guard groups.contains(String(match.output.1)) else { continue }
                let key = "\(match.output.1).\(match.output.2)"
                used.insert(key)
                // A name with a full stop is also one of a file.
                #expect(texts[key] != nil || Self.notKeys.contains(key), "\(file): \(key)")
            }
            for match in lines.joined(separator: "\n").matches(of: #/PageText\.count\([^"]*"([a-z-]+)"/#) {
                #expect(texts["count.\(match.output.1)"] != nil, "\(file): \(match.output.1)")
            }
        }
        let unused = texts.keys.filter { key in
            !used.contains(key) && !Self.chosenByWord.contains { key.hasPrefix($0) }
        }
        #expect(unused.sorted() == [])
    }

    static let notKeys: Set = [
        "login.mustache", "page.js", "passkey.js", "refusal.mustache", "resend.mustache", "start.mustache",
        "template.yaml",
    ]

    @Test func shippedCategoriesAreTranslated() throws {
        let file = Self.sources.appending(path: "../../config/categories.yaml").standardized
        let names = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            $0.wholeMatch(of: #/ +- name: (.+)/#).map { String($0.output.1) }
        }
        #expect(names.count > 80)
        for name in names + [CategoryRow.uncategorized] {
            #expect(Self.own[.english]?.text("category.\(name)") == name)
        }
        for kind in BankNotice.Kind.allCases {
            #expect(Self.own[.english]?.text("bank.notice-\(kind.rawValue)") != nil)
        }
        for field in Field.allCases { #expect(Self.own[.english]?.text("field.\(field.rawValue)") == field.rawValue) }
        PageLanguage.$current.withValue(.hindi) {
            #expect(CategoryText.name("Food & Dining", "Pets") == "खाना-पीना › Pets")
        }
    }

    /// Rooms that still have English texts in their templates.
    static let notConverted: Set<String> = []
    /// Words of a template that are the same in each language: names, and what a search or a field takes.
    static let sameInEachLanguage: Set = [
        "SpendWise", "INR", "coffee \"big bazaar\" -cash", "category:food, account:icici", "is:income",
        "2026-10, 2026-Q3, fy2026",
    ]

    @Test func templatesHoldNoWords() {
        for (name, template) in Self.templates where !Self.notConverted.contains(name) {
            var text = template.replacing(#/\[\[.*?\]\]/#.dotMatchesNewlines(), with: "")
            text = text.replacing(#/<(pre|code|kbd)\b.*?<\/(pre|code|kbd)>/#.dotMatchesNewlines(), with: "")
            text = text.replacing(#/\{\{.*?\}\}/#, with: "")
            let attributes = text.matches(of: #/(?:aria-label|placeholder|title|alt)="([^"]*)"/#).map(\.output.1)
            let runs = text.split(separator: #/<[^>]*>/#) + attributes
            for run in runs {
                let words = run.split { $0.isWhitespace || $0 == "·" }.joined(separator: " ")
                    .replacing(#/&[a-z]+;/#, with: "")
                #expect(
                    !words.contains(#/[A-Za-z]{2}/#) || Self.sameInEachLanguage.contains(words), "\(name): \(words)")
            }
        }
    }

    /// Words in the views that are no texts: descriptions for programs, classes of the style sheet, and words of the
    /// audit log.
    static let noTexts: Set<String> = [
        "a type", "a period", "a mode", "is required", "no key of a text", "passphrase set", "first visitor",
        "any maskable",
        // Of the audit log, and of a template.
        "made private", "<form method=",
    ]

    @Test func viewsHoldNoSentences() throws {
        for (file, lines) in try Self.swiftText() {
            for line in lines where !line.contains(#/logger\.|metadata:|detail:|message:/#) {
                for match in line.matches(of: #/"([^"\\\[\]]*[a-z]{2,} [a-z]{2,}[^"\\\[\]]*)"/#) {
                    guard Self.pageFiles.contains(file) else { continue }
                    #expect(Self.noTexts.contains(String(match.output.1)), "\(file): \(match.output.1)")
                }
            }
        }
    }

    static let pageFiles: Set<String> = {
        let files = FileManager.default.enumerator(
            at: sources.appending(path: "Pages"), includingPropertiesForKeys: nil)
        return Set(files?.compactMap { ($0 as? URL)?.lastPathComponent } ?? [])
    }()
}
