import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import PCRE2
import ProfileFixture
import Testing

@testable import Profiles

/// Requirements of patterns, stored in a file.
@Suite struct RequirementFileTests {
    static let path = NSTemporaryDirectory() + "words-"

    /// Words by alternatives, by place, beside each other, and a pattern that requires nothing.
    static let sources = [
        "spent \\s at | paid \\s to", "amount .* debited",
        "(?: card | account ) \\s (?: ending | no ) \\s \\d+ \\s (?: debited | credited )", "\\d+",
    ]

    static func requirement(_ source: String, _ words: Vocabulary) -> RequirementCode {
        RequirementCode(PatternNeeds(of: source).literals, words: words)
    }

    static func written(to path: String, owner: String = "mine") {
        let words = Vocabulary()
        let file = RequirementFile(path: path, owner: owner, words: words)
        for source in sources {
            #expect(file.recall(source) == nil)
            file.keep(requirement(source, words), of: source)
        }
        file.save()
    }

    /// A requirement with its words instead of their numbers.
    static func named(_ requirement: RequirementCode?, _ words: Vocabulary) -> [String]? {
        guard let requirement else { return nil }
        var used: [String] = []
        let other = RequirementCode(requirement.code[...]) { number in
            used.append(words.word(Int(number)) ?? "?")
            return Int32(truncatingIfNeeded: used.count)
        }
        return used + (other?.code.map(String.init) ?? ["no tree"])
    }

    /// The words of a file become those of an empty vocabulary, and get other numbers in one that has words.
    @Test(arguments: [[], ["elsewhere"], ["debited", "elsewhere"]])
    func cachedNeedsAreReadWithAnotherVocabulary(present: [String]) throws {
        let path = Self.path + UUID().uuidString
        Self.written(to: path)
        let words = Vocabulary()
        for word in present { _ = words.number(word) }
        let file = RequirementFile(path: path, owner: "mine", words: words)
        for source in Self.sources {
            let fresh = Vocabulary()
            #expect(
                Self.named(file.recall(source), words) == Self.named(Self.requirement(source, fresh), fresh),
                "\(source)")
        }
        #expect(file.recall("unheard \\s of") == nil)
        // More is added to what there is.
        file.keep(Self.requirement("unheard \\s of", words), of: "unheard \\s of")
        file.save()
        let again = RequirementFile(path: path, owner: "mine", words: Vocabulary())
        #expect((Self.sources + ["unheard \\s of"]).allSatisfy { again.recall($0) != nil })
    }

    @Test func fileOfAnotherUserIsNotUsed() throws {
        let path = Self.path + UUID().uuidString
        Self.written(to: path)
        #expect(RequirementFile(path: path, owner: "other", words: Vocabulary()).recall(Self.sources[0]) == nil)
        #expect(RequirementFile(path: nil, owner: "mine", words: Vocabulary()).recall(Self.sources[0]) == nil)
    }

    /// A truncated or changed file is ignored, and replaced.
    @Test func damagedFileIsRecomputed() throws {
        let path = Self.path + UUID().uuidString
        Self.written(to: path)
        let whole = try #require(CacheFile.read(path, upTo: 1 << 20))
        for at in whole.indices {
            var bytes = whole
            bytes[at] ^= 0x41
            for damaged in [Array(whole[..<at]), bytes] {
                CacheFile.write(damaged, to: path)
                #expect(
                    RequirementFile(path: path, owner: "mine", words: Vocabulary()).recall(Self.sources[0]) == nil,
                    "\(at)")
            }
        }
        Self.written(to: path)
        #expect(RequirementFile(path: path, owner: "mine", words: Vocabulary()).recall(Self.sources[0]) != nil)
    }

    /// As a file would have to be made on purpose.
    @Test(
        arguments: [
            [], [0], [1, 3, 0], [1, 2], [9, 2], [1, 9, 0], [2, 5, 1, 9, 0], [2, 4, 1, 1], [3, 6, 1, 3, 0, 7],
            [4, 3, 0, 0], [1, 5, 99, 0, 0], [4, 4, 0, 0],
        ] as [[Int32]]) func malformedTreesAreRejected(codes: [Int32])
    {
        #expect(RequirementCode(codes[...]) { $0 < 9 ? $0 : nil } == nil)
    }

    @Test(arguments: [(90, true), (20_000, false)]) func depthOfATreeIsLimited(depth: Int, isRequirement: Bool) {
        var codes: [Int32] = []
        for level in 0..<depth { codes += [2, Int32(2 * (depth - level))] }
        #expect((RequirementCode(codes[...]) { $0 } != nil) == isRequirement)
    }

    /// A second start recalls what the first one worked out, and decides alike.
    @Test func theShippedProfilesDecideAlikeFromTheFile() throws {
        let proofs = DeferredLoadingTests.proofs()
        let sets = try (0..<2).map { _ in try DeferredLoadingTests.set(ShippedProfiles.folder.path, proofs) }
        let path = try #require(proofs.path) + ".words"
        var sizes: [Int] = []
        for set in sets {
            for bank in try ShippedProfiles.all.get().banks.prefix(12) {
                for sample in bank.templates.compactMap(\.samples.first) {
                    let message = Message(parsing: sample.message())
                    let (expected, got) = (
                        try ShippedProfiles.all.get().claim(message).decide(trusting: .unverified, receivedAt: nil),
                        set.claim(message).decide(trusting: .unverified, receivedAt: nil)
                    )
                    #expect(
                        got.outcome == expected.outcome && got.template == expected.template
                            && got.draft == expected.draft, "\(bank.key): \(sample.name)")
                }
            }
            sizes.append(CacheFile.read(path, upTo: 1 << 24)?.count ?? 0)
        }
        #expect(sizes[0] > 10_000 && sizes[0] == sizes[1])
    }
}
