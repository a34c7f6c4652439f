import Chronology
import ChronologyFixture
import IMAP
import Store
import Testing

@testable import Ingest

@Suite struct MailboxBackoffTests {
    private static func error(_ kind: IMAPError.Kind, _ retry: IMAPError.Retry) -> IMAPError {
        IMAPError(kind, retry: retry, what: "")
    }

    @Test func classes() {
        #expect(MailboxBackoff.Class(Self.error(.closed, .now)) == .now)
        #expect(MailboxBackoff.Class(Self.error(.bye, .later)) == .later)
        #expect(MailboxBackoff.Class(Self.error(.loginUnavailable, .later)) == .afterLogin)
        #expect(MailboxBackoff.Class(Self.error(.loginDenied, .afterReconfiguration)) == .afterChange)
        #expect(MailboxBackoff.Class(StoreError(kind: .diskFull, path: "", message: "")) == .later)
        #expect(MailboxBackoff.Class(StoreError(kind: .readOnly, path: "", message: "")) == .afterChange)
    }

    @Test func brokenConnectionIsReplacedWithGrowingPauses() {
        var retry = MailboxBackoff()
        let pauses = (0..<7).map { _ in retry.pause(after: .now, jitter: 1) }
        #expect(pauses == [0, 4, 8, 16, 32, 60, 60])
        retry.completedPass(wasStable: true)
        #expect(
            (0..<11).map { _ in retry.pause(after: .later, jitter: 1) } == [
                2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900,
            ])
        retry.completedPass(wasStable: true)
        #expect(retry.pause(after: .later, jitter: 1) == 2)
        #expect(retry.pause(after: .now, jitter: 1) == 4, "at once only where all was well before")
    }

    /// An outage, and then a server that ends each connection after the pass: the pauses do not grow, and none is zero.
    @Test func aCompletedPassResetsThePauses() {
        var backoff = MailboxBackoff()
        for _ in 0..<8 { _ = backoff.pause(after: .now) }
        for _ in 0..<5 {
            backoff.completedPass(wasStable: false)
            #expect(backoff.pause(after: .later, jitter: 1) == 4)
        }
        backoff.completedPass(wasStable: true)
        #expect(backoff.pause(after: .now, jitter: 1) == 0)
        backoff.completedPass(wasStable: false)
        #expect(
            backoff.pause(after: .now, jitter: 1) == 4,
            "no immediate reconnect to a server that closes every connection")
    }

    /// A refused password is tried a few times an hour, whatever other faults occur in between.
    @Test func refusedPasswordIsTriedAFewTimesAnHour() {
        var retry = MailboxBackoff()
        #expect((0..<3).map { _ in retry.pause(after: .afterChange, jitter: 1) } == [900, 900, 900])
        retry.completedPass(wasStable: true)
        #expect((0..<6).map { _ in retry.pause(after: .afterLogin, jitter: 1) } == [60, 120, 240, 480, 900, 900])
    }

    /// A thousand mailboxes that lost one server do not reconnect in the same second, however long the outage was.
    @Test func everyPauseHasJitter() {
        var retry = MailboxBackoff()
        for _ in 0..<20 { _ = retry.pause(after: .later) }
        #expect(
            ([.now, .later, .afterLogin, .afterChange] as [MailboxBackoff.Class]).map {
                retry.pause(after: $0, jitter: 0.8)
            }
                == [48, 720, 720, 720])
        #expect(Set((0..<20).map { _ in retry.pause(after: .later) }).count > 10)
        #expect((0..<100).allSatisfy { _ in (675...900).contains(retry.pause(after: .afterChange)) })
    }

    /// A writable disk is noticed within a minute, at first within seconds.
    @Test func localFaultsAreRetriedOften() {
        var retry = MailboxBackoff()
        #expect(
            (0..<7).map { _ in retry.pause(after: .afterChange, isLocal: true, jitter: 1) } == [
                2, 4, 8, 16, 32, 60, 60,
            ])
    }

    @Test func theIntervalFollowsTheNetwork() {
        var renewal = IdleRenewal(longest: .seconds(240))
        #expect(renewal.answer == .seconds(30))
        renewal.died()
        #expect(renewal.interval == .seconds(120))
        for _ in 0..<5 { renewal.died() }
        #expect(
            renewal.interval == IdleRenewal.shortest && renewal.answer == .seconds(30), "a slow line needs its patience"
        )
        for _ in 0..<IdleRenewal.trust - 1 { renewal.survived() }
        #expect(renewal.interval == .seconds(30), "slowly")
        renewal.survived()
        #expect(renewal.interval == .milliseconds(37_500))
        for _ in 0..<IdleRenewal.trust * 20 { renewal.survived() }
        #expect(renewal.interval == .seconds(240))
        var short = IdleRenewal(longest: .seconds(5))
        short.died()
        #expect(short.interval == .seconds(5) && short.answer == .seconds(2))
    }

    @Test func slownessIsMeasured() {
        #expect(Pace.isSlow(bytes: 1_000_000, in: .seconds(1)))
        #expect(!Pace.isSlow(bytes: 20_000_000, in: .seconds(1)))
        #expect(!Pace.isSlow(bytes: 1000, in: .seconds(60)), "too few bytes for a measurement")
        #expect(!Pace.isSlow(bytes: 1_000_000, in: .zero))
    }

    /// The lifetime of a token, and the seconds for which it is used.
    @Test(
        arguments: [(3600, 3300), (600, 300), (300, 150), (10, 5), (1, 0), (0, 0), (86_400, 86_100)] as [(Int64, Int64)]
    )
    func aTokenIsRenewedBeforeItExpires(lifetime: Int64, use: Int64) {
        #expect(TokenLogin.use(of: lifetime) == use)
    }
}
