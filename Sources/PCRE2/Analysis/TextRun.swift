/// Adjacent parts of a pattern, joined to longer words: `(is|was) \s debited` becomes "is debited" and "was debited".
struct TextRun {
    private var required: [RequiredLiterals] = []
    /// Possible endings of the text read so far, complete if nothing was left out.
    private var texts = Texts.empty
    /// Extent of the text that may precede them.
    private var before = Extent.none
    private var extent = Extent.none
    private var isWhole = true
    /// Set if the required literals already include the texts.
    private var isSaid = false

    /// Limit for the number of combined texts, because each is searched.
    private static let most = 64
    /// Bytes of the preceding text that are kept if all of it would be too long.
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

    /// Appends a part that occurs once and may repeat.
    mutating func append(_ once: PatternNeeds, repeated quantifier: PatternNode.Quantifier) {
        let start = extent
        append(once)
        if quantifier.minimum == quantifier.maximum, quantifier.minimum <= 4, once.texts != nil {
            for _ in 1..<quantifier.minimum { append(once) }
            return
        }
        // The last repetition precedes the following part.
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

    /// Adds the texts to the requirements and starts a new run.
    private mutating func end() {
        isWhole = false
        if !isSaid { required.append(PatternNeeds.words(texts, behind: before)) }
        texts = .empty
    }
}
