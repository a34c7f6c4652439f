import Testing

@testable import Zstandard

@Suite struct DictionaryCoderTests {
    static func alert(_ number: Int) -> [UInt8] {
        Array(
            """
            From: alerts@bank.example\r\nSubject: Debit alert\r\n\r
            Dear customer, Rs.\(number * 37).\(number % 100) was debited from account XX\(1000 + number) on \(number % 28 + 1)-11-26 to \
            VPA merchant\(number)@bank. Reference \(number &* 2_654_435_761 % 1_000_000_007).
            """.utf8)
    }

    static let dictionary: [UInt8] = DictionaryCoder.train(on: (0..<2000).map(alert), capacity: 4096) ?? []

    @Test func resemblingTextsTakeAFractionOfTheirBytes() throws {
        let coder = try #require(DictionaryCoder(dictionary: Self.dictionary))
        for number in [3, 2500, 9999] {
            let text = Self.alert(number)
            let frame = try #require(coder.compress(text))
            #expect(frame.count * 3 < text.count)
            #expect(coder.decompress(frame, count: text.count) == text)
        }
    }

    @Test func manyBytesReturnUnchanged() throws {
        let coder = try #require(DictionaryCoder(dictionary: Self.dictionary))
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let frame = try #require(coder.compress(bytes))
        #expect(coder.decompress(frame, count: bytes.count) == bytes)
    }

    @Test(arguments: [[], [1], [3, 1, 4, 1, 5, 9, 2, 6]]) func bytesThatWouldNotBecomeFewerAreNotCompressed(
        bytes: [UInt8]
    ) throws {
        let coder = try #require(DictionaryCoder(dictionary: Self.dictionary))
        #expect(coder.compress(bytes) == nil)
    }

    @Test func damagedFramesAreRefused() throws {
        let coder = try #require(DictionaryCoder(dictionary: Self.dictionary))
        let text = Self.alert(7)
        let frame = try #require(coder.compress(text))
        for length in 0..<frame.count { #expect(coder.decompress(Array(frame[..<length]), count: text.count) == nil) }
        #expect(coder.decompress(frame, count: text.count - 1) == nil)
        #expect(coder.decompress(frame, count: text.count + 1) == nil)
        #expect(coder.decompress(frame, count: -1) == nil)
        for index in frame.indices {
            var altered = frame
            altered[index] ^= 0x55
            // Whatever it decodes to has the length that is asked for.
            if let bytes = coder.decompress(altered, count: text.count) { #expect(bytes.count == text.count) }
        }
    }

    @Test func anotherDictionaryIsRefused() throws {
        let other = try #require(
            DictionaryCoder.train(on: (0..<2000).map { Array("\($0 * $0) other words \($0)".utf8) }, capacity: 2048))
        let frame = try #require(DictionaryCoder(dictionary: Self.dictionary)?.compress(Self.alert(1)))
        #expect(DictionaryCoder(dictionary: other)?.decompress(frame, count: Self.alert(1).count) == nil)
    }

    @Test func tooFewSamplesTrainNothing() {
        #expect(DictionaryCoder.train(on: [], capacity: 4096) == nil)
        #expect(DictionaryCoder.train(on: [[1], [2]], capacity: 4096) == nil)
    }

    /// Without training, and whatever the samples begin with: here the magic number of a dictionary (RFC 8878 section
    /// 5).
    @Test func anExcerptServesAsDictionary() throws {
        let samples = (0..<100).map { [0x37, 0xA4, 0x30, 0xEC] + Self.alert($0) }
        let dictionary = DictionaryCoder.excerpt(of: samples, capacity: 2048)
        #expect((1500...2048).contains(dictionary.count))
        let coder = try #require(DictionaryCoder(dictionary: dictionary))
        let text = Self.alert(9999)
        let frame = try #require(coder.compress(text))
        #expect(frame.count * 2 < text.count)
        #expect(coder.decompress(frame, count: text.count) == text)
    }

    @Test(arguments: [[], [[]], [[1], [2]]] as [[[UInt8]]]) func anExcerptOfLittleCompressesLittle(
        samples: [[UInt8]]
    ) throws {
        let dictionary = DictionaryCoder.excerpt(of: samples, capacity: 4096)
        let coder = try #require(DictionaryCoder(dictionary: dictionary))
        let text = (1...9).flatMap(Self.alert)
        let frame = try #require(coder.compress(text))
        #expect(coder.decompress(frame, count: text.count) == text)
    }
}
