import ArgumentParser
import ParserControl

@main
struct Program {
    static func main() async { await ParserControl.main() }
}
