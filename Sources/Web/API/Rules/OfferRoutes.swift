import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// "Always for this merchant": what is offered after a person chose a category. POST /categories/mappings/apply accepts
/// it.
enum OfferRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions/{id}/offer", "Transactions",
            "The keyword that would give this transaction's category to all of its merchant, where a person chose that category.",
            parameters: [.id],
            responses: [
                .init(status: 200, about: "The offer.", schema: Schema.ref("Offer")),
                .init(status: 204, about: "There is nothing to offer."), .notFound,
            ]
        ) { call in
            guard let offer = try await offer(call) else { return .noContent }
            return .json(
                .object([
                    ("transaction_id", .integer(offer.transactionID)), ("vendor_keyword", .string(offer.keyword)),
                    ("kind", .string(offer.kind.rawValue)),
                    ("category_name", .string(offer.category)), ("subcategory", JSON(offer.subcategory)),
                    ("count", JSON(offer.count)), ("staying_count", JSON(offer.stayingCount)),
                    ("sentence", .string(offer.sentence)),
                ]))
        },
        Endpoint(
            .post, "/transactions/{id}/offer/refuse", "Transactions",
            "Says no: this is not offered again for this merchant and category.", parameters: [.id],
            responses: [.init(status: 204, about: "It is not offered any more."), .notFound], isRepeatable: true
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
        let (exists, offer) = try await call.ledger { store in
            (try store.transactions.find(id) != nil, try store.categories.offer(for: id))
        }
        guard exists else { throw Problem.notFound("transaction \(id)") }
        return offer
    }
}
