import DovecotFixture
import Glibc
import Testing

/// Returns a message's file name with its flags. The server decides between new/ and cur/.
fileprivate func baseName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

/// Tests of the real programs against a real Dovecot over TLS. Serialized: each runs a server and a daemon.
@Suite(.serialized) enum EndToEnd {}

extension EndToEnd {
    @Suite struct FirstPass {
        @Test(.timeLimit(.minutes(3))) func everyMailIsBookedAndSecondPassChangesNothing() throws {
            let station = try Station()
            station.parsers = [Program.root + "/parsers"]
            let mails = Catalogue.mixed()
            try station.deliver(mails)
            let names = station.server.files(of: "user")
            try station.pass()
            try station.expectBooked(mails)
            let first = try station.ledger.dump()
            let flags = station.server.flags(of: "user")
            #expect(flags.count == mails.count && flags.values.allSatisfy(\.isEmpty), "\(flags)")

            try station.pass()
            #expect(try station.ledger.dump() == first)
            #expect(station.server.flags(of: "user") == flags)
            let after: [String] = station.server.files(of: "user")
            #expect(after.map(baseName) == names.map(baseName))
        }

        /// The server searches: neither other mail nor mail older than requested is downloaded.
        @Test(.timeLimit(.minutes(3))) func aLargeFolderIsSearchedForSenders() throws {
            let station = try Station(options: .keepingConversations)
            var mails = Catalogue.many(300).filter { !Catalogue.isSecond($0) }
            for number in 0..<20 {
                mails.insert(.newsletter("shop-\(number)", India.daysAgo(1 + number, 8, 0)), at: number * 14)
            }
            mails.insert(
                .iciciCard("old", 7_000, at: "OLD COFFEE", India.daysAgo(400, 9, 0), in: Catalogue.cafe), at: 100)
            try station.deliver(mails)
            try station.server.keepConversations(of: "user")
            try station.pass()
            try station.expectBooked(mails.filter { $0.id != "old" })
            let output = station.server.conversations(of: "user", byServer: false).joined()
            #expect(output.contains(" SINCE ") && output.contains(" FROM \""), "\(output.prefix(2000))")
            let flags = station.server.flags(of: "user")
            #expect(flags.count == mails.count && flags.values.allSatisfy(\.isEmpty))
        }

        @Test(.timeLimit(.minutes(2))) func flagsAreUnchanged() throws {
            let station = try Station()
            let mails = [
                Mail.iciciCard("seen", 5_000, at: "ONE COFFEE", India.daysAgo(2, 9, 0), in: Catalogue.cafe),
                .iciciCard("unseen", 6_000, at: "TWO COFFEE", India.daysAgo(1, 9, 0), in: Catalogue.cafe),
            ]
            try station.deliver(mails)
            let file = try #require(station.server.files(of: "user").first)
            let read = file.replacing("/new/", with: "/cur/") + ":2,FRS"
            try #require(rename(file, read) == 0)
            let before = station.server.files(of: "user")
            try station.pass()
            try station.expectBooked(mails)
            #expect(station.server.flags(of: "user").values.sorted() == ["", "FRS"])
            #expect(station.server.files(of: "user").contains(read) && before.contains(read))
        }

        @Test(.timeLimit(.minutes(2))) func sameMailInTwoMailboxesIsBookedOnce() throws {
            let station = try Station(users: ["asha", "ravi"])
            let mail = Mail.hdfcUPI(
                "shared", 90_000, to: "LAKE CAFE", vpa: "lake@ybl", reference: "611122223333",
                at: India.daysAgo(3, 12, 0), in: Catalogue.cafe)
            for user in ["asha", "ravi"] { try station.deliver([mail], to: user) }
            try station.pass()
            #expect(try station.ledger.booked() == ["shared": try #require(mail.booked)])
            #expect(
                try station.ledger.column("SELECT status FROM processed_emails ORDER BY status") == [
                    "duplicate", "recorded",
                ])
        }
    }
}
