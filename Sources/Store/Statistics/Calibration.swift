import Chronology
internal import GRDB
public import Ledger

/// Reliability of confidence values: of the drafts with one confidence, the proportion that was correct without
/// changes.
public struct Calibration: Hashable, Sendable {
    public struct Bank: Hashable, Sendable {
        /// The bank's key, such as `hdfc`.
        public var bank: String
        /// Bins with at least one draft, the least confident first.
        public var bins: [Bin]
        /// Thresholds that separate this bank's drafts, ascending.
        public var thresholds: [Threshold]
    }

    /// Drafts within one range of confidence.
    public struct Bin: Hashable, Sendable {
        /// Lower bound, inclusive; the upper one is exclusive except for 1.
        public var from: Double
        public var to: Double
        /// Confirmed by a person without changes.
        public var accepted = 0
        /// Booked without review and unchanged for ``settlingDays``.
        public var untouched = 0
        /// Changed by a person.
        public var corrected = 0
        /// Rejected or deleted by a person.
        public var rejected = 0
        /// Number of corrections of each field.
        public var fields: [Field: Int] = [:]

        public var right: Proportion {
            Proportion(accepted + untouched, of: accepted + untouched + corrected + rejected)
        }
    }

    /// Effect that a threshold would have had.
    public struct Threshold: Hashable, Sendable {
        public var value: Double
        /// Correct drafts among those of at least this confidence.
        public var right: Proportion
        public var wronglyBooked: Int { right.whole - right.part }
    }

    /// By key.
    public var banks: [Bank]

    /// Width of a bin. Weights are products of a few factors: finer bins would hold one draft each.
    public static let binWidth = 0.05
    /// Days after which an unchanged transaction counts as correct: time for a comparison with a statement.
    public static let settlingDays = 30
    /// Required lower bound of the 95 % interval of correct drafts for a suggested threshold: 73 drafts if none is
    /// wrong.
    public static let target = 0.95
}

extension Calibration.Bank {
    /// Lowest threshold above which enough drafts are correct; `nil` if there are too few decided drafts.
    public func suggestion(target: Double = Calibration.target) -> Calibration.Threshold? {
        thresholds.first { $0.right.interval.lowerBound >= target }
    }

    public var settled: Int { bins.reduce(0) { $0 + $1.right.whole } }
}

extension StatisticsRepository {
    /// Reads every transaction: takes a second or two with a million of them.
    public func calibration() throws(StoreError) -> Calibration {
        let old = now() - Int64(Calibration.settlingDays) * 86400
        return try read { db in
            var counts: [String: [Double: Calibration.Bin]] = [:]
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT coalesce(profile, '') AS bank, confidence_score, coalesce(corrected, 0) AS corrected,
                      CASE WHEN deleted_at IS NOT NULL OR status = 'rejected' THEN 'rejected' WHEN corrected > 0 THEN 'corrected'
                        WHEN reviewed_at IS NOT NULL THEN 'accepted' ELSE 'untouched' END AS verdict, count(*)
                    FROM transactions
                    WHERE recorder = 'Auto' AND confidence_score IS NOT NULL AND id NOT IN (SELECT id FROM replaced_transactions) AND (status <> 'needs_review' OR deleted_at IS NOT NULL)
                      AND (status = 'rejected' OR deleted_at IS NOT NULL OR corrected > 0 OR reviewed_at IS NOT NULL OR created_at < ?)
                    GROUP BY 1, 2, 3, 4
                    """, arguments: [old])
            {
                let (bank, confidence, corrected, verdict, count): (String, Double, Int64, String, Int) = (
                    row[0], row[1], row[2], row[3], row[4]
                )
                var bin = counts[bank]?[confidence] ?? Calibration.Bin(from: confidence, to: confidence)
                switch verdict {
                case "accepted": bin.accepted += count
                case "untouched": bin.untouched += count
                case "corrected":
                    bin.corrected += count
                    for field in FieldBits.fields(corrected: corrected) { bin.fields[field, default: 0] += count }
                default: bin.rejected += count
                }
                counts[bank, default: [:]][confidence] = bin
            }
            return Calibration(banks: counts.sorted { $0.key < $1.key }.map { Calibration.Bank($0.key, $0.value) })
        }
    }
}

extension Calibration.Bank {
    /// - Parameter exact: a bin for each confidence that occurs.
    fileprivate init(_ bank: String, _ exact: [Double: Calibration.Bin]) {
        self.bank = bank
        var bins: [Int: Calibration.Bin] = [:]
        let count = Int((1 / Calibration.binWidth).rounded())
        for (confidence, bin) in exact {
            // 0.85 is slightly less than 17 twentieths.
            let index = min(count - 1, Int(confidence * Double(count) + 1e-9))
            bins[index] =
                (bins[index]
                ?? Calibration.Bin(from: Double(index) / Double(count), to: Double(index + 1) / Double(count))).adding(
                    bin)
        }
        self.bins = bins.sorted { $0.key < $1.key }.map(\.value)
        var right = Proportion(0, of: 0)
        var thresholds: [Calibration.Threshold] = []
        for (confidence, bin) in exact.sorted(by: { $0.key > $1.key }) {
            right = right + bin.right
            // A threshold of 0 would book drafts that must not be booked.
            if confidence > 0 { thresholds.append(Calibration.Threshold(value: confidence, right: right)) }
        }
        self.thresholds = thresholds.reversed()
    }
}

extension Calibration.Bin {
    fileprivate func adding(_ other: Calibration.Bin) -> Calibration.Bin {
        var sum = self
        sum.accepted += other.accepted
        sum.untouched += other.untouched
        sum.corrected += other.corrected
        sum.rejected += other.rejected
        sum.fields.merge(other.fields, uniquingKeysWith: +)
        return sum
    }
}
