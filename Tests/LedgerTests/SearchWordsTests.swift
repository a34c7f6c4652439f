import Ledger
import Testing

@Suite struct SearchWordsTests {
    @Test(
        arguments: [
            ("coffee", [], [], "coffee"), ("  two  blanks ", [], [], "  two  blanks "),
            ("tag:goa coffee  shop", ["goa"], [], "coffee shop"), ("payee:swiggy", [], ["swiggy"], ""),
            ("payee:a tag:b payee:c d", ["b"], ["a", "c"], "d"), ("tag:", [], [], "tag:"), ("a:b", [], [], "a:b"),
            ("payee: x", [], [], "payee: x"),
        ] as [(String, [String], [String], String)])
    func markedWords(text: String, tags: [String], payees: [String], rest: String) {
        let words = SearchWords(text)
        #expect(words.tags == tags && words.payees == payees && words.rest == rest)
    }
}
