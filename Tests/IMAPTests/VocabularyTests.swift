import Chronology
import ChronologyFixture
import Testing

@testable import IMAP

@Suite struct VocabularyTests {
    @Test func invalidUIDs() {
        #expect(UID(0) == nil && UID(exactly: Int64(-1)) == nil && UID(exactly: Int64(4_294_967_296)) == nil)
        #expect(UID(exactly: Int64(4_294_967_295)) == .max)
        #expect(UIDValidity(0) == nil && UIDValidity(exactly: Int64(0)) == nil && UIDValidity(7)?.description == "7")
    }

    @Test(arguments: [
        ("INBOX", "INBOX"), ("inbox", "INBOX"), ("inboxes", "inboxes"), ("Tom & Jerry", "Tom &- Jerry"),
        // The example of RFC 3501 section 5.1.3.
        ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"), ("😀", "&2D3eAA-"), ("a\tb", "a&AAk-b"), ("", ""),
        ("&", "&-"),
    ]) func folderNames(_ name: String, _ wire: String) {
        #expect(String(decoding: ModifiedUTF7.encode(FolderName(name).name), as: UTF8.self) == wire)
        #expect(FolderName(wire: Array(wire.utf8))?.name == FolderName(name).name)
    }

    @Test(arguments: ["&", "&AAk", "&A-", "&AA-", "a&U,BTFw", "caf\u{e9}", "&2D0-", "a\u{1}", "&!-"])
    func wireTextThatIsNotAFolderName(_ wire: String) { #expect(FolderName(wire: Array(wire.utf8)) == nil) }

    @Test func quotingEscapesEverything() {
        #expect(FolderName("a\r\nS9 DELETE \"x\"").quoted == "\"a&AA0ACg-S9 DELETE \\\"x\\\"\"")
    }

    @Test(arguments: [
        ("17-Jul-1996 02:44:25 -0700", 837_596_665 as UnixTime, -420), (" 1-Jan-1970 00:00:00 +0000", 0, 0),
        ("1-jan-1970 05:30:00 +0530", 0, 330),
        ("31-Dec-1969 23:59:59 +0000", -1, 0), ("29-Feb-2024 12:00:00 +0000", 1_709_208_000, 0),
        ("30-Jun-2015 23:59:60 +0000", 1_435_708_800, 0),
    ]) func internalDates(_ wire: String, _ instant: UnixTime, _ zone: Int) {
        #expect(
            InternalDate(wire: Array(wire.utf8)) == InternalDate(instant, zoneMinutes: zone))
    }

    @Test(arguments: [
        "", "x", "17-Jul-1996", "17-Jul-1996 02:44:25", "30-Feb-2024 12:00:00 +0000", "17-Jux-1996 02:44:25 -0700",
        "17-Jul-1996 24:44:25 -0700", "17-Jul-1996 02:44:25 *0700", "17-Jul-1996 02:44:25 -07a0",
        "0-Jul-1996 02:44:25 -0700",
        "17-Jul-1996 02:44:25 -0700 ", "017-Jul-1996 02:44:25 -0700", "1 -Jul-1996 02:44:25 -0700",
    ]) func malformedDates(_ wire: String) { #expect(InternalDate(wire: Array(wire.utf8)) == nil) }

    @Test func days() {
        #expect(Day(1_767_225_599).description == "31-Dec-2025")
        #expect(Day(1_767_225_600).description == "1-Jan-2026")
        #expect(Day(-1).description == "31-Dec-1969")
        #expect(Day(UnixTime(seconds: .min)).year == 1 && Day(UnixTime(seconds: .max)).year == 9999)
        #expect(
            Day(year: 2026, month: 2, day: 29) == nil && Day(year: 2026, month: 13, day: 1) == nil
                && Day(year: 0, month: 1, day: 1) == nil)
        for days in stride(from: -700_000, to: 2_900_000, by: 997) {
            #expect(Day(UnixTime(seconds: Int64(days) * 86400 + 86399)).daysSince1970 == days)
        }
    }

    @Test func serverTextIsCleaned() {
        #expect(ServerText.clean("a\r\nb\u{1b}[31mé") == "a??b?[31m?")
        #expect(ServerText.clean(String(repeating: "x", count: 5000)).utf8.count == WireLimits.serverText + 3)
    }

    @Test func errorDescriptions() {
        let error = IMAPError(
            .refused, retry: .later, what: "it failed", remedy: "mend it",
            reply: IMAPError.Reply(code: "INUSE", text: "busy"))
        #expect(error.description == "it failed ([INUSE] busy); mend it")
        #expect(IMAPError(.closed, retry: .now, what: "gone").description == "gone")
    }

    @Test func deadlines() {
        #expect(Deadline.after(.zero).isPast && Deadline.after(.zero).milliseconds() == 0)
        #expect(
            !Deadline.after(.seconds(100)).isPast && Deadline.after(.seconds(100)).milliseconds() == Deadline.pollSlice)
        #expect(!Deadline.after(.seconds(Int64.max)).isPast)
        #expect(Deadline.after(.seconds(1)) < Deadline.after(.seconds(2)))
    }

    @Test func wakes() {
        let wake = Wake()
        #expect(wake.wait(until: .after(.zero)) == .timedOut)
        wake.wake()
        wake.wake()
        #expect(wake.wait(until: .after(.seconds(60))) == .woken)
        #expect(wake.wait(until: .after(.zero)) == .timedOut)
        for _ in 0..<1_000_000 { wake.wake() }
        #expect(wake.consume() && !wake.consume())
        wake.stop()
        wake.stop()
        #expect(
            wake.isStopped && wake.wait(until: .after(.seconds(60))) == .stopped
                && wake.wait(until: .after(.seconds(60))) == .stopped)
    }
}
