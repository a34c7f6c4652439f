import Testing

@testable import Profiles

/// Words of every length are found in any position, like by a plain search.
@Suite struct WordFinderTests {
    /// Many with equal beginnings or contained in one another; one at each bound of the tables.
    static let words = [
        "upi", "rs ", "card", "cards", "credit", "credits", "credited", " credited", "credited to", "has been",
        "has been d", "has been deb", "has been debited", "has been debited ",
        "has been debited from", "has been debited from your", "has been credited to your account",
        "has been credited to your accounts", String(repeating: "ab", count: 7), String(repeating: "ab", count: 8),
        String(repeating: "long ", count: 50) + "words",
    ]

    static let texts = [
        "", "u", "up", "upi", "xupi", "UPI upi\nuPi", "card", "cards", "a credit", "credits",
        "Has Been\tDebited\nfrom your", "has been debited prom your", "rs has been debited from your",
        "has been credited to your accoun",
        "has been credited to your accounts", String(repeating: "ab", count: 30),
        String(repeating: "long ", count: 60) + "words", String(repeating: "Ünïcode has been credited to ", count: 20),
        "\0upi\0",
    ]

    @Test(arguments: texts) func everyPlaceIsFound(text: String) throws {
        let vocabulary = Vocabulary()
        let numbers = try Self.words.map { try #require(vocabulary.number($0)) }
        let bytes = Array(text.utf8)
        let found = vocabulary.find(in: bytes)
        let folded = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : (0x09...0x0D).contains($0) ? 0x20 : $0 }
        for (word, number) in zip(Self.words, numbers) {
            let expected = folded.indices.filter { folded[$0...].starts(with: word.utf8) }
            var places: [Int] = []
            var place = found.last(number)
            while let here = place {
                places.append(here.start)
                place = found.before(here)
            }
            #expect(places.reversed() == expected, "\(word)")
            #expect(found.contains(number) == !expected.isEmpty, "\(word)")
        }
    }
}
