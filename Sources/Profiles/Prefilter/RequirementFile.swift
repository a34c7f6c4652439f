import Codecs
import Synchronization
import YAMLSource

/// Cache of the requirements of one set of profiles: reading it takes a tenth of the time of deriving them. The file is
/// valid for this program and exactly these profiles. Safe on any thread.
///
/// If it is missing, cannot be read or written, or belongs to other profiles, the only cost is the time of deriving
/// them.
final class RequirementFile: Sendable {
    /// The contents of the file. 32-bit numbers: how many patterns and codes follow, for each pattern its hash in two
    /// halves and its place, the codes; then the words, a line each.
    private final class Contents: Sendable {
        let words: WordList
        /// The vocabulary's number of each word; `nil` if it is the word's index here.
        let numbers: [Int32?]?
        /// All requirements in sequence. Their words are numbers of this file.
        let codes: [Int32]
        /// Start of each requirement by the hash of its pattern. Two of several thousand patterns share a 64-bit hash
        /// in one of 10^12 sets of profiles.
        let places: [UInt64: Int32]

        init(
            words: WordList = WordList(), numbers: [Int32?]? = [], codes: [Int32] = [], places: [UInt64: Int32] = [:]
        ) {
            self.words = words
            self.numbers = numbers
            self.codes = codes
            self.places = places
        }

        func number(_ word: Int32) -> Int32? {
            guard (0..<words.count).contains(Int(word)) else { return nil }
            guard let numbers else { return word }
            return numbers[Int(word)]
        }
    }

    /// The additions since the file was read.
    private struct Kept {
        var words: [String] = []
        var numbers: [String: Int32] = [:]
        var codes: [Int32] = []
        var places: [UInt64: Int32] = [:]
        var isSaved = true
    }

    private let path: String?
    /// Identity of the program and the profiles.
    private let owner: String
    private let words: Vocabulary
    private let contents = AtomicLazyReference<Contents>()
    private let kept = Mutex(Kept())

    /// The maximum size of a file that this program writes.
    private static let maximumBytes = 1 << 24

    init(path: String?, owner: String, words: Vocabulary) {
        self.path = path
        self.owner = owner
        self.words = words
    }

    /// The requirement of the pattern with this text; `nil` if it is not cached.
    func recall(_ text: String) -> RequirementCode? {
        let contents = contents.load() ?? contents.storeIfNil(read())
        guard let at = contents.places[Self.key(text)] else { return nil }
        return RequirementCode(contents.codes[Int(at)...], naming: contents.number)
    }

    /// Adds a derived requirement, for ``save()``.
    func keep(_ requirement: RequirementCode, of text: String) {
        guard path != nil, let contents = contents.load() else { return }
        kept.withLock { kept in
            if kept.numbers.isEmpty {
                for number in 0..<contents.words.count {
                    kept.numbers[contents.words.text(number)] = Int32(truncatingIfNeeded: number)
                }
            }
            func number(_ word: Int32) -> Int32? {
                guard let word = words.word(Int(word)), !word.utf8.contains(0x0A) else { return nil }
                if let known = kept.numbers[word] { return known }
                let number = Int32(truncatingIfNeeded: contents.words.count + kept.words.count)
                kept.words.append(word)
                kept.numbers[word] = number
                return number
            }
            guard let named = RequirementCode(requirement.code, naming: number) else { return }
            kept.places[Self.key(text)] = Int32(truncatingIfNeeded: contents.codes.count + kept.codes.count)
            kept.codes += named.code
            kept.isSaved = false
        }
    }

    /// Writes the file if requirements were added since.
    func save() {
        guard let path, let contents = contents.load() else { return }
        kept.withLock { kept in
            if kept.isSaved { return }
            kept.isSaved = true
            let places = contents.places.merging(kept.places) { $1 }
            var body = [
                Int32(truncatingIfNeeded: places.count),
                Int32(truncatingIfNeeded: contents.codes.count + kept.codes.count),
            ]
            for (key, at) in places {
                body += [Int32(truncatingIfNeeded: key), Int32(truncatingIfNeeded: key >> 32), at]
            }
            body += contents.codes + kept.codes
            var bytes = body.withUnsafeBytes { Array($0) }
            for number in 0..<contents.words.count { bytes += contents.words[number] + [0x0A] }
            for word in kept.words { bytes += Array(word.utf8) + [0x0A] }
            CacheFile.write(bytes, of: owner, to: path, upTo: Self.maximumBytes)
        }
    }

    /// Adds its words to the vocabulary, so that the word finder is built once, not again for each bank.
    private func read() -> Contents {
        guard let path, let body = CacheFile.read(path, of: owner, upTo: Self.maximumBytes), body.count >= 8 else {
            return Contents()
        }
        func number(_ index: Int) -> Int32 {
            body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self) }
        }
        let (entries, codes) = (Int(number(0)), Int(number(1)))
        let start = 2 + 3 * entries
        guard entries >= 0, codes >= 0, 4 * (start + codes) <= body.count else { return Contents() }
        var places: [UInt64: Int32] = [:]
        places.reserveCapacity(entries)
        for entry in 0..<entries {
            let (low, high, at) = (number(2 + 3 * entry), number(3 + 3 * entry), number(4 + 3 * entry))
            if 0 <= at, at < codes {
                places[UInt64(UInt32(bitPattern: low)) | UInt64(UInt32(bitPattern: high)) << 32] = at
            }
        }
        let found = WordList(lines: body.dropFirst(4 * (start + codes)))
        let numbers: [Int32?]? =
            words.adopt(found)
            ? nil
            : (0..<found.count).map { words.number(found.text($0)).map { Int32(truncatingIfNeeded: $0) } }
        return Contents(
            words: found, numbers: numbers, codes: (start..<(start + codes)).map(number), places: places)
    }

    private static func key(_ text: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(Array(text.utf8))
        return hash.value
    }
}
