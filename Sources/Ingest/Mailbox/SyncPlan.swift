import Chronology
import IMAP
import Store

/// The searches of a pass, by the cursor and the present state of the folder. Pure.
struct SyncPlan: Equatable {
    /// Together they find everything new. Usually one or none.
    let searches: [SearchCriteria]
    /// The cursor when everything found is recorded.
    let end: FolderCursor

    /// The folder as the server describes it.
    struct Folder {
        let uidValidity: UIDValidity
        /// `nil` if unknown: the range is then open, and the cursor follows what is found.
        let uidNext: UID?
        /// The folder has no message.
        let isEmpty: Bool
        /// The UIDs below it were searched, and belong to the same messages as then.
        var searchedBelow: UInt32 = .max
    }

    /// - Parameters:
    ///   - cursor: `nil` on the first pass.
    ///   - domains: every sender domain of the profiles.
    ///   - since: the instant from which messages that were never searched are wanted.
    init(cursor: FolderCursor?, _ folder: Folder, domains: [String], since: UnixTime) {
        let (uidNext, isEmpty) = (folder.uidNext, folder.isEmpty)
        // A clock that was never set leads to 1970, which every server supports. SINCE disregards the zone: one more
        // day.
        let since = max(since, .epoch)
        let day = Day(max(since - 86_400, .epoch))
        let validity = folder.uidValidity.rawValue
        let through = uidNext.flatMap { UID($0.rawValue - 1) }
        let known = cursor?.uidValidity == validity ? cursor : nil
        // Against the standard, some servers assign UIDs again without a new UIDVALIDITY.
        let isDoubtful = folder.searchedBelow == 0 || known?.nextUID ?? 0 > uidNext?.rawValue ?? .max
        let unsearched = min(known?.nextUID ?? 1, uidNext?.rawValue ?? .max)
        let from = isDoubtful ? unsearched : min(unsearched, folder.searchedBelow)
        var searches: [SearchCriteria] = []
        if !isEmpty, uidNext.map({ $0.rawValue > from }) ?? true {
            // New UIDs of any date: a message may be moved here long after it arrived.
            searches.append(
                known == nil
                    ? SearchCriteria(
                        first: UID(from), through: through, from: domains, above: Self.above(domains), since: day,
                        sinceInstant: since)
                    : SearchCriteria(first: UID(from), through: through, from: domains, above: Self.above(domains)))
        }
        if let known, !isEmpty, let before = UID(unsearched - 1) {
            // Older mail of banks whose profiles are new was never searched.
            let missing = isDoubtful ? domains : domains.filter { !known.searchedDomains.contains($0) }
            if !missing.isEmpty {
                searches.append(
                    SearchCriteria(first: UID(1), through: before, from: missing, since: day, sinceInstant: since))
            }
        }
        self.searches = domains.isEmpty ? [] : searches
        end = FolderCursor(
            uidValidity: validity, nextUID: uidNext?.rawValue ?? known?.nextUID ?? 1,
            searchedDomains: (known?.searchedDomains ?? []).union(domains))
    }

    /// Reserved for banks by the Reserve Bank of India: one word finds them all.
    private static let banksOfIndia = "bank.in"

    private static func above(_ domains: [String]) -> [String] {
        domains.count { $0.hasSuffix("." + banksOfIndia) } > 3 ? [banksOfIndia] : []
    }
}
