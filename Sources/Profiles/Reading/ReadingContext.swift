import Chronology
import InternetMessage
import Ledger

/// Converts spans to values. Holds the context that the meaning of a field depends on besides its own bytes, such as
/// the bank's currency and the day of arrival.
struct ReadingContext {
    private var timeZone: IANATimeZone
    let currency: Currency
    let text: [UInt8]
    /// The Date header, otherwise INTERNALDATE.
    let arrival: UnixTime?
    /// `arrival` as a day and seconds since midnight in the time zone.
    private(set) var arrivalDay: CalendarDate
    private var arrivalSeconds: Int64

    init(bank: Bank, message: Message, receivedAt: UnixTime?) {
        timeZone = bank.timeZone
        currency = bank.currency
        text = message.text.bytes
        arrival = message.date?.instant ?? receivedAt
        (arrivalDay, arrivalSeconds) = Self.local(arrival ?? .epoch, timeZone)
    }

    private static func local(_ instant: UnixTime, _ zone: IANATimeZone) -> (CalendarDate, Int64) {
        let day = zone.day(of: instant)
        return (day, instant + zone.offset(at: instant) - UnixTime(day))
    }

    private func inZone(_ zone: IANATimeZone) -> ReadingContext {
        var context = self
        context.timeZone = zone
        (context.arrivalDay, context.arrivalSeconds) = Self.local(arrival ?? .epoch, zone)
        return context
    }

    /// Maximum number of seconds by which a mail may arrive before the time it prints: clocks differ.
    static let clockTolerance: Int64 = 600
    /// Maximum number of days between an event and its alert without a doubt: transfers and mandates are reported a day
    /// or two later.
    static let usualDelayDays = 2

    /// Reads every field and adds the draft, or the reason why there is none, to the decision.
    func draft(from fields: ReadFields, by extraction: Template.Extraction, into findings: inout Findings) {
        if let zone = extraction.notation.timeZone, zone != timeZone {
            return inZone(zone).draft(from: fields, by: extraction, into: &findings)
        }
        let spans = fields.spans
        let currency =
            spans[.currency].flatMap { Currency.named(string($0)) } ?? extraction.notation.currency ?? self.currency
        guard let amount = fields.regional?.amount ?? spans[.amount].flatMap({ money($0, currency) }) else {
            findings.add(.amountUnreadable, 0, "the amount cannot be read for certain")
            return
        }
        if amount.minorUnits == 0 {
            findings.add(.amountZero, 0, "the amount is zero")
        }
        var draft = TransactionDraft(
            amount: amount, type: fields.regional.map(\.type) ?? extraction.type,
            channel: spans[.channel].flatMap { Channel(words: text[$0]) } ?? extraction.channel, date: arrivalDay,
            occurredAt: .epoch)
        draft.spans = spans
        draft.patterns = fields.patterns
        draft.merchant = spans[.merchant].map { name($0) } ?? fields.subject[.merchant].map { Self.name($0[...]) }
        draft.vpa = spans[.vpa].map { string($0) } ?? fields.subject[.vpa].map { String(decoding: $0, as: UTF8.self) }
        draft.mcc = spans[.mcc].map { string($0) }
        if spans[.foreign] != nil { readForeign(&draft) }
        if draft.merchant?.isEmpty ?? true {
            draft.merchant = nil
            draft.spans[.merchant] = nil
        }
        draft.account =
            (spans[.account].map { text[$0] } ?? fields.subject[.account]?[...]).map {
                String(decoding: $0.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
            } ?? extraction.notation.accountDigits
        draft.reference =
            spans[.reference].map { string($0) }
            ?? fields.subject[.reference].map { String(decoding: $0, as: UTF8.self) }
        readBalances(fields, &draft)
        if draft.type == nil {
            findings.add(.directionMissing, 0.5, "no word of the mail gives the direction of the money")
        }
        date(fields, extraction, &draft, &findings)
        if let regional = fields.regional { readOtherDay(regional, fields, extraction, draft, &findings) }
        if draft.patterns.count > draft.spans.count {
            draft.patterns = draft.patterns.filter { draft.spans[$0.key] != nil || $0.value == .subject }
        }
        findings.draft = draft
    }

    private func readBalances(_ fields: ReadFields, _ draft: inout TransactionDraft) {
        if let regional = fields.regional {
            (draft.balance, draft.limit) = (regional.balance, regional.limit)
        } else {
            draft.balance = fields.spans[.balance].flatMap { money($0, currency) }
            draft.limit = fields.spans[.limit].flatMap { money($0, currency) }
        }
        if draft.balance == nil { draft.spans[.balance] = nil }
        if draft.limit == nil { draft.spans[.limit] = nil }
    }

    /// Keeps the draft's day in the other order of day and month for what other mails of the bank prove.
    private func readOtherDay(
        _ regional: RegionalReader.Values, _ fields: ReadFields, _ extraction: Template.Extraction,
        _ draft: TransactionDraft, _ findings: inout Findings
    ) {
        guard let other = regional.otherDay else { return }
        var fields = fields
        fields.regional?.date = other.day
        var (dated, alone) = (draft, Findings())
        date(fields, extraction, &dated, &alone)
        findings.dates.other = OtherDay(
            order: other.order, date: dated.date, occurredAt: dated.occurredAt, reasons: alone.reasons)
        if regional.isOrderGuessed {
            findings.reasons.append(
                .unprovenDateOrder("the printed day has two readings, and the bank's country is not known"))
        }
    }

    private func date(
        _ fields: ReadFields, _ extraction: Template.Extraction, _ draft: inout TransactionDraft,
        _ findings: inout Findings
    ) {
        let spans = fields.spans
        let printed =
            fields.regional?.date
            ?? spans[.date].flatMap { span in
                extraction.notation.dateOrders.lazy.compactMap {
                    DateText.read(text[span], order: $0, arrival: arrivalDay)
                }
                .first
            }
        if arrival == nil {
            findings.add(.arrivalUnknown, 0.5, "the mail has no readable Date")
        }
        if let printed {
            draft.date = printed
            if arrival != nil {
                let late = arrivalDay.daysSince1970 - printed.daysSince1970
                if late < -1 {
                    findings.add(.dateInFuture, 0.3, "the printed day lies \(-late) days after the mail's arrival")
                } else if late > Self.usualDelayDays {
                    findings.add(.dateDistance, 0.7, "the printed day lies \(late) days before the mail's arrival")
                }
            }
        } else if spans[.date] != nil {
            draft.spans[.date] = nil
            findings.add(.dateImpossible, 0, "the printed date is not a day of the calendar")
        } else {
            findings.add(.dateMissing, 0.95, "no date is printed: the day of arrival was used")
        }
        guard let span = spans[.time], let reading = TimeText.read(text[span]) else {
            if spans[.time] != nil {
                draft.spans[.time] = nil
                findings.add(.timeImpossible, 0.8, "the printed time is not a time of day")
            }
            draft.occurredAt = timeZone.instant(draft.date, .noon)
            return
        }
        var time = reading.time
        if extraction.notation.isTwelveHourUnmarked, reading.mayBeTwelveHour {
            time = nearestBeforeArrival(time, on: draft.date)
        }
        if printed == nil, Int64(time.secondsSinceMidnight) > arrivalSeconds + Self.clockTolerance {
            draft.date = CalendarDate(daysSince1970: arrivalDay.daysSince1970 - 1)
        }
        draft.time = time
        draft.occurredAt = timeZone.instant(draft.date, time)
    }

    /// Of the two readings of a 12-hour time without am or pm, the later one if it is not after the arrival.
    private func nearestBeforeArrival(_ time: TimeOfDay, on date: CalendarDate) -> TimeOfDay {
        guard let morning = TimeOfDay(hour: time.hour % 12, minute: time.minute, second: time.second),
            let evening = TimeOfDay(hour: time.hour % 12 + 12, minute: time.minute, second: time.second)
        else { return time }
        guard let arrival else { return time }
        return timeZone.instant(date, evening) <= arrival + Self.clockTolerance ? evening : morning
    }

    /// The text of a span, with blanks for line breaks.
    func string(_ span: Range<Int>) -> String {
        Self.line(text[span])
    }

    private static func line(_ printed: ArraySlice<UInt8>) -> String {
        printed.contains(0x0A)
            ? String(decoding: printed.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
            : String(decoding: printed, as: UTF8.self)
    }

    /// A counterparty as printed, without the blanks and commas that the sentence puts around it.
    func name(_ span: Range<Int>) -> String { Self.name(text[span]) }

    private static func name(_ printed: ArraySlice<UInt8>) -> String {
        func isLoose(_ byte: UInt8) -> Bool { " ,;:\n".utf8.contains(byte) }
        guard let end = printed.lastIndex(where: { !isLoose($0) }) else { return "" }
        return line(printed[...end].drop(while: isLoose))
    }

    /// The amount in the currency of the payee, unless that is the currency of the account.
    private func readForeign(_ draft: inout TransactionDraft) {
        let own = draft.amount.currency
        draft.foreign = draft.spans[.foreign].flatMap(coded).flatMap { $0.currency == own ? nil : $0 }
        if draft.foreign == nil { draft.spans[.foreign] = nil }
    }

    /// An amount after its currency code: `USD 31.80`.
    private func coded(_ span: Range<Int>) -> Money? {
        let code = text[span].prefix { Self.isLetter($0) }
        guard let currency = Currency(code: String(decoding: code, as: UTF8.self).uppercased()), currency.isKnown else {
            return nil
        }
        return money((span.lowerBound + code.count)..<span.upperBound, currency)
    }

    /// The amount of a span, which may include a currency sign or word.
    func money(_ span: Range<Int>, _ currency: Currency) -> Money? {
        let bytes = text[span]
        guard let first = bytes.firstIndex(where: { (0x30...0x39).contains($0) }) else { return nil }
        let start =
            first > bytes.startIndex && bytes[first - 1] == UInt8(ascii: ".")
                && !(first > bytes.startIndex + 1 && Self.isLetter(bytes[first - 2]))
            ? first - 1 : first
        return Money(printed: bytes[start...], currency: currency)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
