import Logging
import Processes
import ServiceLifecycle
import Store

/// Has the mail reader decide about the templates that the page asks for, and reloads the profiles of each role when
/// the templates in use have changed.
struct ActivationWatch: Service {
    let store: Store
    /// `nil` in the web role, which decides nothing.
    let activator: TemplateActivator?
    let reload: ProfileReload

    /// Seconds between two polls: a person waits for the result. A poll is two queries on small indices.
    private static let interval = 2.0
    /// Polls without a decision after a fault of the ledger: a proof takes seconds.
    private static let pause = 30

    func run() async throws {
        let stop = StopFlag()
        await withGracefulShutdownHandler {
            await poll(stop)
        } onGracefulShutdown: {
            stop.raise()
        }
    }

    private func poll(_ stop: StopFlag) async {
        var activator = activator
        activator?.isStopped = { stop.isRaised }
        var loaded: [String] = []
        var pause = 0
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            if pause > 0 {
                pause -= 1
            } else if let activator {
                let result = await onThread { Result { try activator.pass() } }
                if case .failure(let error) = result {
                    pause = Self.pause
                    reload.logger.warning("requests for templates not decided", metadata: ["reason": "\(error)"])
                }
            }
            // Which of them the start has loaded is not known, so the first poll loads them if there are any.
            let now = await onThread { [store] in try? store.templateActivations.generation() }
            guard let now, now != loaded else { continue }
            loaded = now
            let result = await onThread { [reload] in Result { try reload.run() } }
            if case .failure(let error) = result {
                reload.logger.error(
                    "profiles not reloaded, the old ones remain in use", metadata: ["reason": "\(error)"])
            }
        }
    }
}
