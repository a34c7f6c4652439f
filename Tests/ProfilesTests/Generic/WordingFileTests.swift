import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// `_generic.yaml` and `_doubts.yaml` in a profile folder.
@Suite struct WordingFileTests {
    static func shipped(_ name: String) throws -> String {
        try String(contentsOf: ShippedProfiles.folder.appending(path: name), encoding: .utf8)
    }

    static func notes(_ set: ProfileSet) -> [String] {
        set.claim(mail(DecisionTests.genuine + "\nThe transaction was declined.")).decide(
            trusting: .unverified, receivedAt: nil
        ).reasons.map(\.note)
    }

    @Test func builtInWordingEqualsTheShippedFiles() throws {
        #expect(PackageResources._generic_yaml == Array(try Self.shipped("_generic.yaml").utf8))
        #expect(PackageResources._doubts_yaml == Array(try Self.shipped("_doubts.yaml").utf8))
    }

    @Test func aFolderReplacesTheBuiltInWording() throws {
        let note = "a sentence of the mail says that a payment was declined or failed"
        #expect(Self.notes(try ProfileFolder.set()) == [note])
        let own = try Self.shipped("_doubts.yaml").replacing(note, with: "declined")
        let set = try ProfileFolder.set(["_doubts.yaml": own])
        #expect(Self.notes(set) == ["declined"])
        #expect(set.wordingPatterns.allSatisfy { $0.name.hasPrefix("_doubts/") } && !set.wordingPatterns.isEmpty)
    }

    @Test(arguments: [
        ("\\b neft \\b", "\\b neft ( \\b", "does not compile"), ("(?<time>", "(?<tea>", "neither a field"),
        ("Rs.500\", expect: match", "Rs.500\", expect: maybe", "'none', 'match'"),
        ("channel: rtgs", "channel: rtgss", "unknown channel"),
        ("  taken:", "  token:", "unknown key 'token'"),
    ])
    func anErrorNamesItsPlace(old: String, new: String, message: String) throws {
        let text = try Self.shipped("_generic.yaml").replacing(old, with: new, maxReplacements: 1)
        let error = #expect(throws: SourceErrors.self) { try ProfileFolder.set(["_generic.yaml": text]) }
        let first = try #require(error?.errors.first)
        #expect(first.file.hasSuffix("/_generic.yaml") && first.message.contains(message), "\(first)")
        #expect(first.line > 1)
    }
}
