import Ledger
import Review
import Store

/// Reads the fields of a form and collects their problems as sentences.
struct FieldReader {
    var problems: [String] = []

    mutating func read<Value>(_ title: String, _ value: () throws(FieldInputError) -> Value) -> Value? {
        do { return try value() } catch {
            let problem = error.fault?.sentence ?? error.form ?? error.problem
            problems.append(PageText.of("common.problem", ["field": title, "problem": problem]))
            return nil
        }
    }
}

extension FieldProblem {
    /// The problem with the label of its field on the page.
    ///
    /// - Parameter titles: labels of this page by the names of the API, in place of the usual ones.
    func sentence(_ titles: [String: String] = [:]) -> String {
        guard let title = titles[field] ?? FieldTitle.of(field) else {
            return "\(words.prefix(1).uppercased())\(words.dropFirst())."
        }
        return PageText.of("common.problem", ["field": title, "problem": words])
    }
}

extension Query {
    /// The problems of the query of a page.
    var sentences: [String] { check.problems.map { $0.sentence() } }
}

/// Labels of fields, by the names that they have in the API and in the addresses of pages.
enum FieldTitle {
    private static let keys = [
        "account": "common.account", "account_digits": "common.account-digits", "account_id": "common.account",
        "account_name": "common.account", "account_number_last4": "common.account-digits", "alias": "payee.alias",
        "aliases": "payee.alias", "amount": "common.amount", "category": "common.category",
        "category_id": "common.category", "category_name": "common.category", "channel": "history.channel",
        "color": "categories.colour", "credit_limit": "account.credit-limit", "currency": "common.currency",
        "dir": "transactions.order", "file": "statements.file", "initial_balance": "account.initial-balance",
        "initial_balance_date": "common.date", "institution": "common.bank", "into": "common.merge-into",
        "kind": "history.kinds-of-change", "name": "common.name", "notes": "common.notes",
        "parsed_amount": "common.amount", "parsed_date": "common.date", "parsed_time": "common.time",
        "parsed_vendor": "common.merchant", "payee": "common.payee", "payee_id": "common.payee",
        "reference": "common.reference", "rule": "dues.rule-rfc-5545", "sort": "transactions.order",
        "starts_on": "common.first-day", "status": "transactions.status", "subcategory": "categories.subcategory",
        "tags": "history.tags", "transaction_type": "common.type", "type": "common.type",
        "user_account": "common.account", "user_account_id": "common.account",
        "vendor_keyword": "mapping-form.what-to-look-for", "vpa": "common.upi-address",
    ]

    /// - Parameter field: the name; that of an element of a list has the list's label.
    static func of(_ field: String) -> String? {
        keys[String(field.prefix { $0 != "." })].map { PageText.of($0) }
    }
}

extension UnknownName {
    /// What the ledger lacks.
    var sentence: String {
        let key =
            switch kind {
            case .category: "transactions.no-category"
            case .subcategory: "transactions.no-subcategory"
            case .tag: "transactions.no-such-tag"
            case .payee: "transactions.no-such-payee"
            case .account: "transactions.no-such-account"
            case .bank: "transactions.no-such-bank"
            }
        return PageText.of(key, ["name": String(name.prefix(60))])
    }
}
