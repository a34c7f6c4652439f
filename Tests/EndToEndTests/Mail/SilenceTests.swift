import DovecotFixture
import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Silences {
        /// A half-open connection at every step: the answer to each message of the client in turn, including those of
        /// the TLS handshake, never arrives.
        /// One mailbox a step. Only the timeout detects it, and the next connection reads everything.
        @Test(.timeLimit(.minutes(3))) func connectionSilentAtAnyStepTimesOut() throws {
            // Two digits, because rows are compared in the order of the mailboxes' names.
            let users = (1...Self.steps).map { "step\(10 + $0)" }
            let station = try Station(users: users, options: .keepingConversations)
            var relays: [Relay] = []
            defer { for relay in relays { relay.close() } }
            let mails = users.indices.map { Watching.coffee("mail\($0)", minutes: $0) }
            for (index, user) in users.enumerated() {
                let relay = try Relay(to: station.server.port)
                relay.fallsSilent(afterWords: index + 1)
                relays.append(relay)
                station.mailboxes[index].port = relay.port
                station.mailboxes[index].more = "    timeout: 2s\n    probe: 5s"
                try station.deliver([mails[index]], to: user)
                try station.server.keepConversations(of: user)
            }
            let daemon = try station.start(["ingest"])
            try waitUntil("every mailbox's second connection\n\(daemon.errors)") {
                relays.allSatisfy { $0.connections > 1 }
            }
            try waitUntil("every mail's row\n\(daemon.errors)") { station.ledger.mails == mails.count }
            try waitUntil("all to watch\n\(daemon.errors)") {
                try station.ledger.count(
                    "SELECT count(*) FROM mailbox_health WHERE state = 'watching' AND reason IS NULL") == users.count
            }
            // The last command of each first connection has no answer. Connections without a login have no second
            // conversation.
            let last = users.map { user in
                let all = station.server.conversations(of: user, byServer: false)
                return all.count < 2 ? "login" : all[0].split(separator: "\r\n").last.map(String.init) ?? ""
            }
            for word in ["login", "EXAMINE", "SEARCH", "FETCH", "IDLE"] {
                #expect(last.contains { $0.contains(word) }, "\(word) in \(last)")
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked(mails)
        }

        /// Messages of the client from the greeting to IDLE.
        private static let steps = 10
    }
}
