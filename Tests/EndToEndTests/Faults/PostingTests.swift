import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Postings {
        /// Two years of a daily item, booked after downtime by a program that is killed at a random instant.
        @Test(.timeLimit(.minutes(60))) func killedPostingsBookEachDayOnce() throws {
            let station = try Station()
            try station.pass()
            let start = Date(timeIntervalSinceNow: -730 * 86_400).formatted(.iso8601.year().month().day())
            var span = Duration.milliseconds(400)
            var booked = 0
            for crash in 0..<RandomCrashes.count {
                _ = try station.control([
                    "recurring", "add", "Rent \(crash)", "100", "FREQ=DAILY", "--mode", "posted", "--since", start,
                ])
                let program = try station.start(["recurring", "post"], of: "parserctl")
                usleep(UInt32.random(in: 0...UInt32(span / .microseconds(1) * 1.2)))
                try program.crash()
                let isBooked = try station.ledger.column(Self.days(crash)) != ["0 0"]
                let rest = try ContinuousClock().measure { _ = try station.control(["recurring", "post"]) }
                // What a whole posting takes here, so that some kills come behind its first commit.
                if isBooked { booked += 1 } else { span = rest }
                // Today may begin while the test runs.
                let days = try station.ledger.column(Self.days(crash))
                #expect(days == ["731 731"] || days == ["732 732"], "crash \(crash): \(days)")
                #expect(try station.ledger.column("PRAGMA integrity_check") == ["ok"])
            }
            print("\(RandomCrashes.count) kills: \(booked) came behind the first commit")
        }

        private static func days(_ crash: Int) -> String {
            "SELECT count(*) || ' ' || count(DISTINCT parsed_date) FROM transactions WHERE parsed_vendor = 'Rent \(crash)'"
        }
    }
}
