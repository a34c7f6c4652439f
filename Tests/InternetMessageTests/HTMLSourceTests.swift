import Testing

@testable import InternetMessage

struct HTMLSourceTests {
    private static let documents = [
        "<p class=a title='x>y'>Paid &amp; <b>done</b></p>", "a < b </ c> </> d", "<!--> x --> <!-- y --!> z",
        "<style>p > a { }</style><script>if (a < b) '</p>'</script>t", "<title>a<b>&lt;</title>",
        "<?xml ?><!doctype html>",
        "<plaintext>a</b>", "<td nowrap = x / bgcolor=#fff>1", "<a href=\"x", "<", "</", "text", "",
    ]

    private static func read(_ document: String) -> [String] {
        let bytes = Array(document.utf8)
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return HTMLSource.tokens(of: bytes).map { token in
            switch token {
            case .text(let range): text(range)
            case .content(let range, let tag): "\(text(tag.name)){\(text(range))}"
            case .other(let range): "!\(text(range))"
            case .tag(let tag):
                "<\(tag.isEndTag ? "/" : "")\(text(tag.name))"
                    + tag.attributes.map { " \(text($0.name))=\($0.value.map(text) ?? "-")" }.joined() + ">"
            }
        }
    }

    @Test func tokensAreThoseOfTheStandard() {
        let expected: [[String]] = [
            ["<p class=a title=x>y>", "Paid &amp; ", "<b>", "done", "</b>", "</p>"],
            ["a ", "<", " b ", "!</ c>", " ", "!</>", " d"], ["!<!-->", " x --> ", "!<!-- y --!>", " z"],
            ["<style>", "style{p > a { }}", "</style>", "<script>", "script{if (a < b) '</p>'}", "</script>", "t"],
            ["<title>", "title{a<b>&lt;}", "</title>"], ["!<?xml ?>", "!<!doctype html>"],
            ["<plaintext>", "plaintext{a</b>}"], ["<td nowrap=x bgcolor=#fff>", "1"], [], ["<"], ["</"], ["text"], [],
        ]
        for (document, tokens) in zip(Self.documents, expected) { #expect(Self.read(document) == tokens) }
    }

    /// A token is never outside the document, and no byte is in two of them.
    @Test func everyCutIsRead() {
        for document in Self.documents {
            let bytes = Array(document.utf8)
            for count in 0...bytes.count {
                var end = 0
                for token in HTMLSource.tokens(of: Array(bytes.prefix(count))) {
                    let range =
                        switch token {
                        case .text(let range), .content(let range, _), .other(let range): range
                        case .tag(let tag): tag.range
                        }
                    #expect(range.lowerBound == end && range.upperBound <= count)
                    end = range.upperBound
                }
            }
        }
    }
}
