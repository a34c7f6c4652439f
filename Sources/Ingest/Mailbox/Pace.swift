import IMAP

/// How fast mails come, to tell whether compressing them would pay.
struct Pace {
    /// Below it the time on the wire is worth more than the server's and our work of packing and unpacking: both together do some
    /// 450 Mbit/s, and mails shrink to a quarter. A young connection on a long line is slow for its first megabytes however wide the
    /// line is, hence the distance.
    static let slowBitsPerSecond = 80e6
    /// Less says nothing.
    static let tellingBytes: UInt64 = 200_000

    private let bytes: UInt64
    private let begun = ContinuousClock.now

    init<Stream: ByteStream & ~Copyable>(_ session: borrowing Session<Stream>) { bytes = session.receivedBytes }

    /// - Parameter worked: the time in which nothing was waited for, because mails were decided and recorded.
    func isSlow<Stream: ByteStream & ~Copyable>(_ session: borrowing Session<Stream>, besides worked: Duration) -> Bool
    {
        Self.isSlow(bytes: session.receivedBytes - bytes, in: ContinuousClock.now - begun - worked)
    }

    static func isSlow(bytes: UInt64, in time: Duration) -> Bool {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return bytes >= tellingBytes && Double(bytes) * 8 < slowBitsPerSecond * seconds
    }
}

extension FolderPass {
    /// Mails that are fetched before the pace is known. To stop and look costs a round trip, so a pass must be some times as long.
    static let trial = 64

    /// All in one, or a trial and the rest where compression may pay.
    func parts<Stream: ByteStream & ~Copyable>(of wanted: UIDSet, _ session: borrowing Session<Stream>) -> [UIDSet] {
        guard compresses, session.canCompress, !session.isNear, wanted.count >= 6 * Self.trial else {
            return wanted.isEmpty ? [] : [wanted]
        }
        let trial = UIDSet(wanted.prefix(Self.trial))
        return [trial, wanted.subtracting(trial)]
    }
}
