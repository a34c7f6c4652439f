import ArgumentParser
import Settings

/// Reports an error of the database or of a file, or a refusal, and ends with status 1.
func orExit<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ValidationError { throw error } catch let error as ExitCode {
        throw error
    } catch {
        StandardError.write("parserctl: \(error)\n")
        throw Exit.failed
    }
}
