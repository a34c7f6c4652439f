import InternetMessage
import Ledger
import PCRE2

/// Reads an authentic mail of one bank: by the template that claims it, otherwise by the generic reader.
struct DraftReader {
    let claim: Claim
    let bank: Bank
    let generic: GenericReader
    let text: SearchedText
    let context: ReadingContext
    let matcher: Matcher

    private var message: Message { claim.message }

    /// Reads the draft, or the reason why there is none.
    func read(into findings: inout Findings) throws(MatchError) {
        let claims = try claim.templateClaims(bank, in: text, with: matcher)
        if claims.isEmpty { try readGenerically(into: &findings) } else { try read(claims, into: &findings) }
        if readsRegionally, context.arrival != nil {
            findings.dates.proven = PrintedDate.provenOrders(in: text.bytes, arrival: context.arrivalDay)
        }
    }

    private func read(_ claims: [TemplateClaim], into findings: inout Findings) throws(MatchError) {
        findings.template = claims.first?.template.name
        if claims.count > 1 {
            let names = claims.map(\.template.name).joined(separator: ", ")
            findings.add(.contested, 0.3, "claimed by more than one template: \(names)")
        } else if case .ignore(let reason) = claims.first?.template.kind {
            return findings.ignore(Reason(reason))
        } else if case .notice(let extraction) = claims.first?.template.kind {
            findings.ignore(Reason(extraction.kind.ignoreReason))
            findings.notice = try context.notice(by: extraction, in: text, with: matcher)
            return
        }
        // If several claim it, the first that reads a transaction gives the draft for the person who decides.
        for claim in claims {
            guard case .transaction(let extraction) = claim.template.kind else { continue }
            findings.template = claim.template.name
            context.draft(from: claim.fields, by: extraction, into: &findings)
            if let draft = findings.draft, try hasSecondAlert(beside: draft, by: extraction) {
                findings.add(
                    .secondTransaction, 0.3, "the mail holds a second alert of this form: only one of the two was read")
            }
            return
        }
    }

    private func readGenerically(into findings: inout Findings) throws(MatchError) {
        findings.template = TemplateName.generic
        var read: GenericReader.Result?
        var values: RegionalReader.Values?
        var hasAmounts = false
        if readsCommonWording { read = try generic.read(text.bytes, with: matcher) }
        if read == nil, let reader = try regionalReader() {
            switch try reader.read() {
            case .read(let result, let meaning): (read, values) = (result, meaning)
            case .amountsOnly: hasAmounts = true
            case .nothing: break
            }
        }
        findings.shape = TextShape.shape(subject: message.subject, text: text.bytes, values: read?.spans ?? [:])
        guard let read else {
            if hasAmounts {
                findings.add(.noMovedAmount, 0, "the mail names amounts, and none of them is known to have moved")
                return
            }
            if message.isTextLost {
                findings.add(.damagedMail, 0, "the mail is so damaged that its text could not be read")
                return
            }
            if try generic.hasUnreadAmount(text.bytes, with: matcher) {
                findings.add(.amountUnreadable, 0, "the mail prints an amount of rupees that cannot be read")
                return
            }
            return findings.ignore(
                Reason(
                    .noTransactionWording, weight: 1,
                    note: "no template claims the mail, and it names no amount with the words of a transaction"))
        }
        findings.add(.genericReader, 0.4, "no template of \(bank.name) claims this mail")
        if read.isDoubtful {
            findings.add(
                .wordingDoubtful, 0.3, "the words by the amount may mean that nothing was paid, or not yet")
        }
        var fields = ReadFields(spans: read.spans)
        fields.regional = values
        if read.spans[.account] == nil {
            fields.add(fromSubject: try generic.account(inSubject: Array(message.subject.utf8), with: matcher))
        }
        context.draft(from: fields, by: read.extraction, into: &findings)
    }

    /// True if `_generic.yaml` reads the mail first: its wording is that of banks that count in rupees.
    private var readsCommonWording: Bool {
        if let home = bank.region.home { return home == .inr }
        guard bank.waitsAlways else { return bank.currency == .inr }
        return PrintedAmount.all(in: text.bytes, home: nil).contains { $0.currency == .inr }
    }

    /// False for a bank whose mails are in the common wording only.
    private var readsRegionally: Bool { bank.waitsAlways || bank.currency != .inr || !bank.region.isEmpty }

    /// `nil` for such a bank.
    private func regionalReader() throws(MatchError) -> RegionalReader? {
        guard readsRegionally else { return nil }
        var region = bank.region
        if !bank.waitsAlways, region.currency == nil { region.currency = bank.currency }
        if region.home == nil {
            // Assumes the conventions of the currency of the mail's first amount that names one.
            region.currency = PrintedAmount.all(in: text.bytes, home: nil).lazy.compactMap(\.currency).first
        }
        let words = Array(message.subject.utf8) + [0x0A] + text.bytes
        // A file that does not load was reported when the profiles were read.
        let languages = (try? generic.languages.words(for: words, expected: region.customs?.languages ?? [])) ?? []
        return RegionalReader(
            generic: generic, region: region, languages: languages, text: text.bytes,
            subject: Array(message.subject.utf8), arrival: context.arrivalDay, waitsAlways: bank.waitsAlways,
            matcher: matcher)
    }

    /// Adds the reasons that lower the confidence in the draft, whichever template read it.
    func addDoubts(to findings: inout Findings) throws(MatchError) {
        if let draft = findings.draft, let amount = draft.spans[.amount] {
            let reader = DoubtReader(
                generic: generic, claim: claim, template: findings.template, text: text, draft: draft,
                matcher: matcher)
            for doubt in try reader.reasons(about: amount)
            where !findings.reasons.contains(where: { $0.name == doubt.name }) {
                findings.reasons.append(doubt)
            }
        }
        if case .new = claim.sender {
            findings.add(
                .newSender, 0.6,
                "the address is at a domain of \(bank.name) but not in its profile; where nothing else is doubtful, accepting the item trusts it from then on"
            )
        }
        findings.assess(message)
        guard let draft = findings.draft else { return }
        if findings.template != TemplateName.generic,
            try generic.hasSecondAmount(beside: draft, of: bank, in: text.bytes, with: matcher)
        {
            findings.add(
                .secondAmount, 0.8,
                "there is another amount beside the one that was read, and no word explains it")
        }
        if !findings.reasons.contains(where: { $0.name == Reason.Factor.secondTransaction.rawValue }),
            try generic.hasSecondMovement(beside: draft, of: bank, in: text.bytes, with: matcher)
        {
            findings.add(
                .secondTransaction, 0.3,
                "another sentence of the mail reports a movement of money: only one of the two was read")
        }
    }
}
