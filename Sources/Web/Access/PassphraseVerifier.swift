import Access
import NIOPosix

/// Verifies passphrases in a thread pool, one at a time: each takes 32 MiB and a quarter of a second of a core.
actor PassphraseVerifier {
    private var waiting = 0
    /// Limit of waiting verifications; further callers must try again. The login throttle keeps them few.
    private static let maximumWaiting = 8

    private var last: Task<Bool, Never>?

    /// - Returns: `nil` if too many verifications wait.
    func matches(_ passphrase: String, _ hash: PassphraseHash) async -> Bool? {
        guard waiting < Self.maximumWaiting else { return nil }
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
