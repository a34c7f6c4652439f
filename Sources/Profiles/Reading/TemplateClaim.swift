import Ledger
package import PCRE2

/// A template that claims a message, with the fields that its patterns read.
package struct TemplateClaim {
    package var template: Template
    var fields: ReadFields

    /// True if both templates read a transaction and their amounts overlap.
    func readsSameAmount(as other: TemplateClaim) -> Bool {
        guard case .transaction = template.kind, let mine = fields.spans[.amount],
            let its = other.fields.spans[.amount]
        else { return false }
        return mine.overlaps(its)
    }
}

extension Template {
    /// The fields that this template reads if it claims the message; otherwise `nil`.
    ///
    /// - Parameter subject: `nil` for an SMS: conditions on the sender's address and the subject are for mails.
    package func claims(
        from address: String, subject: [UInt8]?, in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> ReadFields? {
        var fromSubject: [Field: [UInt8]] = [:]
        if let subject {
            guard match.from.isEmpty || match.from.contains(address),
                let found = try subjectFields(subject, with: matcher)
            else { return nil }
            fromSubject = found
        }
        // Check `unless` of an ignore template first: it usually matches early.
        let isIgnored = self.isIgnored
        if isIgnored, try isExcepted(text, with: matcher) { return nil }
        if let body = match.body, try !text.holds(body, with: matcher) { return nil }
        var fields = ReadFields()
        if case .transaction(let extraction) = kind {
            guard let found = try extraction.read(text, with: matcher), extraction.isOfAccount(found, in: text) else {
                return nil
            }
            fields = found
            if !fromSubject.isEmpty { fields.add(fromSubject: fromSubject) }
        }
        if !isIgnored, try isExcepted(text, with: matcher) { return nil }
        return fields
    }

    /// The fields that the subject sets; `nil` if a condition on it does not hold.
    private func subjectFields(
        _ subject: [UInt8], with matcher: Matcher
    ) throws(MatchError) -> [Field: [UInt8]]? {
        var found: [Field: [UInt8]] = [:]
        if let pattern = match.subject {
            guard try matcher.firstMatch(of: pattern, in: subject) else { return nil }
            if let groups = match.subjectGroups { found = matcher.fields(groups).mapValues { Array(subject[$0]) } }
        }
        if let pattern = match.unlessSubject, try matcher.firstMatch(of: pattern, in: subject) { return nil }
        return found
    }

    private func isExcepted(_ text: SearchedText, with matcher: Matcher) throws(MatchError) -> Bool {
        guard let unless = match.unless else { return false }
        return try text.holds(unless, with: matcher)
    }
}

extension Template.Extraction {
    /// False if the text prints digits of another account than the template's.
    fileprivate func isOfAccount(_ fields: ReadFields, in text: SearchedText) -> Bool {
        guard let digits = notation.accountDigits, let span = fields.spans[.account] else { return true }
        let printed = String(decoding: text.bytes[span].filter { (0x30...0x39).contains($0) }, as: UTF8.self)
        return printed.hasSuffix(digits) || digits.hasSuffix(printed)
    }
}
