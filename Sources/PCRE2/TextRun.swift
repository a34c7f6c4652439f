/// What stands side by side in a pattern, put together to longer words: of `(is|was) \s debited` "is debited" and "was debited".
struct TextRun {
    private var required: [RequiredLiterals] = []
    /// What the end of what was read so far can be; all of it where nothing was left out.
    private var texts: [[UInt8]] = [[]]
    /// What may stand before them.
    private var before = Extent.none
    private var extent = Extent.none
    private var isWhole = true
    /// The texts stand in what is required already.
    private var isSaid = false

    /// More texts than this are not put together: each is a word to be looked for.
    private static let most = 64
    /// So much of what stands before is kept where all of it would be too much.
    private static let keptBytes = 3
    private static let longest = 60

    mutating func append(_ next: PatternNeeds) {
        if next.others != .nothing { required.append(next.others.behind(extent)) }
        if let following = next.texts {
            join(following)
        } else {
            end()
        }
        extent = extent + next.extent
        if next.texts == nil { before = extent }
    }

    /// At least once, and perhaps again.
    mutating func append(_ once: PatternNeeds, repeated quantifier: PatternNode.Quantifier) {
        let start = extent
        append(once)
        if quantifier.minimum == quantifier.maximum, quantifier.minimum <= 4, once.texts != nil {
            for _ in 1..<quantifier.minimum { append(once) }
            return
        }
        // The last time stands before what follows.
        end()
        extent = start + once.extent.repeated(quantifier.maximum)
        before = extent
        if let last = once.texts {
            join(last)
            isSaid = true
        }
    }

    func needs() -> PatternNeeds {
        if isWhole { return PatternNeeds(texts: texts, others: .all(of: required), extent: extent) }
        return PatternNeeds(texts: nil, others: .all(of: required + (isSaid ? [] : [PatternNeeds.words(texts, behind: before)])), extent: extent)
    }

    private mutating func join(_ following: [[UInt8]]) {
        if following == [[]] { return }
        if texts == [[]] { before = extent }
        if texts.count * following.count > Self.most || (texts.map(\.count).max() ?? 0) + (following.map(\.count).max() ?? 0) > Self.longest {
            let tails = Self.unique(texts.map { Array($0.suffix(Self.keptBytes)) })
            end()
            before = extent
            if tails.count * following.count <= Self.most { texts = tails }
        }
        // Most of what stands side by side is one letter and one more, and stays as different as it was.
        if let only = following.first, following.count == 1 {
            for index in texts.indices { texts[index] += only }
        } else if let only = texts.first, texts.count == 1 {
            texts = following.map { only + $0 }
        } else {
            texts = Self.unique(texts.flatMap { first in following.map { first + $0 } })
        }
        isSaid = false
    }

    /// What stands here is required, and not put together with what follows.
    private mutating func end() {
        isWhole = false
        if !isSaid { required.append(PatternNeeds.words(texts, behind: before)) }
        texts = [[]]
    }

    static func unique(_ texts: [[UInt8]]) -> [[UInt8]] {
        var seen = Set<[UInt8]>()
        return texts.filter { seen.insert($0).inserted }
    }
}
