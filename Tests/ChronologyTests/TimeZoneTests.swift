import ChronologyFixture
import Foundation
import Processes
import Testing

@testable import Chronology

/// Time zones, compared with date(1), which reads the same database by the C library.
@Suite struct TimeZoneTests {
    static let names = [
        "Africa/Casablanca", "America/Nuuk", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Kolkata",
        "Asia/Singapore", "Asia/Tehran", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Europe/London",
        "Pacific/Apia", "Pacific/Auckland", "UTC", "Etc/GMT+5", "America/Argentina/Ushuaia",
    ]

    /// Every 30.2 days from 1970 to 2198, and the hours about the changes of 2026.
    static let instants: [Int64] =
        stride(from: 0, to: 7_200_000_000, by: 2_610_000).map { $0 }
        + [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800].flatMap { (around: Int64) in
            (-3...3).map { around + $0 * 1800 }
        }

    @Test(arguments: names) func offsetsAreThoseOfTheSystem(name: String) throws {
        let zone = try #require(IANATimeZone(identifier: name))
        let offsets = try Self.dates(Self.instants, in: name)
        #expect(offsets.count == Self.instants.count)
        for (instant, offset) in zip(Self.instants, offsets) {
            #expect(zone.offset(at: UnixTime(seconds: instant)) == offset, "\(name) at \(instant)")
        }
    }

    /// Instants of mails may be any number.
    @Test(arguments: names) func everyInstantHasAnOffset(name: String) throws {
        let zone = try #require(IANATimeZone(identifier: name))
        for instant in [Int64.min, -1 << 40, -1, 1 << 40, .max] {
            #expect(abs(zone.offset(at: UnixTime(seconds: instant))) <= 26 * 3600)
        }
    }

    @Test(arguments: [
        "", "Nowhere/City", "../../etc/passwd", "/etc/localtime", "Asia/../Asia/Kolkata", "Asia", "Asia/",
        "asia kolkata",
        "zone.tab", "tzdata.zi", String(repeating: "A", count: 5000),
    ]) func otherNamesAreNoZone(name: String) { #expect(IANATimeZone(identifier: name) == nil) }

    @Test func theFormerNameIsIndias() {
        #expect(IANATimeZone(identifier: "Asia/Calcutta") == .kolkata)
    }

    @Test(arguments: [
        ("IST-5:30", 19_800, 19_800), ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200),
        ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600), ("NZST-12NZDT,M9.5.0,M4.1.0/3", 46_800, 43_200),
        ("AAA0BBB,J60,J300", 0, 3600), ("AAA0BBB-2,59/0,299/0", 0, 7200), ("XXX3EDT4,0/0,J365/23", -14_400, -14_400),
    ]) func rules(text: String, january: Int, july: Int) throws {
        let rule = try #require(ZoneRule(Array(text.utf8)[...]))
        #expect(rule.offset(at: UnixTime("2026-01-05T12:00:00Z").seconds) == january)
        #expect(rule.offset(at: UnixTime("2026-07-05T12:00:00Z").seconds) == july)
    }

    @Test(arguments: [
        "", "IST", "IS-5", "<IST-5:30", "IST-99", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,J0,J1", "IST-5:30 ",
        "IST-99999999999999999999",
    ]) func otherTextsAreNoRule(text: String) { #expect(ZoneRule(Array(text.utf8)[...]) == nil) }

    @Test func damagedFilesAreNoZone() throws {
        let bytes = try Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        let whole = try #require(ZoneFile(bytes))
        #expect(whole.offset(at: UnixTime("2026-07-05T12:00:00Z").seconds) == 7200)
        for length in 0..<bytes.count - 1 { _ = ZoneFile(Array(bytes[..<length])) }
        #expect(ZoneFile(Array(bytes[..<(bytes.count / 2)])) == nil)
        // Any one byte with another value: some offset, and no fault.
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0xFF
            if let zone = ZoneFile(damaged) { #expect(abs(zone.offset(at: 1_780_000_000)) <= 26 * 3600) }
        }
    }

    /// The offsets that date(1) prints, in seconds.
    private static func dates(_ instants: [Int64], in zone: String) throws -> [Int64] {
        let list = NSTemporaryDirectory() + "instants-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: list) }
        try instants.map { "@\($0)\n" }.joined().write(toFile: list, atomically: false, encoding: .utf8)
        let date = try ChildProcess(
            "/usr/bin/env", arguments: ["env", "TZ=" + zone, "LC_ALL=C", "/bin/date", "--file=" + list, "+%::z"],
            seconds: 60, outputBytes: 16 << 20
        ).run()
        let text = String(decoding: date.output, as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let parts = line.dropFirst().split(separator: ":").compactMap { Int64($0) }
            guard parts.count == 3 else { return nil }
            return (line.hasPrefix("-") ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60 + parts[2])
        }
    }
}
