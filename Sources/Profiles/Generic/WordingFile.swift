import Ledger
import PCRE2
import YAMLSource

/// A file of patterns that apply to every bank: `_generic.yaml` or `_doubts.yaml`.
///
/// `(?&name)` in a pattern is replaced by the text of a piece, unlike in templates: the groups of the piece become
/// groups of the pattern.
struct WordingFile {
    let map: YAMLMapping
    private let readsSamples: Bool
    private let pieces: [String: [UInt8]]

    /// - Parameter keys: the keys of the file besides `pieces`.
    init(_ file: YAMLFile, keys: [String], samples: Bool) throws(SourceError) {
        map = try file.root().mapping(allowing: ["pieces"] + keys)
        readsSamples = samples
        var pieces: [String: [UInt8]] = [:]
        if let list = try map["pieces"]?.mapping() {
            for (name, _) in list.keys {
                guard let node = list[name] else { continue }
                pieces[name] = Array(try node.string().utf8)
            }
        }
        self.pieces = pieces
    }

    /// The file's name without its ending.
    private var name: String {
        let last = map.node.file.path.split(separator: "/").last ?? ""
        return String(last.prefix { $0 != "." })
    }

    /// Reads `pattern` and `samples` of a node.
    /// - Parameters:
    ///   - name: the pattern's name in the file.
    ///   - groups: the groups of which the pattern must have one.
    ///   - keys: the keys of the node besides these two.
    func pattern(
        _ node: YAMLNode, _ name: String, groups: Set<String> = [], keys: [String] = [], readsWholeText: Bool = true
    ) throws(SourceError) -> WordingPattern {
        let map = try node.mapping(allowing: ["pattern", "samples"] + keys)
        let text = try map.require("pattern")
        let pattern = try compile(text)
        guard groups.isEmpty || pattern.groups.contains(where: { groups.contains($0.name) }) else {
            throw text.error(
                "the pattern has no group '\(groups.sorted().joined(separator: "' or '"))'",
                remedy: "Put (?<\(groups.min() ?? "name")>…) around what is read.")
        }
        var samples: [WordingPattern.Sample] = []
        if readsSamples, let list = map["samples"] {
            for item in try list.list() { samples.append(try sample(item)) }
        }
        return WordingPattern(
            name: self.name + "/" + name, pattern: pattern, samples: samples, path: text.file.path, line: text.line,
            readsWholeText: readsWholeText)
    }

    private func compile(_ node: YAMLNode) throws(SourceError) -> Pattern {
        let text = WordingText(Array(try node.string().utf8), pieces)
        let pattern: Pattern
        do throws(PatternError) { pattern = try Pattern(text.source) } catch {
            throw node.error(
                atByte: text.offset(ofSource: error.offset), "the pattern does not compile: \(error)",
                remedy: "Blanks are ignored in patterns: write \\s for one, and \\# for a number sign.")
        }
        for group in pattern.groups
        where Field(rawValue: group.name) == nil && GenericReader.Role(rawValue: group.name) == nil {
            throw node.error(
                "the group '\(group.name)' is neither a field nor the role of an amount",
                remedy: "Use (?:…) where nothing is read.")
        }
        return pattern
    }

    private func sample(_ node: YAMLNode) throws(SourceError) -> WordingPattern.Sample {
        let map = try node.mapping(allowing: ["text", "expect"])
        let expect = try map.require("expect")
        let expectation: WordingPattern.Sample.Expectation
        if expect.isScalar {
            switch try expect.string() {
            case "none": expectation = .none
            case "match": expectation = .match
            default: throw expect.error("'none', 'match' or the expected groups are expected here")
            }
        } else {
            var groups: [String: String] = [:]
            let map = try expect.mapping()
            for (key, _) in map.keys {
                if let value = map[key] { groups[key] = try value.string() }
            }
            expectation = .groups(groups)
        }
        return WordingPattern.Sample(
            text: try map.require("text").string(), expectation: expectation, line: node.line)
    }
}

/// Text of a pattern with its pieces expanded.
fileprivate struct WordingText {
    private struct Piece {
        /// Start of its text in the source, and its call in the file.
        var source: Int
        var file: Int
        var sourceLength: Int
        var fileLength: Int
    }

    private var bytes: [UInt8] = []
    private var inserted: [Piece] = []

    init(_ text: [UInt8], _ pieces: [String: [UInt8]]) {
        var at = 0
        while at < text.count {
            if text[at...].starts(with: "(?&".utf8), let end = text[at...].firstIndex(of: UInt8(ascii: ")")),
                let piece = pieces[String(decoding: text[(at + 3)..<end], as: UTF8.self)]
            {
                inserted.append(
                    Piece(source: bytes.count, file: at, sourceLength: piece.count, fileLength: end + 1 - at))
                bytes += piece
                at = end + 1
            } else {
                bytes.append(text[at])
                at += 1
            }
        }
    }

    var source: String { String(decoding: bytes, as: UTF8.self) }

    /// Offset in the file's text of a byte of the source; inside a piece, that of its call.
    func offset(ofSource offset: Int) -> Int {
        guard let last = inserted.last(where: { $0.source <= offset }) else { return offset }
        let rest = offset - last.source - last.sourceLength
        return rest < 0 ? last.file : last.file + last.fileLength + rest
    }
}
