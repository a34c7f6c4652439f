import PDFWords
import Testing

/// Request and answer of the program that reads PDFs.
@Suite struct PDFAnswerTests {
    static let pages = [
        [
            PDFWord("Date", left: 40, right: 60.125, top: 100, bottom: 110.5),
            PDFWord("caf\u{E9}", left: -1.5, right: 14_400, top: 0, bottom: 0),
        ], [], [PDFWord("1,250.50", left: 0.001, right: 0.002, top: 0, bottom: 10)],
    ]

    static let answers = [PDFAnswer.pages(pages)] + PDFTextError.allCases.map(PDFAnswer.refusal)

    @Test(arguments: answers) func everyAnswerIsReadAsItWasWritten(answer: PDFAnswer) {
        #expect(PDFAnswer(answer.bytes) == answer)
        #expect(PDFAnswer(Array(answer.bytes.dropLast())) == nil)
        #expect(PDFAnswer(answer.bytes + Array("more\n".utf8)) == nil)
    }

    /// Cut at a line's end, an answer has fewer words; the proof of the statement refuses it.
    @Test func aCutAnswerIsNoOther() throws {
        let bytes = PDFAnswer.pages(Self.pages).bytes
        let words = Self.pages.flatMap { $0 }
        for length in 0..<bytes.count {
            guard case .pages(let read)? = PDFAnswer(Array(bytes[..<length])) else { continue }
            #expect(words.starts(with: read.flatMap { $0 }))
        }
    }

    @Test(arguments: [
        "", "\n", "spendwise-pdf 1\n", "spendwise-pdf 1 pages\n", "spendwise-pdf 1 pages\npage\n",
        "spendwise-pdf 2 pages\npage\n0 1 0 1 X\n", "spendwise-pdf 1 pages\n0 1 0 1 X\n",
        "spendwise-pdf 1 pages\npage\n0 1 0 X\n", "spendwise-pdf 1 pages\npage\n0 1 0 1 \n",
        "spendwise-pdf 1 pages\npage\n0 1 0 1 X Y\n", "spendwise-pdf 1 pages\npage\n0 1 0 1 X\rY\n",
        "spendwise-pdf 1 pages\npage\n0 1 0 99999999 X\n", "spendwise-pdf 1 pages\npage\n0 1 0 -1 X\n",
        "spendwise-pdf 1 pages\npage\n0 1 0 9223372036854775808 X\n", "spendwise-pdf 1 pages\npage\n0.5 1 0 1 X\n",
        "spendwise-pdf 1 unknown\n", "spendwise-pdf 1 no_text\nno_text\n",
    ]) func otherBytesAreNoAnswer(text: String) {
        #expect(PDFAnswer(Array(text.utf8)) == nil)
    }

    @Test func limitsHold() {
        let page = "page\n"
        let head = "spendwise-pdf 1 pages\n"
        let word = "0 1 0 1 X\n"
        let pages = String(repeating: page, count: PDFLimits.pages)
        #expect(PDFAnswer(Array((head + pages + word).utf8)) != nil)
        #expect(PDFAnswer(Array((head + pages + page + word).utf8)) == nil)
        let words = String(repeating: word, count: PDFLimits.words)
        #expect(PDFAnswer(Array((head + page + words + word).utf8)) == nil)
    }

    static let requests = [
        PDFRequest(password: nil, file: []), PDFRequest(password: "", file: [1, 0x0A, 2]),
        PDFRequest(password: "two\nlines \u{E9}", file: Array("%PDF-1.7".utf8)),
    ]

    @Test(arguments: requests) func everyRequestIsReadAsItWasWritten(request: PDFRequest) {
        #expect(PDFRequest(request.bytes) == request)
    }

    @Test(arguments: ["", "spendwise-pdf 1 -", "spendwise-pdf 2 -\n", "spendwise-pdf 1 4\nabc", "spendwise-pdf 1 x\n"])
    func otherBytesAreNoRequest(text: String) { #expect(PDFRequest(Array(text.utf8)) == nil) }
}
