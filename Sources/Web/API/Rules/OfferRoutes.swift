import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// The offer to apply a chosen category to all transactions of the merchant. POST /categories/mappings/apply accepts
/// it.
enum OfferRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions/{id}/offer", "Transactions",
            "The keyword that would apply this transaction's category, chosen by a person, to all transactions of its merchant.",
            .init(
                parameters: [.id],
                responses: [
                    .init(status: 200, about: "The offer.", schema: Schema.ref("Offer")),
                    .init(status: 204, about: "No offer."), .notFound,
                ])
        ) { call in
            guard let offer = try await offer(call) else { return .noContent }
            return .json(
                .object([
                    ("transaction_id", .integer(offer.transactionID)), ("vendor_keyword", .string(offer.keyword)),
                    ("kind", .string(offer.kind.rawValue)),
                    ("category_name", .string(offer.category)), ("subcategory", JSON(offer.subcategory)),
                    ("count", JSON(offer.count)), ("waiting_count", JSON(offer.waitingCount)),
                    ("staying_count", JSON(offer.stayingCount)),
                    ("sentence", .string(offer.sentence)),
                ]))
        },
        Endpoint(
            .post, "/transactions/{id}/offer/refuse", "Transactions",
            "Refuses the offer; it is not made again for this merchant and category.",
            .init(
                parameters: [.id],
                responses: [.init(status: 204, about: "Refused."), .notFound], isRepeatable: true)
        ) { call in
            guard let offer = try await offer(call) else { return .noContent }
            return try await call.answer { store in
                try store.categories.refuse(offer)
                return .noContent
            }
        },
    ]

    private static func offer(_ call: Call) async throws -> CategoryOffer? {
        let id = try call.number()
        let (exists, offer) = try await call.read { store in
            (try store.transactions.find(id) != nil, try store.categories.offer(for: id))
        }
        guard exists else { throw Problem.notFound("transaction \(id)") }
        return offer
    }
}
