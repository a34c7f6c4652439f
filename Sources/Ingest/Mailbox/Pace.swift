import IMAP

/// The rate at which messages arrive, to decide whether compression pays.
struct Pace {
    /// Below this rate compression saves more time on the wire than it costs on both sides, which together reach some
    /// 450 Mbit/s; messages shrink to a quarter. A new connection over a long distance is slow for its first megabytes,
    /// hence the margin.
    static let slowBitsPerSecond = 80e6
    /// Fewer bytes do not suffice for a measurement.
    static let minimumBytes: UInt64 = 200_000

    private let bytes: UInt64
    private let begun = ContinuousClock.now

    init<Stream: ByteStream & ~Copyable>(_ session: borrowing Session<Stream>) { bytes = session.receivedBytes }

    /// - Parameter worked: the time spent on deciding and recording instead of waiting.
    func isSlow<Stream: ByteStream & ~Copyable>(_ session: borrowing Session<Stream>, besides worked: Duration) -> Bool
    {
        Self.isSlow(bytes: session.receivedBytes - bytes, in: ContinuousClock.now - begun - worked)
    }

    static func isSlow(bytes: UInt64, in time: Duration) -> Bool {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return bytes >= minimumBytes && Double(bytes) * 8 < slowBitsPerSecond * seconds
    }
}

extension FolderPass {
    /// Messages fetched before the rate is measured. The measurement costs a round trip, so a pass must be several
    /// times as long.
    static let trial = 64

    /// All messages, or a trial and the rest if compression may pay.
    func parts<Stream: ByteStream & ~Copyable>(of wanted: UIDSet, _ session: borrowing Session<Stream>) -> [UIDSet] {
        guard compresses, session.canCompress, !session.isNear, wanted.count >= 6 * Self.trial else {
            return wanted.isEmpty ? [] : [wanted]
        }
        let trial = UIDSet(wanted.prefix(Self.trial))
        return [trial, wanted.subtracting(trial)]
    }
}
