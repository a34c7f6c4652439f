import ArgumentParser
import Settings

/// The reason why a command did nothing: something named does not exist, or its state does not allow the command.
/// Printed without the usage of the command; exit status 1.
struct Refused: Error, CustomStringConvertible {
    /// The word for it in JSON.
    enum Kind: String {
        case refused
        /// A value cannot be used.
        case invalid
    }

    let kind: Kind
    let description: String

    init(_ description: String, kind: Kind = .refused) {
        self.description = description
        self.kind = kind
    }
}

/// Reports an error of the database or of a file, or a refusal, and ends with status 1.
func orExit<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ValidationError { throw error } catch let error as ExitCode {
        throw error
    } catch {
        StandardError.write("parserctl: \(error)\n")
        throw Exit.failed
    }
}
