/// Joins adjacent parts of a pattern to longer words: `(is|was) \s debited` becomes "is debited" and "was debited".
///
/// A run ends at a part whose texts are unknown or too many. What it requires is then added to `required`, and the next
/// run begins.
struct TextRun {
    /// Requirements of the parts, and of the runs that have ended.
    private var required: [RequiredLiterals] = []
    /// All texts that the present run can be, or their last bytes.
    private var texts = Texts.empty
    /// Extent of the text before them.
    private var before = Extent.none
    /// Extent of all parts so far.
    private var extent = Extent.none
    /// True if ``texts`` are all texts of all parts so far.
    private var isWhole = true
    /// True if ``required`` includes the texts: they repeat a part that was added before.
    private var isRequired = false

    /// Maximum number of combined texts, because each is searched.
    private static let most = 64
    /// Number of last bytes with which the next run begins if a run becomes too long.
    private static let keptBytes = 3
    /// Maximum number of bytes of a text.
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
        // What follows is behind the last repetition, at an unknown distance from the first.
        end()
        extent = start + once.extent.repeated(quantifier.maximum)
        before = extent
        if let last = once.texts {
            join(last)
            isRequired = true
        }
    }

    func needs() -> PatternNeeds {
        if isWhole { return PatternNeeds(texts: texts, others: .all(of: required), extent: extent) }
        return PatternNeeds(
            texts: nil, others: .all(of: required + (isRequired ? [] : [PatternNeeds.words(texts, behind: before)])),
            extent: extent)
    }

    /// Appends the texts of a part to each text of the run.
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
        isRequired = false
    }

    /// Adds the texts to the requirements and starts a new run.
    private mutating func end() {
        isWhole = false
        if !isRequired { required.append(PatternNeeds.words(texts, behind: before)) }
        texts = .empty
    }
}
