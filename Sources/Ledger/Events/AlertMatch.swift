/// The relation of a new alert of a bank to an earlier alert of that bank.
public enum AlertMatch: Hashable, Sendable {
    /// A mail and an SMS about one payment.
    case same
    /// A mail and an SMS that print the same account and times within ``SameEventEvidence/closeSeconds``.
    case near

    /// The relation of a mail and an SMS of one bank; `nil` if they are about two payments.
    ///
    /// Two alerts in one medium may be two payments however alike they are; so ``SameEventEvidence`` joins a mail with
    /// an SMS only. Names do not count: an SMS shortens them.
    public static func ofTwoMedia(_ a: EventReport, _ b: EventReport) -> AlertMatch? {
        guard SameEventEvidence.areOfTwoMedia(a, b) else { return nil }
        let evidence = SameEventEvidence.all(a, b)
        if evidence.contains(.reference) || evidence.contains(.moment) { return .same }
        return evidence.contains(.time) ? .near : nil
    }

    /// True if the second alert may repeat the first although their keys differ.
    ///
    /// Two alerts of one bank, account, direction, amount and currency are distinguished by
    /// - two references (they would have the same key if they were the same), or
    /// - two printed times; if one alert has a reference, only by times more than ``SameEventEvidence/closeSeconds``
    ///   apart, or
    /// - two different merchants, or
    /// - the day; without a reference and two times only by more than one day, because the day may be that of arrival.
    public static func areIndistinguishable(_ a: EventReport, _ b: EventReport) -> Bool {
        guard a.bank == b.bank, a.isCredit == b.isCredit, a.amount == b.amount, a.mayPrintAccount(of: b) else {
            return false
        }
        let references = [a.printedReference, b.printedReference].filter { !$0.isEmpty }
        guard Set(references).count < 2 else { return false }
        // The same reference under another key: one alert names another channel or no account. Then the spelling of the
        // merchant does not count.
        if references.count < 2 {
            let names = [a, b].map { CategoryRules.normalized($0.name) }.filter { !$0.isEmpty }
            guard Set(names).count < 2 else { return false }
        }
        guard let seconds = a.seconds(from: b) else { return a.days(from: b) <= (references.isEmpty ? 1 : 0) }
        if !references.isEmpty { return seconds <= SameEventEvidence.closeSeconds }
        // Without references another second is another event, but one of the two may print minutes only.
        return seconds == 0 || (seconds < 60 && (a.isFullMinute || b.isFullMinute))
    }
}
