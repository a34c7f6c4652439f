import Ledger
import YAMLSource

/// The language files of the profile folders. A file is compiled with the first mail that asks for its language.
final class Languages: Sendable {
    private let words: [String: Deferred<LanguageWords>]
    /// The languages of a word that is common in them.
    private let common: Deferred<[String: [String]]>
    /// Every pattern, for its samples; empty if the profiles are loaded without samples.
    let all: [WordingPattern]

    /// Maximum number of languages that a mail is read in: Belgium and Switzerland have three beside English.
    private static let maximumCount = 4
    /// Number of words of a text that are looked up.
    private static let countedWords = 400

    /// - Parameter files: by language.
    init(_ files: [String: YAMLFile], samples: Bool) throws(SourceError) {
        words = files.mapValues { file in
            Deferred { () throws(SourceErrors) in
                do throws(SourceError) { return try LanguageWords(file, samples: samples) } catch {
                    throw SourceErrors([error])
                }
            }
        }
        common = Deferred { () throws(SourceErrors) in
            var found: [String: [String]] = [:]
            for file in files.values {
                do throws(SourceError) {
                    let (language, words) = try LanguageWords.commonWords(file)
                    for word in words { found[word, default: []].append(language) }
                } catch {
                    throw SourceErrors([error])
                }
            }
            return found
        }
        var all: [WordingPattern] = []
        if samples {
            for (_, words) in words.sorted(by: { $0.key < $1.key }) {
                do throws(SourceErrors) { all += try words.get().all } catch {
                    if let first = error.errors.first { throw first }
                }
            }
        }
        self.all = all
    }

    var isEmpty: Bool { words.isEmpty }

    /// Compiles every file, for its errors.
    func prove() throws(SourceErrors) {
        for words in words.values { _ = try words.get() }
        _ = try common.get()
    }

    /// The words of the languages that a text is in, the likeliest first.
    /// - Parameter expected: the languages of the bank's country.
    func words(for text: [UInt8], expected: [String]) throws(SourceErrors) -> [LanguageWords] {
        var codes = try detected(in: text, expected: expected)
        // Portuguese has words of Spanish in other meanings: a mail in a language of the bank's country is read by
        // that.
        if let first = codes.first, expected.contains(first) {
            codes.removeAll { $0 != "en" && !expected.contains($0) }
        }
        for code in expected + ["en"] where words[code] != nil && !codes.contains(code) { codes.append(code) }
        var found: [LanguageWords] = []
        for code in codes.prefix(Self.maximumCount) {
            if let words = try words[code]?.get() { found.append(words) }
        }
        return found
    }

    /// The words of one language; `nil` if there are none.
    func words(of language: String) throws(SourceErrors) -> LanguageWords? { try words[language]?.get() }

    private func detected(in text: [UInt8], expected: [String]) throws(SourceErrors) -> [String] {
        var scores: [String: Int] = [:]
        for script in TextScript.all(in: text) {
            for language in script.languages { scores[language, default: 0] += 100 }
        }
        let common = try common.get()
        let isWord = { (byte: UInt8) in byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) }
        for word in text.split(maxSplits: Self.countedWords, whereSeparator: { !isWord($0) }).prefix(Self.countedWords)
        {
            guard word.count <= 16 else { continue }
            for language in common[String(decoding: word, as: UTF8.self).lowercased()] ?? [] {
                scores[language, default: 0] += 1
            }
        }
        return scores.filter { words[$0.key] != nil && $0.value >= 2 }.sorted { a, b in
            if a.value != b.value { return a.value > b.value }
            let (first, second) = (expected.firstIndex(of: a.key), expected.firstIndex(of: b.key))
            return (first ?? .max, a.key) < (second ?? .max, b.key)
        }.map(\.key)
    }
}

/// A script that alone identifies the language, or nearly.
enum TextScript: CaseIterable {
    case arabic, devanagari, thai, hangul, kana, han

    var languages: [String] {
        switch self {
        case .arabic: ["ar"]
        case .devanagari: ["hi"]
        case .thai: ["th"]
        case .hangul: ["ko"]
        case .kana: ["ja"]
        case .han: ["zh"]
        }
    }

    /// Letters of a script that are more than a name.
    private static let enough = 6

    /// The scripts of a text. Japanese has kana and Chinese characters: then it is not Chinese.
    static func all(in text: [UInt8]) -> [TextScript] {
        var counts: [TextScript: Int] = [:]
        var at = 0
        while at + 1 < text.count {
            let (byte, next) = (text[at], text[at + 1])
            if byte >= 0xC0, let script = script(byte, next) { counts[script, default: 0] += 1 }
            at += 1
        }
        let found = allCases.filter { counts[$0] ?? 0 >= enough }
        return found.contains(.kana) ? found.filter { $0 != .han } : found
    }

    /// By the first two bytes of a character.
    private static func script(_ byte: UInt8, _ next: UInt8) -> TextScript? {
        switch (byte, next) {
        case (0xD8...0xDB, _): .arabic
        case (0xE0, 0xA4...0xA5): .devanagari
        case (0xE0, 0xB8...0xB9): .thai
        case (0xE3, 0x81...0x83): .kana
        case (0xE4...0xE9, _): .han
        case (0xEA, 0xB0...), (0xEB...0xEC, _), (0xED, ...0x9E): .hangul
        default: nil
        }
    }
}
