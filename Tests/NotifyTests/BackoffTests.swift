import Chronology
import ChronologyFixture
import Testing

@testable import Notify

@Suite struct BackoffTests {
    @Test(arguments: [(0, 15), (1, 30), (2, 60), (7, 1920), (8, 3600), (1000, 3600), (-1, 15)] as [(Int, Int64)])
    func quickDoublesUpToAnHour(failures: Int, seconds: Int64) {
        #expect(Backoff.pause(failures: failures, .quick, asked: nil, chance: 0) == seconds)
    }

    @Test func jitterShortensByUpToAHalf() {
        #expect(Backoff.pause(failures: 2, .quick, asked: nil, chance: 0.5) == 45)
        #expect(Backoff.pause(failures: 2, .quick, asked: nil, chance: 0.999) == 31)
        #expect(Backoff.pause(failures: 0, .slow, asked: nil, chance: 0) == 60)
    }

    @Test func retryAfterIsALowerBound() {
        #expect(Backoff.pause(failures: 0, .slow, asked: 700, chance: 0.9) == 700)
        #expect(Backoff.pause(failures: 20, .quick, asked: 5, chance: 0) == 3600)
        #expect(Backoff.pause(failures: 0, .quick, asked: 10_000_000, chance: 0) == 86_400)
    }

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
            ("-5", nil), ("soon", nil), ("", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("99999999999", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 06 Nov 1994 9223372036854775807:00:00 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
        ] as [(String, Int64?)]) func retryAfterIsANumberOrADate(text: String, seconds: Int64?)
    {
        #expect(Backoff.retryAfter(text, at: 784_111_740) == seconds)
    }
}
