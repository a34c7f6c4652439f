import Chronology

/// Gaps that holds explain: a card's bank holds the amount of fuel or of a hotel, which lowers the printed limit
/// without an alert, and releases it later.
struct HeldAmounts {
    /// The findings that no hold explains.
    private(set) var findings: [ContinuityFinding]
    /// The number of amounts that were held and released.
    private(set) var count = 0

    /// A hold is released within this time, in seconds: fuel within days, hotels within weeks.
    static let longest: Int64 = 31 * 86_400
    /// The number of single holds from which on the account counts as one with holds. Then one gap may contain several.
    static let known = 3

    init(_ findings: [ContinuityFinding]) {
        self.findings = findings
        dropPairs()
        guard count >= Self.known else { return }
        dropSums()
        joinRests()
    }

    /// Drops each gap that a later one of the same amount reverses.
    private mutating func dropPairs() {
        var open: [Int64: [Int]] = [:]
        var isHold = Set<Int>()
        for (index, finding) in findings.enumerated() where finding.causes.isEmpty {
            guard finding.gap > 0,
                let first = open[0 &- finding.gap]?.first(where: { mayBeOne($0, index) })
            else {
                if finding.gap < 0 { open[finding.gap, default: []].append(index) }
                continue
            }
            open[0 &- finding.gap]?.removeAll { $0 <= first }
            isHold.formUnion([first, index])
            count += 1
        }
        drop(isHold)
    }

    /// Drops gaps that cancel together: one amount is held where another one is released.
    private mutating func dropSums() {
        var isHold = Set<Int>()
        for index in findings.indices where findings[index].causes.isEmpty && !isHold.contains(index) {
            // A hold with the gaps that release it, or a release with the gaps that held it.
            let others = findings.indices.filter { other in
                guard findings[other].causes.isEmpty, !isHold.contains(other), other != index else { return false }
                return findings[index].gap < 0
                    ? other > index && mayBeOne(index, other) : other < index && mayBeOne(other, index)
            }
            let sum = 0 &- findings[index].gap
            guard let found = AmountSubset.indices(of: others.map { findings[$0].gap }, sum: sum), !found.isEmpty else {
                continue
            }
            isHold.formUnion(found.map { others[$0] } + [index])
            count += 1
        }
        drop(isHold)
    }

    /// Joins a release that differs from its hold with it: the rest is what is missing in the ledger between the two.
    /// Only if one gap alone can be the hold.
    private mutating func joinRests() {
        var isJoined = Set<Int>()
        for index in findings.indices where findings[index].causes.isEmpty && findings[index].gap > 0 {
            let holds = findings.indices.prefix(index).filter { other in
                findings[other].causes.isEmpty && !isJoined.contains(other)
                    && findings[other].gap < 0 &- findings[index].gap && mayBeOne(other, index)
            }
            guard holds.count == 1, let hold = holds.first else { continue }
            findings[hold].gap = findings[hold].gap &+ findings[index].gap
            (findings[hold].to, findings[hold].end) = (findings[index].to, findings[index].end)
            isJoined.insert(index)
            count += 1
        }
        drop(isJoined)
    }

    private func mayBeOne(_ hold: Int, _ release: Int) -> Bool {
        findings[release].end - findings[hold].start <= Self.longest
    }

    private mutating func drop(_ indices: Set<Int>) {
        findings = findings.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
    }
}
