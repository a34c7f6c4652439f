import Codecs
import Ledger
import Store

/// The list of the schemas, and those without a topic of their own.
extension Schema {
    static let device = shown([
        ("id", uuid), ("device_token", shownText), ("environment", words(DeviceRow.environments)),
        ("device_name", maybe), ("os_version", maybe), ("is_active", bool),
        ("created_at", instant), ("updated_at", instant),
    ])
    static let newDevice = object(
        [
            ("device_token", text(TextLimit.token, pattern: "^[!-.0-~]+$", minimum: 1)),
            ("environment", words(DeviceRow.environments)),
            ("device_name", nullable(line(TextLimit.name))), ("os_version", nullable(line(TextLimit.name))),
        ], required: ["device_token"])

    static let problem = object(
        [
            ("type", shownText), ("title", shownText), ("status", integer()), ("detail", shownText),
            ("request_id", shownText),
            (
                "errors",
                list(
                    object(
                        [("field", shownText), ("pointer", shownText), ("detail", shownText)],
                        required: ["field", "detail"], isOpen: true))
            ),
        ], required: ["type", "title", "status", "detail"], isOpen: true)

    /// The schemas by their names under `#/components/schemas`.
    static let all: [(String, JSON)] =
        [
            ("Transaction", transaction), ("NewTransaction", newTransaction), ("TransactionEdit", transactionEdit),
            ("Account", account), ("NewAccount", newAccount),
            ("AccountEdit", accountEdit), ("SyncedAccount", syncedAccount), ("Category", category),
            ("NewCategory", newCategory), ("CategoryEdit", categoryEdit),
            ("Subcategory", subcategory), ("NewSubcategory", newSubcategory),
            ("SubcategoryEdit", subcategoryEdit), ("Conditions", conditions),
            ("Mapping", mapping), ("NewMapping", newMapping), ("SyncedMapping", syncedMapping),
            ("Device", device), ("NewDevice", newDevice), ("Mail", mail), ("MailDetail", mailDetail),
            ("Reason", reason),
            ("ReviewItem", reviewItem),
            ("Change", change), ("Transfer", transfer), ("TransactionLink", transactionLink),
            ("Proposal", proposal),
            ("UserAccount", userAccount),
            ("UserAccountEdit", userAccountEdit), ("AccountBalance", accountBalance),
            ("AccountFindings", accountFindings), ("Offer", offer), ("Problem", problem),
        ] + BudgetRoutes.schemas + PayeeRoutes.schemas + DueRoutes.schemas + RecurringRoutes.schemas
}
