import Chronology
public import Ledger
import PCRE2

extension AccountProfile {
    /// Faults by column: patterns that do not compile, that name unknown groups, or that hostile text can stall.
    ///
    /// - Parameters:
    ///   - sample: a text that the account should read; used in attacks on the patterns.
    ///   - attacks: false checks for exponential patterns only, as at start; true takes some hundredths of a second for
    ///     each pattern.
    public func problems(sample: String? = nil, attacks: Bool = true) -> [FieldProblem] {
        var check = FieldCheck()
        if let sender = senderEmail, MailAddress.domain(of: sender) == nil {
            check.refuse("sender_email", "must be one address, such as alerts@bank.example")
        }
        guard let compiler = try? PatternCompiler() else { return check.problems }
        for (column, _, text) in patterns {
            guard let text else { continue }
            do throws(PatternRefusal) { _ = try compiler.plain(text) } catch {
                check.refuse(column, error.sentence)
                continue
            }
            guard attacks, let pattern = try? compiler.plain(text).pattern, let hostile = Backtracking() else {
                continue
            }
            if let fault = hostile.fault(
                of: pattern, samples: sample.map { [Array($0.utf8.prefix(Backtracking.fullSize))] } ?? [])
            {
                check.refuse(column, "the pattern \(fault.description). \(Backtracking.remedy)")
            }
        }
        return check.problems
    }

    private var patterns: [(column: String, field: Field?, text: String?)] {
        [
            ("subject_pattern", nil, subjectPattern), ("amount_regex", .amount, amountRegex),
            ("date_regex", .date, dateRegex), ("time_regex", .time, timeRegex),
            ("merchant_regex", .merchant, merchantRegex), ("account_regex", .account, accountRegex),
        ]
    }

    /// `nil` if the account lacks values needed to claim a mail.
    fileprivate func template(
        _ compiler: PatternCompiler
    ) throws(PatternRefusal) -> (domain: String, address: String, template: Template)? {
        guard let sender = senderEmail?.lowercased(), let domain = MailAddress.domain(of: sender), amountRegex != nil
        else { return nil }
        var fields: [(Field, TextPattern)] = []
        for (column, field, text) in patterns {
            guard let field, let text else { continue }
            do throws(PatternRefusal) { fields.append((field, try compiler.plain(text))) } catch {
                throw error.of(column)
            }
        }
        var match = Template.Match()
        match.from = [sender]
        if let subjectPattern {
            do throws(PatternRefusal) { match.subject = try compiler.plain(subjectPattern).pattern } catch {
                throw error.of("subject_pattern")
            }
        }
        var notation = Template.Extraction.Notation()
        notation.currency = currency
        notation.accountDigits = cardLastFour
        let extraction = Template.Extraction(
            bodies: [], fields: fields, type: type, channel: .other, notation: notation)
        return (
            domain, sender,
            Template(name: templateName, kind: .transaction(extraction), match: match, samples: [], path: templateName)
        )
    }
}

extension ProfileSet {
    /// The same profiles with those of people's accounts. Invalid ones are left out and reported; the others are used.
    ///
    /// A sender at the domain of a bank with a profile becomes a known sender of that bank. At other domains only the
    /// addresses of accounts are known; other mail stays unclaimed.
    public func adding(
        accounts: [AccountProfile]
    ) -> (profiles: ProfileSet, problems: [(account: AccountProfile, problem: FieldProblem)]) {
        var problems: [(AccountProfile, FieldProblem)] = []
        var banks = banks
        var templates: [Int: [Template]] = [:]
        var places: [String: Int] = [:]
        guard let compiler = try? PatternCompiler(words: common.words) else { return (self, []) }
        for account in accounts.sorted(by: { $0.id < $1.id }) {
            do throws(PatternRefusal) {
                guard let (domain, address, template) = try account.template(compiler) else { continue }
                let place: Int
                if let known = places[domain] ?? banks.firstIndex(where: { $0.domains.contains(domain) }) {
                    place = known
                } else {
                    var bank = Bank(
                        key: domain, name: account.senderName ?? account.name, domains: [domain], addresses: [],
                        timeZone: .kolkata, currency: account.currency, autoConfirmAt: nil,
                        path: template.path)
                    bank.isOfAccounts = true
                    banks.append(bank)
                    place = banks.count - 1
                }
                places[domain] = place
                if banks[place].isOfAccounts || !banks[place].addresses.isEmpty {
                    banks[place].addresses.insert(address)
                }
                templates[place, default: []].append(template)
            } catch {
                problems.append((account, FieldProblem(error.column ?? "amount_regex", error.sentence)))
            }
        }
        if templates.isEmpty { return (self, problems) }
        for (place, list) in templates { banks[place].set(accounts: list) }
        return (with(banks: banks, shared: shared), problems)
    }
}

/// A rejected pattern with its reason.
struct PatternRefusal: Error {
    /// Byte offset in the pattern, if the error has a position.
    var offset: Int?
    var message: String
    var remedy: String
    var column: String?

    /// A message without a file, for a form that contains the pattern.
    var sentence: String { message + (offset.map { " (at byte \($0))" } ?? "") + ". " + remedy }

    func of(_ column: String) -> PatternRefusal {
        var copy = self
        copy.column = column
        return copy
    }
}

extension PatternCompiler {
    /// A pattern in ordinary syntax, in which a blank matches a blank.
    func plain(_ text: String) throws(PatternRefusal) -> TextPattern {
        let plain = PlainPattern(text)
        do throws(PatternRefusal) { return try pattern(plain.extended) } catch {
            var refusal = error
            refusal.offset = error.offset.map(plain.place)
            if refusal.offset != nil { refusal.remedy = "It must be a regular expression as PCRE2 reads it." }
            throw refusal
        }
    }
}
