public import IMAP
import Settings
public import Store

/// A mailbox of the configuration that is read by its own thread: on a server, or a Maildir.
public protocol MailboxWatcher: Sendable {
    var name: String { get }
    /// The names in the configuration.
    var folders: [String] { get }
    /// Ends every wait: for a stop, or for a poll at once.
    var wake: Wake { get }

    /// Reads every folder once. Blocks.
    ///
    /// - Throws: the first fault, after the other folders have been read.
    func runOnce() throws

    /// Corrects the times in its health after the time of day was set. Cheap; call it every few seconds.
    func followClock()

    /// Watches until `wake.stop()`. Blocks; call it on a separate thread.
    func run()
}

extension MailboxWatcher {
    /// True if it may read this folder. A folder configured by its special use (`\All`) has another name on the server,
    /// so it may be any.
    public func reads(_ key: FolderKey) -> Bool {
        key.mailbox == name && (folders.contains(key.folder) || folders.contains { $0.hasPrefix("\\") })
    }
}

extension MailboxLoop: MailboxWatcher {
    public var name: String { settings.name }
    public var folders: [String] { settings.folders }
    public func followClock() { health.followClock() }
}
