import Chronology
import Glibc
package import PCRE2

/// The check that hostile text cannot stall a pattern: runs the pattern on texts that are made to stall it.
///
/// Two bounds apply: no limit of `Matcher.Limits.standard` is reached, and the total number of steps for a text stays
/// within a bound. Results are counted, never timed, and so equal on every machine; CPU time only selects the attacks
/// that are worth counting.
package struct Backtracking {
    package struct Fault: Hashable {
        enum Cause: Hashable {
            /// `match`, `depth` or `heap`.
            case limit(MatchError.Limit)
            /// More than this number of steps.
            case steps(Int)
        }
        var cause: Cause
        /// The text that causes it, shortened for display, and its length.
        var text: String
        var bytes: Int
    }

    /// Size of a text that a patient sender would send; half a page of an alert has 2 KiB.
    static let fullSize = 64 << 10
    /// Maximum total steps for a text of `fullSize`. The JIT does as many in about a second.
    static let maximumSteps = 1 << 29
    /// Sizes at which steps are counted, as many as needed to extrapolate to the full size.
    private static let stepSizes = [256, 1 << 10, 4 << 10, 16 << 10]
    /// Size at which every attack is tried first, with a proportional limit: a cost that grows with the text reaches it
    /// here.
    private static let screenSize = 1 << 10
    /// Sizes at which the slowest attacks are timed in turn, until the extrapolated time at full size is below
    /// `maximumTime` even with quadratic growth.
    private static let timedSizes = [4 << 10, 16 << 10, 64 << 10]
    /// Nanoseconds of CPU time. Only attacks that may take longer are counted.
    private static let maximumTime = 1_000_000_000.0
    /// Number of attacks examined closely, of those that reached the proportional limit and of the slowest.
    private static let closeLooks = 2
    /// Size and number of attempts used to measure the depth of an attack.
    private static let depthSize = 4 << 10
    private static let deepLooks = 16

    private let screen: Matcher
    private let timed: [Matcher]
    private let shallow: Matcher
    private let full: Matcher

    package init?() {
        func share(of size: Int) -> Matcher.Limits {
            var limits = Matcher.Limits.standard
            limits.match /= UInt32(Self.fullSize / size)
            limits.depth /= UInt32(Self.fullSize / size)
            limits.heapKiB /= UInt32(Self.fullSize / size)
            return limits
        }
        var depth = share(of: Self.depthSize)
        // The interpreter's count grows faster than the JIT's.
        depth.match = Matcher.Limits.standard.match
        guard let screen = Matcher(limits: share(of: Self.screenSize)),
            let shallow = Matcher(limits: depth, interpreting: true), let full = Matcher()
        else { return nil }
        (self.screen, self.shallow, self.full) = (screen, shallow, full)
        timed = Self.timedSizes.compactMap { Matcher(limits: share(of: $0)) }
    }

    /// The attack that stalls a pattern, if there is one.
    ///
    /// - Parameter samples: genuine texts; the parts that the pattern matches are used in attacks.
    package func fault(of pattern: Pattern, samples: [[UInt8]] = []) -> Fault? {
        let syntax = PatternSyntax(pattern.source)
        var suspects: [Attack] = []
        var timed: [(attack: Attack, time: UInt64)] = []
        for attack in attacks(on: pattern, syntax, samples) {
            let (limit, time) = run(pattern, attack.text(of: Self.screenSize), screen)
            if limit != nil { suspects.append(attack) } else { timed.append((attack, time)) }
        }
        timed.sort { $0.time > $1.time }
        let slow = timed.map(\.attack)
        suspects = (suspects.prefix(Self.closeLooks) + slow.prefix(Self.closeLooks)).filter { !isHarmless(pattern, $0) }
        if syntax.hasDeepRepetition {
            suspects += slow.prefix(Self.deepLooks).lazy.filter {
                run(pattern, $0.text(of: Self.depthSize), shallow).limit != nil
            }.prefix(Self.closeLooks)
        }
        if suspects.isEmpty { return nil }
        guard let traced = try? Pattern(pattern.source, tracing: true) else { return nil }
        return suspects.lazy.compactMap { closeFault(pattern, traced, $0) }.first
    }

    /// Like `fault`, on short texts only: enough to find a cost that doubles with each character.
    func exponentialFault(of pattern: Pattern) -> Fault? {
        attacks(on: pattern, PatternSyntax(pattern.source), []).lazy.compactMap {
            limitFault(pattern, $0, upTo: 1 << 10)
        }.first
    }

    /// True if the full size certainly stays within the limits and the time.
    private func isHarmless(_ pattern: Pattern, _ attack: Attack) -> Bool {
        for (size, matcher) in zip(Self.timedSizes, timed) {
            let (limit, time) = run(pattern, attack.text(of: size), matcher)
            if limit != nil { return false }
            let rest = Double(Self.fullSize / size)
            if Double(time) * rest * rest <= Self.maximumTime { return true }
            // A run that takes that long already is better counted, because counting has a bound.
            if Double(time) * rest > Self.maximumTime / 4 { return false }
        }
        return false
    }

    private func closeFault(_ pattern: Pattern, _ traced: Pattern, _ attack: Attack) -> Fault? {
        switch growth(traced, attack) {
        // It may still exceed the depth limit.
        case .harmless, .steep: limitFault(pattern, attack)
        // A short text that reaches a limit is a better example than a long, slow one.
        case .excessive:
            limitFault(pattern, attack, upTo: 4 << 10) ?? Fault(.steps(Self.maximumSteps), attack, Self.fullSize)
        }
    }

    private func limitFault(_ pattern: Pattern, _ attack: Attack, upTo fullSize: Int = fullSize) -> Fault? {
        // Exponential patterns fail on a line, so the shortest text is searched from below at low cost.
        var size = 64
        while size <= fullSize {
            if let limit = run(pattern, attack.text(of: size), full).limit { return Fault(.limit(limit), attack, size) }
            size *= 4
        }
        return nil
    }

    private enum Growth {
        /// Within the bounds at the full size.
        case harmless
        /// Within the bound on all steps; a single position may exceed a limit.
        case steep
        case excessive
    }

    private func growth(_ traced: Pattern, _ attack: Attack) -> Growth {
        var last: (work: Work, bytes: Int)?
        var isExcessive = false
        for size in Self.stepSizes {
            let text = attack.text(of: size)
            // Beyond this it is too many even with linear growth.
            guard let work = Matcher.work(of: traced, in: text, upTo: Self.maximumSteps / (Self.fullSize / size)) else {
                return .excessive
            }
            if let last {
                guard text.count > last.bytes * 2 else { continue }
                // Bounded repetitions grow fast at first, so the largest size decides.
                let shares = (from: Double(last.bytes), to: Double(text.count))
                isExcessive = Self.atFullSize(last.work.total, work.total, shares) > Double(Self.maximumSteps)
                if Self.atFullSize(last.work.total, work.total, shares) > Double(Self.maximumSteps) * Self.doubtless,
                    size >= 4 << 10
                {
                    return .excessive
                }
                if !isExcessive,
                    Self.atFullSize(last.work.most, work.most, shares) <= Double(Matcher.Limits.standard.match)
                {
                    return .harmless
                }
            }
            last = (work, text.count)
        }
        return isExcessive ? .excessive : .steep
    }

    /// Factor beyond the bound at which a larger size cannot change the result.
    private static let doubtless = 4.0

    /// Extrapolates steps to the full size as a power of the size, at least linear, from their growth.
    private static func atFullSize(_ first: Int, _ second: Int, _ bytes: (from: Double, to: Double)) -> Double {
        let power = log(Double(second) / Double(max(1, first))) / log(bytes.to / bytes.from)
        return Double(second) * pow(Double(fullSize) / bytes.to, max(1, power))
    }

    /// The limit that is reached, and the CPU time in nanoseconds, which excludes other programs.
    private func run(
        _ pattern: Pattern, _ text: [UInt8], _ matcher: Matcher
    ) -> (limit: MatchError.Limit?, time: UInt64) {
        let start = processorTime()
        var limit: MatchError.Limit?
        do throws(MatchError) { _ = try matcher.firstMatch(of: pattern, in: text) } catch { limit = error.limit }
        return (limit, processorTime() &- start)
    }

    private func processorTime() -> UInt64 { UInt64(SystemClock.threadCPUTime.nanoseconds) }

    private func attacks(on pattern: Pattern, _ syntax: PatternSyntax, _ samples: [[UInt8]]) -> [Attack] {
        var longest: ArraySlice<UInt8> = []
        for sample in samples {
            if (try? full.firstMatch(of: pattern, in: sample)) == true, let range = full.range(of: 0),
                range.count > longest.count
            {
                longest = sample[range]
            }
        }
        return Attack.all(on: syntax, genuine: longest.isEmpty ? samples.first?.prefix(4096) ?? [] : longest)
    }
}

extension Backtracking.Fault {
    fileprivate init(_ cause: Cause, _ attack: Attack, _ size: Int) {
        self.init(cause: cause, text: attack.description(of: size), bytes: attack.text(of: size).count)
    }
}

extension Backtracking {
    package static let remedy =
        "Bound repetitions ({1,60} in place of +), let no two that can match the same text be adjacent or nested, or make one possessive (++, (?>…))."
}

extension Backtracking.Fault: CustomStringConvertible {
    /// `takes more than 8388608 steps on 16384 bytes of hostile text: …`.
    package var description: String {
        let what =
            switch cause {
            case .limit(let limit): "hits the \(limit.rawValue) limit of \(Matcher.Limits.standard.value(of: limit))"
            case .steps(let bound): "takes more than \(bound) steps"
            }
        return "\(what) on \(bytes) bytes of hostile text: \(text)"
    }
}

extension Matcher.Limits {
    func value(of limit: MatchError.Limit) -> String {
        switch limit {
        case .match: "\(match)"
        case .depth: "\(depth)"
        case .heap: "\(heapKiB) KiB"
        }
    }
}
