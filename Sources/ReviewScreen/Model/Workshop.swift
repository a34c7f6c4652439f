public import Store

/// What makes, writes and takes back templates. Profiles are files, and where they are is not this target's business.
public struct Workshop {
    /// Derives a template from an item's mail and proves it; nothing is written. May take some seconds.
    public var propose: (ReviewID, Proposal.Wish) throws -> Proposal
    /// Writes it and decides the kept mail again by it. Answers what came of it, in a sentence.
    public var write: (Proposal) throws -> String
    /// Takes its file away again, and decides the kept mail again without it.
    public var takeBack: (Proposal) throws -> String

    public init(
        propose: @escaping (ReviewID, Proposal.Wish) throws -> Proposal, write: @escaping (Proposal) throws -> String,
        takeBack: @escaping (Proposal) throws -> String
    ) {
        self.propose = propose
        self.write = write
        self.takeBack = takeBack
    }
}
