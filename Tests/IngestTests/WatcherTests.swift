import IMAP
import Store
import Testing

@testable import Ingest

/// The mailbox that a request is for.
@Suite struct WatcherTests {
    struct Watcher: MailboxWatcher {
        var name = "personal"
        var folders: [String]
        let wake = Wake()
        func runOnce() throws {}
        func followClock() {}
        func run() {}
    }

    @Test(arguments: [
        (["INBOX"], "personal", "INBOX", true), (["INBOX"], "personal", "Archive", false),
        (["INBOX"], "other", "INBOX", false),
        // The ledger has the server's name of the folder.
        (["\\All"], "personal", "[Gmail]/All Mail", true), (["\\All"], "other", "[Gmail]/All Mail", false),
    ]) func readsItsFolders(folders: [String], mailbox: String, folder: String, reads: Bool) {
        #expect(Watcher(folders: folders).reads(FolderKey(mailbox: mailbox, folder: folder)) == reads)
    }
}
