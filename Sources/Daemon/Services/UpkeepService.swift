import Processes
import ServiceLifecycle
import Upkeep

/// A task of the ledger's upkeep with a timer of its own, so that none waits for another.
struct UpkeepService: Service {
    let job: UpkeepJob

    func run() async throws {
        let isStopped = StopFlag()
        await withGracefulShutdownHandler {
            let ticks = Ticks(seconds: job.schedule.interval, beginsAtOnce: job.schedule.beginsAtOnce)
            for await _ in ticks.cancelOnGracefulShutdown() {
                await onThread { job.run(isStopped: { isStopped.isRaised }) }
            }
        } onGracefulShutdown: {
            isStopped.raise()
        }
    }
}
