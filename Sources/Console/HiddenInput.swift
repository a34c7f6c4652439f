import Glibc
import Settings

/// A line of the terminal that is not shown.
public enum HiddenInput {
    /// Reads a line without echo. The echo is restored after Ctrl-C as well.
    public static func line(_ prompt: String) throws -> String {
        StandardError.write(prompt)
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Refused("the echo of the terminal cannot be turned off")
        }
        var quiet = shown
        // Without ISIG, Ctrl-C ends the line and not the program, which has to restore the terminal.
        quiet.c_lflag &= ~tcflag_t(ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardError.write("\n")
        }
        guard let line = readLine(), !line.unicodeScalars.contains(where: { $0.value == 3 || $0.value == 0x1C })
        else { throw Refused("nothing was changed") }
        return line
    }
}
