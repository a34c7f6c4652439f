import Codecs
import Dispatch
import Foundation
import InternetMessage
import Ledger
import PCRE2
import ProfileFixture
import Synchronization
import Testing
import YAMLSource

@testable import Profiles

/// Templates that are compiled with the first mail of their bank.
@Suite struct DeferredLoadingTests {
    /// A separate file of proofs.
    static func proofs() -> ProofFile {
        ProofFile(path: NSTemporaryDirectory() + "proofs-" + UUID().uuidString, program: "this one")
    }

    static func set(_ folder: String, _ proofs: ProofFile = proofs()) throws -> ProfileSet {
        try ProfileSet(deferring: [folder], proofs: proofs)
    }

    static let other = [
        "other/_bank.yaml": "domains: [other.example]\n",
        "other/otp.yaml": ProfileFolder.otp.replacingOccurrences(of: "bank/otp", with: "other/otp"),
    ]

    static func folder(_ more: [String: String] = [:]) throws -> ProfileFolder {
        try ProfileFolder(
            [
                "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": ProfileFolder.spend,
                "bank/otp.yaml": ProfileFolder.otp,
            ].merging(other) { $1 }.merging(more) { $1 })
    }

    func decide(_ set: ProfileSet, from: String = "alerts@bank.example") -> Decision {
        set.claim(mail(DecisionTests.genuine, from: from)).decide(trusting: .unverified, receivedAt: nil)
    }

    @Test func deferredProfilesDecideLikeCompleteOnes() throws {
        let whole = try ShippedProfiles.all.get()
        let proofs = Self.proofs()
        _ = try Self.set(ShippedProfiles.folder.path, proofs)
        // With the proofs, requirements and texts of the first reading.
        let deferred = try Self.set(ShippedProfiles.folder.path, proofs)
        #expect(deferred.templateCount == whole.templateCount && deferred.senderDomains == whole.senderDomains)
        #expect(deferred.banks.map(\.version) == whole.banks.map(\.version))
        for bank in whole.banks {
            for sample in bank.templates.compactMap(\.samples.first) {
                let message = Message(parsing: sample.message())
                let (expected, got) = (
                    whole.claim(message).decide(trusting: .unverified, receivedAt: nil),
                    deferred.claim(message).decide(trusting: .unverified, receivedAt: nil)
                )
                #expect(
                    got.outcome == expected.outcome && got.template == expected.template && got.draft == expected.draft,
                    "\(bank.key): \(sample.name)")
            }
        }
    }

    @Test func onlyTheBanksThatMailComesFromAreCompiled() throws {
        let set = try Self.set(Self.folder().path)
        #expect(set.banks.map(\.groups.isMade) == [false, false])
        #expect(decide(set, from: "friend@elsewhere.example").outcome == .unclaimed)
        #expect(set.banks.map(\.groups.isMade) == [false, false])
        #expect(decide(set).template == "bank/spend")
        #expect(set.banks.map(\.groups.isMade) == [true, false])
    }

    /// In templates that passed the checks before, each pattern is compiled when it is first run.
    @Test func onlyThePatternsThatAMailNeedsAreCompiled() throws {
        let other = ProfileFolder.spend.replacingOccurrences(of: "bank/spend", with: "bank/never").replacingOccurrences(
            of: "spent", with: "won")
        let set = try Self.set(Self.folder(["bank/never.yaml": other]).path)
        #expect(decide(set).template == "bank/spend")
        let compiled = set.banks[0].templates.filter { template in
            if case .transaction(let extraction) = template.kind {
                (extraction.bodies + extraction.fields.map(\.pattern)).contains(where: \.isCompiled)
            } else {
                false
            }
        }
        #expect(compiled.map(\.name) == ["bank/spend"])
    }

    /// As if memory were exhausted for a moment.
    @Test func uncompiledPatternIsRetried() throws {
        let isBroken = Mutex(true)
        let words = Vocabulary()
        let pattern = TextPattern(RequirementCode(PatternNeeds(of: "b+").literals, words: words), words: words) {
            () throws(PatternError) in try Pattern(isBroken.withLock { $0 } ? "(" : "b+")
        }
        let matcher = try #require(Matcher())
        let text = SearchedText(Array("abbc".utf8), words: words)
        #expect(throws: MatchError.self) { try text.match(pattern, with: matcher) }
        isBroken.withLock { $0 = false }
        #expect(try text.match(pattern, with: matcher) && matcher.range(of: 0) == 1..<3)
    }

    @Test func laterFileChangesHaveNoEffect() throws {
        let folder = try Self.folder()
        let set = try Self.set(folder.path)
        try Data("template: [".utf8).write(to: URL(filePath: folder.path + "/bank/spend.yaml"))
        try FileManager.default.removeItem(atPath: folder.path + "/bank/otp.yaml")
        #expect(decide(set).template == "bank/spend")
        #expect(set.banks[0].templates.map(\.name) == ["bank/otp", "bank/spend"])
    }

    /// The common wording is compiled with the first mail of a bank, but a file that changed is read for its errors.
    @Test(arguments: ["_generic.yaml", "_doubts.yaml", "_words-de.yaml"])
    func changedWordingIsReadAtOnce(name: String) throws {
        let text = try WordingFileTests.shipped(name)
        let folder = try Self.folder([name: text])
        let proofs = Self.proofs()
        _ = try Self.set(folder.path, proofs)
        #expect(decide(try Self.set(folder.path, proofs)).template == "bank/spend")
        try Data((text + "\nunknown: 1\n").utf8).write(to: URL(filePath: folder.path + "/" + name))
        let error = #expect(throws: SourceErrors.self) { try Self.set(folder.path, proofs) }
        #expect(error?.errors.first?.file.hasSuffix("/" + name) == true, "\(String(describing: error))")
        let onDemand = try ProfileSet(onDemand: [folder.path], proofs: proofs)
        if !name.hasPrefix("_words") {
            #expect(throws: SourceErrors.self) {
                try onDemand.claim(mail(DecisionTests.genuine, from: "alerts@bank.example")).load()
            }
        }
        #expect(decide(onDemand, from: "friend@elsewhere.example").outcome == .unclaimed)
    }

    @Test func unprovenFoldersAreReadCompletely() throws {
        let fault = [
            "other/otp.yaml": Self.other["other/otp.yaml", default: ""].replacingOccurrences(of: "OTP'", with: "OTP('")
        ]
        let folder = try Self.folder(fault)
        let proofs = Self.proofs()
        let error = #expect(throws: SourceErrors.self) { try Self.set(folder.path, proofs) }
        let whole = #expect(throws: SourceErrors.self) { try ProfileSet(directories: [folder.path], samples: false) }
        #expect(error?.description.contains("other/otp.yaml:4:") == true && error?.description == whole?.description)
        #expect(proofs.read() == [])
    }

    @Test func faultOfASharedFolderIsReportedOnce() throws {
        let shared = [
            "_all/otp.yaml": "template: _all/otp\nkind: ignore\n",
            "bank/_bank.yaml": ProfileFolder.bank + "shared: _all\n",
            "other/_bank.yaml": "domains: [other.example]\nshared: _all\n",
        ]
        let folder = try Self.folder(shared)
        for read in [{ try Self.set(folder.path) }, { try ProfileSet(directories: [folder.path]) }]
            as [() throws -> ProfileSet]
        {
            let error = #expect(throws: SourceErrors.self) { try read() }
            #expect(error?.errors.count == 1, "\(error?.description ?? "")")
        }
    }

    /// A false proof shows that the templates of a proven folder are not loaded.
    @Test func provenFoldersAreDeferred() throws {
        let proofs = Self.proofs()
        let folder = try Self.folder(["other/otp.yaml": "template: ["])
        let files = ProfileFiles([folder.path])
        let lie = Set(files.folders.map { files.proof(ofVersion: $0.digest.hexadecimal) })
        proofs.write(lie)
        let set = try Self.set(folder.path, proofs)
        #expect(set.templateCount == 3 && decide(set).template == "bank/spend")
        #expect(decide(set, from: "x@other.example").outcome == .failed)
        // Another program's word does not count.
        #expect(ProofFile(path: proofs.path, program: "another").read() == [])
    }

    @Test func faultyBankFileIsReportedEvenIfProven() throws {
        #expect(throws: SourceErrors.self) { try Self.set(Self.folder(["other/_bank.yaml": "domains: []"]).path) }
        #expect(throws: SourceErrors.self) { try Self.set(Self.folder(["other/_bank.yaml": ProfileFolder.bank]).path) }
        #expect(throws: SourceErrors.self) { try Self.set("/nowhere") }
    }

    @Test(arguments: ["/nowhere/proofs", nil]) func worksWithoutAProofFile(path: String?) throws {
        let set = try Self.set(Self.folder().path, ProofFile(path: path, program: "this one"))
        #expect(decide(set).template == "bank/spend")
    }

    @Test(arguments: [
        (["bank/spend.yaml": ProfileFolder.spend + " "], ["bank"]),
        (["bank/new.yaml": ProfileFolder.otp.replacingOccurrences(of: "bank/otp", with: "bank/new")], ["bank"]),
        (["bank/_bank.yaml": ProfileFolder.bank + "\n"], ["bank"]), (["bank/_samples.yaml": "samples: []"], ["bank"]),
        (["_common.yaml": "define: '(?(DEFINE)(?<x>a))'"], ["bank", "other"]), ([:], []),
    ]) func aProofHoldsForTheFilesThatItIsOf(more: [String: String], unproven: [String]) throws {
        let proofs = Self.proofs()
        _ = try Self.set(Self.folder().path, proofs)
        let known = proofs.read()
        // Of the two banks and of the common wording.
        #expect(known.count == 3)
        let files = ProfileFiles([try Self.folder(more).path])
        #expect(
            files.folders.filter { !known.contains(files.proof(ofVersion: $0.digest.hexadecimal)) }.map(\.key)
                == unproven)
    }

    /// Only the bank of a mail is read, and its errors are thrown with its first mail, with or without a cache.
    @Test func onDemandReadsTheBankOfTheMail() throws {
        let folder = try Self.folder(["other/otp.yaml": "template: ["])
        for proofs in [Self.proofs(), ProofFile(path: nil, program: "")] {
            let set = try ProfileSet(onDemand: [folder.path], proofs: proofs)
            #expect(set.templateCount == 3)
            #expect(decide(set).template == "bank/spend")
            let claim = set.claim(mail(DecisionTests.genuine, from: "x@other.example"))
            #expect(throws: SourceErrors.self) { try claim.load() }
            // What loaded is not compiled again by the next program.
            #expect(proofs.read().count == (proofs.path == nil ? 0 : 1))
        }
    }

    @Test func deferredValueIsComputedOnceByManyThreads() throws {
        let made = Mutex(0)
        let value = Deferred<Int> {
            made.withLock { $0 += 1 }
            return 7
        }
        #expect(!value.isMade)
        let got = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in got.withLock { $0.append((try? value.get()) ?? 0) } }
        #expect(got.withLock(\.self) == Array(repeating: 7, count: 16))
        #expect(made.withLock(\.self) == 1 && value.isMade)
    }

    /// If memory is exhausted for a moment, the mail is retried later, and so are the templates.
    @Test func invalidTemplatesFailTheMailOnly() throws {
        let whole = try Self.set(Self.folder().path)
        let isBroken = Mutex(true)
        var bank = whole.banks[0]
        bank.groups = Deferred { [groups = bank.groups] () throws(SourceErrors) in
            if isBroken.withLock({ $0 }) { throw SourceErrors([SourceError(file: "bank", message: "no memory")]) }
            return try groups.get()
        }
        let set = ProfileSet(banks: [bank], common: whole.common)
        let failed = decide(set)
        #expect(
            failed.outcome == .failed && failed.failure?.description.contains("no memory") == true
                && failed.draft == nil)
        isBroken.withLock { $0 = false }
        #expect(decide(set).outcome == .recorded)
    }
}

@Suite struct OmittedKeyTests {
    @Test(arguments: [
        ("a: 1\nsamples:\n  - x\n  - y\nb: 2\n", "a: 1\n\n\n\nb: 2\n"),
        ("a: 1\nsamples:\n- x\n# comment\n\n- y", "a: 1\n"),
        ("samples: [1]\nb: |\n  samples:\n", "\nb: |\n  samples:\n"),
        ("a: 1\n", "a: 1\n"), ("", ""), ("a: 1", "a: 1\n"),
    ]) func keepsTheLinesOfAllOthers(text: String, expected: String) {
        let file = YAMLFile(path: "x", bytes: Array(text.utf8)).omitting("samples")
        #expect(String(decoding: file.bytes, as: UTF8.self) == expected && file.path == "x")
    }
}
