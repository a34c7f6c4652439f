import Access
import NIOPosix

/// Checks passphrases off the threads that serve, one at a time: each takes 32 MiB and a quarter of a second of a core.
actor Hashing {
    private var waiting = 0
    /// Who comes when so many wait is told to come back: the throttle lets few get this far.
    private static let most = 8

    private var last: Task<Bool, Never>?

    /// - Returns: `nil` where too many wait already.
    func matches(_ passphrase: String, _ hash: PassphraseHash) async -> Bool? {
        guard waiting < Self.most else { return nil }
        waiting += 1
        defer { waiting -= 1 }
        let before = last
        let work = Task {
            _ = await before?.value
            return (try? await NIOThreadPool.singleton.runIfActive { hash.matches(passphrase) }) ?? false
        }
        last = work
        return await work.value
    }
}
