import ArgumentParser
import Daemon
import Glibc
import ParserControl
import Statements

@main
struct Program {
    /// On the main thread, so that a child that reads a statement, or a role that restricts its files, has no other
    /// thread than this one.
    @MainActor static func main() async {
        StatementChild.runIfStarted()
        // An installation has one program with two names: both share most of their code.
        let name = CommandLine.arguments.first?.split(separator: "/").last
        if name == "parserctl" {
            await ParserControl.main()
        } else {
            await SpendWiseDaemon.start()
        }
        // Everything is closed. The destructors of sixty libraries would only read 5 MB of them again.
        fflush(nil)
        _exit(0)
    }
}
