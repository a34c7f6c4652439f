import Ledger
import PCRE2
import Synchronization
import YAMLSource

/// Compiles the patterns of profile files with the common pieces, each text once, because banks share many sentences.
/// Safe on any thread.
final class PatternCompiler: Sendable {
    /// Caseless, multiline, extended.
    static let flags = "(?imx)"

    private let common: CommonPieces
    private let commonGroups: Set<String>
    /// The words that the patterns require.
    let words: Vocabulary
    /// True if every pattern passed the checks before, with this text.
    let isProven: Bool
    /// The cached requirements of the patterns.
    private let requirements: RequirementFile?
    private let known = Mutex<[String: TextPattern]>([:])

    /// - Parameters:
    ///   - file: `_common.yaml`.
    ///   - isProven: true if every pattern passed the checks before, with this text.
    ///   - requirements: of the same words; used if `isProven`.
    init(
        _ file: YAMLFile? = nil, words: Vocabulary = Vocabulary(), isProven: Bool = false,
        requirements: RequirementFile? = nil
    ) throws(SourceError) {
        self.words = words
        self.requirements = requirements
        self.isProven = isProven
        guard let file else {
            common = .none
            commonGroups = []
            return
        }
        let define = try file.root().mapping(allowing: ["define"]).require("define")
        let text = try define.string()
        common = CommonPieces(define: text)
        commonGroups = isProven ? [] : try Self.groupNames(in: text, common, define)
    }

    /// The names of all groups in the pieces. Compiles every piece, to find them and to check it.
    ///
    /// All pieces together may exceed the limit of PCRE2 for one compiled pattern (64 KiB). In that case each piece is
    /// compiled alone, with the pieces that it calls.
    private static func groupNames(
        in text: String, _ pieces: CommonPieces, _ define: YAMLNode
    ) throws(SourceError) -> Set<String> {
        do throws(PatternError) {
            return Set(try Pattern(flags + text).groups.map(\.name))
        } catch {
            guard error.isTooLarge else {
                throw define.error(atByte: error.offset - flags.utf8.count, "does not compile: \(error)")
            }
        }
        var names: Set<String> = []
        for name in pieces.names {
            do throws(PatternError) {
                names.formUnion(try Pattern(flags + pieces.prefix(for: "(?&\(name))")).groups.map(\.name))
            } catch {
                throw define.error("the piece '\(name)' does not compile: \(error)")
            }
        }
        return names
    }

    /// The pattern that a node holds. Its named groups are fields, or belong to the common pieces.
    func pattern(_ node: YAMLNode, of fields: [String] = PatternCompiler.fields) throws(SourceError) -> TextPattern {
        let text = try node.string()
        do throws(PatternRefusal) { return try pattern(text, of: fields) } catch { throw error.at(node) }
    }

    /// Names of the fields of a transaction.
    static let fields = Field.allCases.map(\.rawValue)

    /// The same, compiled now.
    func compiled(_ node: YAMLNode) throws(SourceError) -> Pattern {
        let pattern = try self.pattern(node)
        do throws(MatchError) { return try pattern.ready() } catch {
            throw node.error("the pattern does not compile: \(error)")
        }
    }

    /// The pattern of a node of which only the presence in a text counts.
    func condition(_ node: YAMLNode) throws(SourceError) -> Condition {
        let text = try node.string()
        do throws(PatternRefusal) { return try condition(text) } catch { throw error.at(node) }
    }

    /// The same for a pattern that is not in a file.
    func pattern(_ text: String, of fields: [String] = PatternCompiler.fields) throws(PatternRefusal) -> TextPattern {
        if let known = self.known.withLock({ $0[text] }) { return known }
        if isProven { return keepUncompiled(text, requirement(text)) }
        let pattern = try compile(text, of: fields)
        guard pattern.groupCount <= Matcher.maximumGroups else {
            throw PatternRefusal(
                message:
                    "the pattern has \(pattern.groupCount - 1) groups, those of the common pieces that it calls among them; no more than \(Matcher.maximumGroups - 1) are read",
                remedy: "Write (?:…) where nothing is read, or split it into several patterns.")
        }
        if let fault = Backtracking.quickFault(of: pattern, text: text) {
            throw PatternRefusal(message: "the pattern \(fault.description)", remedy: Backtracking.remedy)
        }
        return keep(pattern, text)
    }

    private func condition(_ text: String) throws(PatternRefusal) -> Condition {
        var alternatives: [TextPattern] = []
        for part in common.alternatives(of: text) {
            if let known = self.known.withLock({ $0[part] }) {
                alternatives.append(known)
            } else if let known = requirements?.recall(part) {
                // Requirements are known only for patterns that have compiled.
                alternatives.append(keepUncompiled(part, known))
            } else if let pattern = try? Self.translate(part, common) {
                try check(pattern, of: Self.fields)
                alternatives.append(keep(pattern, part))
            } else {
                // Compiles the whole pattern to locate the error; a valid one has none.
                alternatives = [keep(try compile(text, of: Self.fields), text)]
                break
            }
        }
        let condition = Condition(alternatives: alternatives) { [common] in Self.source(text, common) }
        if !isProven, let fault = Backtracking.quickFault(of: condition.pattern, text: text) {
            throw PatternRefusal(message: "the pattern \(fault.description)", remedy: Backtracking.remedy)
        }
        return condition
    }

    private func compile(_ text: String, of fields: [String]) throws(PatternRefusal) -> Pattern {
        let pattern: Pattern
        do throws(PatternError) { pattern = try Self.translate(text, common) } catch {
            throw PatternRefusal(
                offset: max(0, error.offset - (Self.source(text, common).utf8.count - text.utf8.count)),
                message: "the pattern does not compile: \(error)",
                remedy: "Blanks are ignored in patterns: write \\s for one, and \\# for a number sign.")
        }
        try check(pattern, of: fields)
        return pattern
    }

    /// Complete source of a pattern, with the called pieces before it.
    private static func source(_ text: String, _ common: CommonPieces) -> String {
        flags + common.prefix(for: text) + text
    }

    private static func translate(_ text: String, _ common: CommonPieces) throws(PatternError) -> Pattern {
        let source = source(text, common)
        if let form = common.writtenOut(text), let pattern = try? Pattern(source, running: flags + form) {
            return pattern
        }
        return try Pattern(source)
    }

    private func check(_ pattern: Pattern, of fields: [String]) throws(PatternRefusal) {
        if isProven { return }
        for group in pattern.groups where !commonGroups.contains(group.name) && !fields.contains(group.name) {
            throw PatternRefusal(
                message: "the group '\(group.name)' is not a field",
                remedy:
                    "Fields are \(fields.joined(separator: ", ")); use (?:…) where nothing is read."
            )
        }
    }

    private func keep(_ pattern: Pattern, _ text: String) -> TextPattern {
        keep(TextPattern(pattern, requirement(text), words: words), text)
    }

    private func keepUncompiled(_ text: String, _ requirement: RequirementCode) -> TextPattern {
        keep(
            TextPattern(requirement, words: words) { [common] () throws(PatternError) in
                try Self.translate(text, common)
            }, text)
    }

    private func requirement(_ text: String) -> RequirementCode {
        if let known = requirements?.recall(text) { return known }
        let found = RequirementCode(PatternNeeds(of: text, definitions: common.needs).literals, words: words)
        requirements?.keep(found, of: text)
        return found
    }

    private func keep(_ result: TextPattern, _ text: String) -> TextPattern {
        known.withLock { known in
            if let other = known[text] { return other }
            known[text] = result
            return result
        }
    }
}

extension PatternRefusal {
    fileprivate func at(_ node: YAMLNode) -> SourceError {
        offset.map { node.error(atByte: $0, message, remedy: remedy) } ?? node.error(message, remedy: remedy)
    }
}
