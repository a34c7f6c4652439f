import YAMLSource

/// What the banks of one set of profiles share: the words of all their patterns, and the reader of mails that no
/// template claims, whose patterns are compiled with the first mail of any bank.
struct CommonReader: Sendable {
    let words: Vocabulary
    private let reader: Deferred<GenericReader>

    init(words: Vocabulary, reading make: @escaping @Sendable () throws(SourceErrors) -> GenericReader) {
        self.words = words
        reader = Deferred(make)
    }

    init(_ reader: GenericReader) {
        words = reader.words
        self.reader = Deferred(reader)
    }

    func generic() throws(SourceErrors) -> GenericReader { try reader.get() }
}
