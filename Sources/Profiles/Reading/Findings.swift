import Ledger

/// The state of a decision while a mail is read.
struct Findings {
    /// The name of the template that decides, or ``TemplateName/generic``.
    var template: String?
    var draft: TransactionDraft?
    /// True if the mail is not a transaction.
    var isIgnored = false
    /// Reasons in the order in which they are found.
    var reasons: [Reason] = []
    var shape: MailShape?
    /// The values that an ignored mail announces.
    var notice: BankNotice?
    var dates = PrintedDates()

    mutating func add(_ factor: Reason.Factor, _ weight: Double, _ note: String) {
        reasons.append(Reason(factor, weight: weight, note: note))
    }

    mutating func ignore(_ reason: Reason) {
        isIgnored = true
        reasons = [reason]
    }

    /// The decision, unless reading failed.
    /// - Parameters:
    ///   - threshold: the confidence from which a draft that a template read is booked.
    ///   - mayBook: false if the sender is no more than a claim.
    func decision(by source: Decision.Source, threshold: Double, mayBook: Bool = true) -> Decision {
        if isIgnored { return decision(.ignored, by: source, confidence: 1) }
        guard let draft else { return decision(.review(nil), by: source) }
        let confidence = reasons.confidence
        let isBooked = mayBook && confidence >= threshold && TemplateName.template(template) != nil
        return decision(isBooked ? .book(draft) : .review(draft), by: source, confidence: confidence)
    }

    /// The decision about a mail that could not be read to its end.
    func decision(failing failure: Failure, by source: Decision.Source) -> Decision {
        decision(.failed(failure), by: source)
    }

    private func decision(
        _ disposition: Decision.Disposition, by source: Decision.Source, confidence: Double = 0
    ) -> Decision {
        var source = source
        source.template = template
        var decision = Decision(disposition, by: source, confidence: confidence, reasons: reasons)
        decision.shape = shape
        decision.notice = notice
        decision.dates = dates
        return decision
    }
}
