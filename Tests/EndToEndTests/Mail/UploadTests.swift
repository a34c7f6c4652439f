import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// A saved mail that is uploaded to the web role and decided by the mail reader, which are two processes.
    @Suite(.enabled(if: access(WebSite.curl, X_OK) == 0)) struct Uploads {
        @Test(.timeLimit(.minutes(3))) func anUploadedMailWaitsInTheReview() throws {
            let site = try WebSite()
            let token = try site.token("uploads", ["--scope", "read", "--scope", "write"])
            let mail = try site.station.scratch.write(Watching.coffee("saved", minutes: 1).bytes, to: "saved.eml")
            let upload = ["-H", "Authorization: Bearer \(token)", "-H", "Accept: text/html", "-F", "file=@\(mail)"]
            let answer = try site.ask("/app/mailboxes/upload", upload)
            #expect(answer.status == 200 && answer.body.contains("Of banks: 1"), "\(answer)")
            let outcomes = { try site.station.ledger.column("SELECT status FROM processed_emails") }
            #expect(try outcomes() == ["failed"])
            let reader = try site.station.start(["ingest"])
            try waitUntil("the decision\n\(reader.errors)") { try outcomes() == ["review"] }
            #expect(
                try site.station.ledger.column("SELECT parsed_vendor || status FROM transactions") == [
                    "SAVED COFFEEneeds_review"
                ])
            #expect(try site.ask("/app/mailboxes/upload", upload).body.contains("Recorded before: 1"))
            reader.signal(SIGTERM)
            #expect(try reader.exit(within: 10) == 0)
        }
    }
}
