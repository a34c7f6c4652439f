import Glibc
import PDFText
import PDFWords
import Processes

/// Reads a PDF on its standard input and writes the words to its standard output, after it has given up every other
/// right. A program of its own, so that Poppler is in no other process.
@main struct PDFProgram {
    static func main() {
        do throws(Confinement.Refused) { try Confinement.statement.enter() } catch {
            _exit(Confinement.refusedStatus)
        }
        guard let bytes = StandardStreams.input(limit: PDFRequest.maximumBytes), let request = PDFRequest(bytes) else {
            _exit(1)
        }
        let answer: PDFAnswer
        do throws(PDFTextError) {
            answer = .pages(try PDFText.pages(in: request.file, password: request.password))
        } catch { answer = .refusal(error) }
        _exit(StandardStreams.write(answer.bytes) ? 0 : 1)
    }
}
