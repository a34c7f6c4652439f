import ArgumentParser
import Daemon
import Statements

@main
struct Program {
    /// On the main thread, so that a child that reads a statement has no other thread than this one.
    @MainActor static func main() async {
        StatementChild.runIfStarted()
        await SpendWiseDaemon.main()
    }
}
