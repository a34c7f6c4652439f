/// Adjacent parts of a pattern, joined to longer words: of `(is|was) \s debited` "is debited" and "was debited".
struct TextRun {
    private var required: [RequiredLiterals] = []
    /// What the end of what was read so far can be; all of it where nothing was left out.
    private var texts = Texts.empty
    /// The extent of the text that may precede them.
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
        return PatternNeeds(
            texts: nil, others: .all(of: required + (isSaid ? [] : [PatternNeeds.words(texts, behind: before)])),
            extent: extent)
    }

    private mutating func join(_ following: Texts) {
        if following == .empty { return }
        if texts == .empty { before = extent }
        if texts.count * following.count > Self.most || texts.longest + following.longest > Self.longest {
            let tails = texts.suffixes(Self.keptBytes)
            end()
            before = extent
            if tails.count * following.count <= Self.most { texts = tails }
        }
        texts.follow(with: following)
        isSaid = false
    }

    /// What stands here is required, and not put together with what follows.
    private mutating func end() {
        isWhole = false
        if !isSaid { required.append(PatternNeeds.words(texts, behind: before)) }
        texts = .empty
    }
}
