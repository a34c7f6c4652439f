import Access
import NIOPosix

/// Verifies and hashes passphrases in a thread pool, one at a time: each takes 32 MiB and a quarter of a second of a
/// core.
actor PassphraseVerifier {
    private var waiting = 0
    /// Limit of waiting verifications; further callers must try again. The login throttle keeps them few.
    private static let maximumWaiting = 8

    private var last: Task<Void, Never>?

    /// - Returns: `nil` if too many verifications wait.
    func matches(_ passphrase: String, _ hash: PassphraseHash) async -> Bool? {
        await run { hash.matches(passphrase) }
    }

    /// - Returns: `nil` if too many verifications wait, or without memory.
    func hash(_ passphrase: String) async -> PassphraseHash? { await run { PassphraseHash(of: passphrase) } ?? nil }

    private func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        guard waiting < Self.maximumWaiting else { return nil }
        waiting += 1
        defer { waiting -= 1 }
        let before = last
        let task = Task { () -> Result? in
            await before?.value
            return try? await NIOThreadPool.singleton.runIfActive(work)
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}
