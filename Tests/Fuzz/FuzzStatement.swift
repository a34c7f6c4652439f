import Glibc
import Ledger
import PDFWords
import YAMLSource

@testable import Statements

/// Reads the input as the file of a statement, of any format and as a list of payments; as the words of a PDF if it
/// begins as the answer of the program that reads them; as the answer of the child that reads statements if it is JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if bytes.first == UInt8(ascii: "{") {
        // Of a child that may have been taken over: what passes the check has a proof.
        if case .success(let statement)? = StatementAnswer(bytes)?.checked { precondition(!statement.lines.isEmpty) }
        return 0
    }
    if let words = PDFAnswer(bytes) {
        precondition(PDFAnswer(words.bytes) == words)
        check { () throws(StatementReadingError) in try statements.read(words, currency: .inr) }
        return 0
    }
    check { () throws(StatementReadingError) in try statements.read(bytes, currency: .inr) }
    for list in lists { check { () throws(StatementReadingError) in try list.read(bytes, currency: .inr) } }
    return 0
}

/// What the child answers must arrive as it was.
fileprivate func check(_ read: () throws(StatementReadingError) -> BankStatement) {
    let answer: StatementAnswer
    do throws(StatementReadingError) { answer = .statement(try read()) } catch {
        precondition(!error.description.isEmpty)
        answer = .refusal(error)
    }
    precondition(StatementAnswer(answer.bytes) == answer)
}

fileprivate let parsers = getenv("SPENDWISE_PARSERS").map { String(cString: $0) } ?? "parsers"
fileprivate let words: StatementWords = {
    do { return try StatementReader.sharedWords([parsers]) } catch { fatalError("\(error)") }
}()
fileprivate let statements = StatementParser(words: words)
fileprivate let lists: [StatementParser] = {
    do {
        return try StatementReader.paymentLists(profiles: [parsers]).map {
            StatementParser(words: words.mapped(by: $0))
        }
    } catch { fatalError("\(error)") }
}()
