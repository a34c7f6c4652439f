import IMAP
import Store

/// The searches of a pass, by the cursor and the present state of the folder. Pure.
struct SyncPlan: Equatable {
    /// Together they find everything new. Usually one or none.
    let searches: [SearchCriteria]
    /// The cursor when everything found is recorded.
    let end: FolderCursor

    /// - Parameters:
    ///   - cursor: `nil` on the first pass.
    ///   - uidNext: `nil` if unknown: the range is then open, and the cursor follows what is found.
    ///   - isEmpty: the folder has no message.
    ///   - domains: every sender domain of the profiles.
    ///   - since: the instant from which messages that were never searched are wanted, seconds since 1970.
    init(cursor: FolderCursor?, uidValidity: UIDValidity, uidNext: UID?, isEmpty: Bool, domains: [String], since: Int64)
    {
        // A clock that was never set leads to 1970, which every server supports. SINCE disregards the zone: one more
        // day.
        let since = max(since, 0)
        let day = Day(secondsSinceEpoch: max(since - 86_400, 0))
        let validity = uidValidity.rawValue
        let through = uidNext.flatMap { UID($0.rawValue - 1) }
        let known = cursor?.uidValidity == validity ? cursor : nil
        // A server restored from a backup may go back without a new UIDVALIDITY, against the standard: UIDs that it
        // assigns again are read if they have no rows.
        let from = min(known?.nextUID ?? 1, uidNext?.rawValue ?? .max)
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
        if let known, !isEmpty, let before = UID(known.nextUID - 1) {
            // Older mail of banks whose profiles are new was never searched.
            let missing = domains.filter { !known.searchedDomains.contains($0) }
            if !missing.isEmpty {
                searches.append(
                    SearchCriteria(first: UID(1), through: before, from: missing, since: day, sinceInstant: since))
            }
        }
        self.searches = domains.isEmpty ? [] : searches
        end = FolderCursor(
            uidValidity: validity, nextUID: max(from, uidNext?.rawValue ?? from),
            searchedDomains: (known?.searchedDomains ?? []).union(domains))
    }

    /// Reserved for banks by the Reserve Bank of India: one word finds them all.
    private static let banksOfIndia = "bank.in"

    private static func above(_ domains: [String]) -> [String] {
        domains.count { $0.hasSuffix("." + banksOfIndia) } > 3 ? [banksOfIndia] : []
    }
}
