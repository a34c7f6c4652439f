import ArgumentParser
import Daemon

@main
struct Program {
    static func main() async { await SpendWiseDaemon.main() }
}
