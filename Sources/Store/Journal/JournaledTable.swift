/// A table besides transactions and mails whose rows the journal records and restores.
enum JournaledTable: String, CaseIterable {
    /// The values are the members of a snapshot: `{"mapping":{column:value,…}}`.
    case mapping, budget, payee, alias, recurring, category, subcategory
    case learnedForm = "learned_form"
    case dueLink = "due_link"
    case settledDue = "settled_due"
    case savedSearch = "saved_search"
    case eventLink = "transaction_link"
    case exchangeRate = "exchange_rate"

    var name: String {
        switch self {
        case .mapping: "vendor_mappings"
        case .budget: "budgets"
        case .learnedForm: "learned_forms"
        case .payee: "payees"
        case .alias: "payee_aliases"
        case .recurring: "recurring_items"
        case .dueLink: "due_links"
        case .settledDue: "settled_dues"
        case .savedSearch: "saved_searches"
        case .category: "categories"
        case .subcategory: "subcategories"
        case .eventLink: "transaction_links"
        case .exchangeRate: "exchange_rates"
        }
    }

    /// Columns that an undo restores.
    var columns: [String] {
        switch self {
        case .mapping:
            // Without `match_count`, which keeps counting.
            [
                "id", "vendor_keyword", "kind", "category_id", "subcategory_id", "is_user_defined", "minimum_minor",
                "maximum_minor", "currency", "account_digits", "channel",
                "transaction_type", "created_at", "updated_at",
            ]
        case .budget:
            [
                "id", "category_id", "subcategory_id", "period", "currency", "amount_minor", "rolls_over", "starts_on",
                "created_at", "updated_at",
            ]
        case .learnedForm: ["id", "profile", "form", "created_at"]
        case .payee:
            [
                "id", "name", "category_id", "subcategory_id", "shipped_name", "merged_into", "created_at",
                "updated_at",
            ]
        case .alias: ["id", "payee_id", "alias", "kind", "is_user_defined", "created_at"]
        case .recurring:
            // Without `last_processed_date`, which the posting of due items writes.
            [
                "id", "name", "user_account_id", "transaction_type", "currency", "amount_minor", "band_percent", "rule",
                "starts_on", "mode", "is_active", "category_name", "subcategory", "created_at", "updated_at",
            ]
        case .dueLink: ["id", "due_id", "transaction_id", "state", "created_at"]
        case .settledDue: ["id", "due_id", "created_at"]
        case .savedSearch: ["id", "name", "query", "created_at"]
        case .category: ["id", "name", "icon", "color", "is_system", "created_at", "updated_at"]
        case .subcategory:
            ["id", "category_id", "name", "icon", "is_system", "created_at", "updated_at", "shipped_name"]
        case .eventLink:
            [
                "id", "kind", "from_id", "to_id", "state", "confidence", "evidence", "why", "made_by",
                "created_at", "updated_at",
            ]
        case .exchangeRate: ["id", "base", "quote", "day", "billionths", "source", "updated_at"]
        }
    }

    /// Snapshot of a row that does not exist.
    var absent: String { #"{"\#(rawValue)":null}"# }

    /// Reason why a row cannot be restored, for the message of the conflict.
    var obstacle: String {
        switch self {
        case .mapping: "its category was deleted, or another mapping has its keyword"
        case .budget: "its category was deleted, or another budget has its category and period"
        case .learnedForm: "the form is learned already"
        case .payee: "its category was deleted, or another payee has its name"
        case .alias: "its payee was deleted, or another payee has it"
        case .recurring: "its account was deleted"
        case .dueLink: "its transaction was deleted, or it was linked again"
        case .settledDue: "the due is settled already"
        case .savedSearch: "another search has its name"
        case .category: "another category has its name"
        case .subcategory: "its category was deleted, or another subcategory has its name"
        case .eventLink:
            "an end was deleted or has another link by now, or the refunds would exceed the purchase"
        case .exchangeRate: "its pair has another rate on its day"
        }
    }
}
