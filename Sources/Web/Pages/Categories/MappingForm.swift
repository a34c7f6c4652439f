import Ledger
import Store

/// The form of a category rule: what it matches, its conditions and the category.
struct MappingForm: Sendable {
    var keyword = ""
    var kind = ""
    /// The value of a ``CategorySelection``.
    var category = ""
    var minimum = ""
    var maximum = ""
    var currency = ""
    var account = ""
    var channel = ""
    var type = ""
    var problems: [String] = []

    init(_ fields: FormFields) {
        keyword = fields.text("keyword") ?? ""
        kind = fields.text("kind") ?? ""
        category = fields.text("category") ?? ""
        minimum = fields.text("minimum") ?? ""
        maximum = fields.text("maximum") ?? ""
        currency = (fields.text("currency") ?? "").uppercased()
        account = fields.text("account") ?? ""
        channel = fields.text("channel") ?? ""
        type = fields.text("type") ?? ""
    }

    init(_ offer: CategoryOffer, _ categories: [CategoryRow]) {
        keyword = offer.keyword
        kind = offer.kind.rawValue
        category =
            CategorySelection.choices(categories, chosen: offer.category, offer.subcategory).first { $0.isChosen }?
            .value ?? ""
    }

    init(_ row: MappingRow, _ categories: [CategoryRow]) {
        keyword = row.keyword
        kind = row.kind.rawValue
        category =
            CategorySelection.choices(categories, chosen: row.category, row.subcategory).first { $0.isChosen }?.value
            ?? ""
        let unit = row.conditions.currency ?? .inr
        minimum = row.conditions.minimumMinor.map { Money(minorUnits: $0, currency: unit).decimal } ?? ""
        maximum = row.conditions.maximumMinor.map { Money(minorUnits: $0, currency: unit).decimal } ?? ""
        currency = row.conditions.currency?.code ?? ""
        account = row.conditions.account ?? ""
        channel = row.conditions.channel?.rawValue ?? ""
        type = row.conditions.type?.rawValue ?? ""
    }

    /// Returns the rule; `nil` with ``problems`` if a value is invalid.
    mutating func mapping(_ categories: [CategoryRow]) throws -> NewMapping? {
        problems = []
        if keyword.isEmpty { problems.append(PageText.of("mapping-form.enter-keyword")) }
        if category.isEmpty { problems.append(PageText.of("mapping-form.choose-category")) }
        let unit = currency.isEmpty ? nil : Currency(code: currency)
        if !currency.isEmpty, unit == nil { problems.append(PageText.of("mapping-form.currency-problem")) }
        func units(_ text: String, _ title: String) -> Int64? {
            guard !text.isEmpty else { return nil }
            if let money = Money(typed: text, currency: unit ?? .inr) { return money.minorUnits }
            problems.append(PageText.of("common.problem", ["field": title, "problem": FieldFault.amountForm.sentence]))
            return nil
        }
        let conditions = MappingConditions(
            minimumMinor: units(minimum, PageText.of("common.amount-from")),
            maximumMinor: units(maximum, PageText.of("common.amount-to")), currency: unit,
            account: account.isEmpty ? nil : account, channel: Channel(rawValue: channel),
            type: TransactionType(rawValue: type))
        guard problems.isEmpty else { return nil }
        let choice = try CategorySelection(category, among: categories)
        return NewMapping(keyword: keyword) {
            $0.category = choice.category
            $0.subcategory = choice.subcategory
            $0.kind = VendorMapping.Kind(rawValue: kind)
            $0.conditions = conditions
        }
    }

    /// The fields as hidden inputs, for a form that sends the same rule again.
    var hidden: [SelectChoice] {
        [
            ("keyword", keyword), ("kind", kind), ("category", category), ("minimum", minimum), ("maximum", maximum),
            ("currency", currency), ("account", account), ("channel", channel), ("type", type),
        ].filter { !$0.1.isEmpty }.map { SelectChoice($0.0, $0.1, isChosen: false) }
    }

    var hasConditions: Bool {
        ![minimum, maximum, currency, account, channel, type].allSatisfy(\.isEmpty) || !["", "keyword"].contains(kind)
    }

    static var kinds: [(String, String)] {
        [
            ("", PageText.of("mapping-form.any-kind")), ("keyword", PageText.of("mapping-form.kind-keyword")),
            ("vpa", PageText.of("mapping-form.kind-vpa")), ("mcc", PageText.of("mapping-form.kind-mcc")),
            ("person", PageText.of("mapping-form.kind-person")),
        ]
    }

    /// Describes what the rule matches.
    static func sentence(_ keyword: String, _ kind: VendorMapping.Kind, _ conditions: MappingConditions) -> String {
        let what =
            switch kind {
            case .keyword: PageText.of("mapping-form.about-keyword", ["keyword": keyword])
            case .vpa: PageText.of("mapping-form.about-vpa", ["keyword": keyword])
            case .mcc: PageText.of("mapping-form.about-mcc", ["keyword": keyword])
            case .person:
                keyword == "*"
                    ? PageText.of("mapping-form.about-people")
                    : PageText.of("mapping-form.about-person", ["keyword": keyword])
            }
        return what + (conditions.isEmpty ? "" : ", " + conditions.sentence)
    }
}
