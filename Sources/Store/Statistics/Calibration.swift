internal import GRDB
public import Ledger

/// How reliable confidence is, by what people made of the drafts: of those of a confidence, how many were right as they
/// were.
public struct Calibration: Hashable, Sendable {
    public struct Bank: Hashable, Sendable {
        /// The bank's key, such as `hdfc`.
        public var bank: String
        /// Those that hold at least one draft, the least confident first.
        public var bins: [Bin]
        /// Every threshold that would tell this bank's drafts apart, ascending.
        public var thresholds: [Threshold]
    }

    /// The drafts of one span of confidence.
    public struct Bin: Hashable, Sendable {
        /// The span's lower bound included, the upper one only where it is 1.
        public var from: Double
        public var to: Double
        /// Confirmed by a person as they were.
        public var accepted = 0
        /// Booked by themselves and let be for ``settlingDays``.
        public var untouched = 0
        /// A person changed what was read.
        public var corrected = 0
        /// A person said that there was nothing to book, or deleted it.
        public var rejected = 0
        /// The number of corrections of each field.
        public var fields: [Field: Int] = [:]

        public var right: Proportion {
            Proportion(accepted + untouched, of: accepted + untouched + corrected + rejected)
        }
    }

    /// The effect that a threshold would have had.
    public struct Threshold: Hashable, Sendable {
        public var value: Double
        /// Of the drafts of at least this confidence, those that were right.
        public var right: Proportion
        public var wronglyBooked: Int { right.whole - right.part }
    }

    /// By key.
    public var banks: [Bank]

    /// The width of a bin. Weights are products of a few factors: finer bins would hold one draft each.
    public static let binWidth = 0.05
    /// Days after which a transaction that nobody touched counts as right: time for a statement to come and be
    /// compared.
    public static let settlingDays = 30
    /// What the lower bound of the 95 % interval of the right ones must reach before a threshold is suggested: with
    /// none wrong, 73 drafts.
    public static let target = 0.95
}

extension Calibration.Bank {
    /// The lowest threshold above which the drafts are known to be right often enough; `nil` where too few were settled
    /// to know.
    public func suggestion(target: Double = Calibration.target) -> Calibration.Threshold? {
        thresholds.first { $0.right.interval.lowerBound >= target }
    }

    public var settled: Int { bins.reduce(0) { $0 + $1.right.whole } }
}

extension StatisticsRepository {
    /// Looks at every transaction: a second or two with a million of them.
    public func calibration() throws(StoreError) -> Calibration {
        let old = Instant.text(now() - Int64(Calibration.settlingDays) * 86400)
        return try read { db in
            var counts: [String: [Double: Calibration.Bin]] = [:]
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT coalesce(profile, '') AS bank, confidence_score, coalesce(corrected, 0) AS corrected,
                      CASE WHEN deleted_at IS NOT NULL OR status = 'rejected' THEN 'rejected' WHEN corrected > 0 THEN 'corrected'
                        WHEN reviewed_at IS NOT NULL THEN 'accepted' ELSE 'untouched' END AS verdict, count(*)
                    FROM transactions
                    WHERE recorder = 'Auto' AND confidence_score IS NOT NULL AND (status <> 'needs_review' OR deleted_at IS NOT NULL)
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
            // 0.85 is not quite 17 twentieths.
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
            // A threshold of nothing would book what is ruled out.
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
