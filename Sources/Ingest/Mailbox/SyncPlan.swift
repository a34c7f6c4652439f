import IMAP
import Store

/// What to ask a folder for, given what is recorded of it and what it holds now. Pure.
struct SyncPlan: Equatable {
    /// The searches, together all that is new: usually one or none.
    let searches: [SearchCriteria]
    /// Where the cursor stands when everything found is recorded.
    let end: FolderCursor

    /// - Parameters:
    ///   - cursor: `nil` on the first pass.
    ///   - uidNext: `nil` where it is not known: the range is then left open, and the cursor follows what was found.
    ///   - isEmpty: the folder holds no mail at all.
    ///   - domains: every sender domain of the profiles in force.
    ///   - since: from when on mail is wanted that was never asked for, seconds since 1970.
    init(cursor: FolderCursor?, uidValidity: UIDValidity, uidNext: UID?, isEmpty: Bool, domains: [String], since: Int64)
    {
        // A clock that was never set asks for everything, in days that every server knows. SINCE disregards the zone: a day more, to be sure.
        let since = max(since, 0)
        let day = Day(secondsSinceEpoch: max(since - 86_400, 0))
        let validity = uidValidity.rawValue
        let through = uidNext.flatMap { UID($0.rawValue - 1) }
        let known = cursor?.uidValidity == validity ? cursor : nil
        // A server that was restored from a backup goes back without another UIDVALIDITY, against the standard: what it numbers anew is read,
        // where those numbers have no rows.
        let from = min(known?.nextUID ?? 1, uidNext?.rawValue ?? .max)
        var searches: [SearchCriteria] = []
        if !isEmpty, uidNext.map({ $0.rawValue > from }) ?? true {
            // New UIDs are taken whatever their date: a mail may be moved here long after it came.
            searches.append(
                known == nil
                    ? SearchCriteria(
                        first: UID(from), through: through, from: domains, above: Self.above(domains), since: day,
                        sinceInstant: since)
                    : SearchCriteria(first: UID(from), through: through, from: domains, above: Self.above(domains)))
        }
        if let known, !isEmpty, let before = UID(known.nextUID - 1) {
            // Banks whose profiles are new: their older mail was never asked for.
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

    /// Only banks have names under it, by order of the Reserve Bank of India: one word finds them all.
    private static let banksOfIndia = "bank.in"

    private static func above(_ domains: [String]) -> [String] {
        domains.count { $0.hasSuffix("." + banksOfIndia) } > 3 ? [banksOfIndia] : []
    }
}
