public import IMAP
import Settings
public import Store

/// A mailbox of the configuration that a thread of its own reads: one on a server, or a Maildir.
public protocol MailboxWatcher: Sendable {
    var name: String { get }
    /// As the configuration names them.
    var folders: [String] { get }
    /// Ends every wait: for a stop, or for a look at once.
    var wake: Wake { get }

    /// Reads every folder once. Blocks. Throws the first fault, after the folders that could be read were read.
    func runOnce() throws

    /// Corrects what was said of its health where the time of day was set. Cheap; to be called every few seconds.
    func followClock()

    /// Watches until `wake.stop()`. Blocks; call it from a thread of its own.
    func run()
}

extension MailboxWatcher {
    /// Whether it reads this folder. One that is named by its special use (`\All`) has another name on the server, so that any may be it.
    public func reads(_ key: FolderKey) -> Bool {
        key.mailbox == name && (folders.contains(key.folder) || folders.contains { $0.hasPrefix("\\") })
    }
}

extension MailboxLoop: MailboxWatcher {
    public var name: String { settings.name }
    public var folders: [String] { settings.folders }
    public func followClock() { health.followClock() }
}
