import PCRE2

/// Whether hostile text can stall a pattern: it is run on texts made to do so.
///
/// Two things are held: no limit of `Matcher.Limits.standard` is hit, and the steps that a text takes as a whole stay within a bound. Steps and
/// limits are counted, never timed, so that the answer is the same on every machine.
struct Backtracking {
    /// A text that a sender could write, told by how it is made: something once, then something many times.
    struct Attack: Hashable {
        var prefix: [UInt8] = []
        var unit: [UInt8]

        /// Stands at the end, so that no search is given up for want of a character that every match ends with.
        private static let alphabet = Array(" zyxwvutsrqponmlkjihgfedcba.9876543210:;,/@#*()-".utf8)

        /// At most `size` bytes where what repeats is shorter, and never part of a character.
        func text(of size: Int) -> [UInt8] {
            var text = prefix
            let count = count(of: size)
            text.reserveCapacity(prefix.count + count * unit.count + Self.alphabet.count)
            for _ in 0..<count { text += unit }
            return text + Self.alphabet
        }

        func count(of size: Int) -> Int { max(1, (size - prefix.count - Self.alphabet.count) / max(1, unit.count)) }
    }

    struct Fault: Hashable {
        enum Cause: Hashable {
            /// `match`, `depth` or `heap`.
            case limit(String)
            /// More than this many steps.
            case steps(Int)
        }
        var cause: Cause
        /// The text that does it, shortened for people, and its length.
        var text: String
        var bytes: Int
    }

    /// Half a page of an alert is 2 KiB; this is what a patient sender would send.
    static let fullSize = 64 << 10
    /// What a text of `fullSize` may take in all. The JIT does as many in about a second.
    static let maximumSteps = 1 << 29
    /// The sizes at which steps are counted, four times as large each; from the growth follows what the full size takes.
    private static let stepSizes = [1 << 10, 4 << 10, 16 << 10]
    /// Every attack is tried at this size first. A limit that is hit at full size by a cost that grows with the text is hit here by its share.
    private static let screenSize = 2 << 10
    private static let screenUnits = Matcher.Limits.standard.match / UInt32(fullSize / screenSize)
    /// So many of the attacks that take longest at the first size are looked at closely.
    private static let closeLooks = 2

    private let screen: Matcher
    private let full: Matcher

    init?() {
        var limits = Matcher.Limits.standard
        limits.match = Self.screenUnits
        guard let screen = Matcher(limits: limits), let full = Matcher() else { return nil }
        (self.screen, self.full) = (screen, full)
    }

    /// The attack that a pattern does not withstand, if there is one.
    ///
    /// - Parameter samples: genuine texts, of which the parts that the pattern matches are turned against it.
    func fault(of pattern: Pattern, samples: [[UInt8]] = []) -> Fault? {
        let clock = ContinuousClock()
        var tried: [(attack: Attack, time: Duration)] = []
        for attack in attacks(on: pattern, samples) {
            let text = attack.text(of: Self.screenSize)
            var isNearLimit = false
            let time = clock.measure { isNearLimit = hits(pattern, text, screen) != nil }
            if isNearLimit, let fault = limitFault(pattern, attack) { return fault }
            tried.append((attack, time))
        }
        guard let traced = try? Pattern(pattern.source, tracing: true) else { return nil }
        for (attack, _) in tried.sorted(by: { $0.time > $1.time }).prefix(Self.closeLooks) {
            if exceedsSteps(traced, attack) {
                return Fault(cause: .steps(Self.maximumSteps), text: attack.description(of: Self.fullSize), bytes: attack.text(of: Self.fullSize).count)
            }
            if let fault = limitFault(pattern, attack) { return fault }
        }
        return nil
    }

    /// As `fault`, on short texts only: enough for cost that doubles with each character.
    func exponentialFault(of pattern: Pattern) -> Fault? {
        attacks(on: pattern, []).lazy.compactMap { limitFault(pattern, $0, upTo: 1 << 10) }.first
    }

    private func limitFault(_ pattern: Pattern, _ attack: Attack, upTo fullSize: Int = fullSize) -> Fault? {
        // How little is enough: exponential patterns break on a line. From the shortest text up, each costs no more than it must.
        var size = 64
        while size <= fullSize {
            let text = attack.text(of: size)
            if let limit = hits(pattern, text, full) { return Fault(cause: .limit(limit), text: attack.description(of: size), bytes: text.count) }
            size *= 4
        }
        return nil
    }

    /// Whether the full size would take more steps than it may.
    private func exceedsSteps(_ traced: Pattern, _ attack: Attack) -> Bool {
        var last: Int?
        for size in Self.stepSizes {
            // Beyond this it is too many even where steps grow no faster than the text.
            guard let steps = Matcher.steps(of: traced, in: attack.text(of: size), upTo: Self.maximumSteps / (Self.fullSize / size)) else { return true }
            if let last {
                // Steps are some power of the size, which shows in how they have grown. Bounded repetitions make them grow fast at first: the
                // largest size has the last word.
                let growth = Double(steps) / Double(max(1, last))
                var expected = Double(steps)
                for _ in 0..<((Self.fullSize / size).trailingZeroBitCount / 2) { expected *= growth }
                if expected <= Double(Self.maximumSteps) { return false }
            }
            last = steps
        }
        return true
    }

    private func hits(_ pattern: Pattern, _ text: [UInt8], _ matcher: Matcher) -> String? {
        do throws(MatchError) { _ = try matcher.firstMatch(of: pattern, in: text) } catch { return error.limit }
        return nil
    }

    /// Texts for one pattern, those from its own structure first.
    func attacks(on pattern: Pattern, _ samples: [[UInt8]]) -> [Attack] {
        let syntax = PatternSyntax(pattern.source)
        let witness = PatternWitness(syntax)
        var list: [Attack] = []
        for pump in witness.pumps(syntax.root) {
            list.append(Attack(prefix: pump.prefix, unit: pump.unit))
            // Many attempts, each of which gets far.
            list.append(Attack(unit: pump.prefix + Array(repeatElement(pump.unit, count: max(1, 200 / pump.unit.count)).joined()) + [0x20]))
        }
        for beginning in witness.beginnings(syntax.root) { list.append(Attack(unit: beginning + [0x20])) }
        list += Self.fillers.map { Attack(unit: $0) }
        var longest: ArraySlice<UInt8> = []
        for sample in samples {
            if (try? full.firstMatch(of: pattern, in: sample)) == true, let range = full.range(of: 0), range.count > longest.count { longest = sample[range] }
        }
        if let whole = samples.first, longest.isEmpty { list.append(Attack(unit: whole.prefix(4096) + [0x20])) }
        if !longest.isEmpty {
            list.append(Attack(unit: Array(longest) + [0x20]))
            // Truncated before each of its words: the attempt fails late, and what stood before is all that it can give back.
            let blanks = longest.indices.filter { longest[$0] == 0x20 || longest[$0] == 0x0A }
            for cut in blanks.suffix(8) {
                let beginning = Array(longest[longest.startIndex...cut])
                list.append(Attack(unit: beginning))
                for filler in Self.fillers.prefix(2) { list.append(Attack(prefix: beginning, unit: filler)) }
            }
        }
        var seen = Set<Attack>()
        return list.filter { !$0.unit.isEmpty && seen.insert($0).inserted }
    }

    /// Money-like words first; then digits, letters, blanks, lines, addresses.
    private static let fillers = ["Rs.1 ", "a", "1", "a ", "1,", "a\n", " ", "a@", "card ", "is was ", "1.", "é"].map { Array($0.utf8) }
}

extension Backtracking.Attack {
    /// `"Your card " then 8192 times "1,"`.
    func description(of size: Int) -> String { (prefix.isEmpty ? "" : Self.quoted(prefix) + " then ") + "\(count(of: size)) times " + Self.quoted(unit) }

    /// Both ends of a text, on one line.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let short = text.count > 60 ? text.prefix(38) + "…" + text.suffix(20) : text[...]
        return "\"" + String(short.map { $0.isNewline ? "\u{23CE}" : $0 }) + "\""
    }
}
