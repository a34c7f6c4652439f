import Chronology
import Codecs
import Ledger
import Store

/// Rows in the JSON of the API: the keys are the columns of the schema, amounts are decimal texts.
extension TransactionRow {
    /// - Parameters:
    ///   - link: the transfer that it is part of.
    ///   - isWhole: true to include the provenance.
    fileprivate func api(_ link: TransferLink?, isWhole: Bool = false) -> JSON {
        var members: [(String, JSON)] = [
            ("id", .integer(id)), ("source_email_id", JSON(mailID)), ("idempotency_key", JSON(idempotencyKey)),
            ("ledger", .string(ledger)),
            ("category_name", .string(category)), ("subcategory", JSON(subcategory)),
            ("category_why", JSON(categoryWhy)), ("category_by", JSON(categoryBy?.rawValue)),
            ("currency", .string(amount.currency.code)),
            ("parsed_amount", .string(amount.decimal)), ("account_name", JSON(accountName)),
            ("account_id", JSON(accountID)), ("user_account_id", JSON(userAccountID)),
            ("account_digits", JSON(accountDigits)),
            ("recorder", .string(recorder)), ("parsed_date", JSON(describing: date)),
            ("parsed_time", JSON(describing: time)),
            ("parsed_vendor", JSON(vendor)), ("notes", JSON(notes)),
            ("transaction_type", .string(type.rawValue)), ("status", .string(status.rawValue)),
            ("confidence_score", confidence.map(JSON.number) ?? .null),
            ("channel", JSON(channel?.rawValue)), ("reference", JSON(reference)), ("vpa", JSON(vpa)),
            ("mcc", JSON(mcc)), ("profile", JSON(profile)),
            ("balance", JSON(balance?.decimal)), ("credit_limit", JSON(limit?.decimal)),
            ("occurred_at", JSON(describing: occurredAt)), ("duplicate_of", JSON(duplicateOf)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
            ("user_edited_at", JSON(describing: editedAt)),
            ("transfer", link.map { .object([("id", .integer($0.transfer)), ("other_id", JSON($0.other))]) } ?? .null),
            ("tags", .array(tags.map(JSON.string))), ("payee_id", JSON(payeeID)), ("payee", JSON(payee)),
            ("is_split", .bool(isSplit)), ("revision", .integer(revision)),
            ("direction", JSON(status == .confirmed ? flow(linked: link?.flow).word : nil)),
        ]
        if isWhole { members.append(("provenance", JSON.parsed(provenance))) }
        return .object(members)
    }

    var tag: ETag { ETag("\(id)-\(revision)") }
}

extension ReadScope {
    func api(_ rows: [TransactionRow]) throws -> [JSON] {
        let links = try transfers.links(of: rows.map(\.id))
        return rows.map { $0.api(links[$0.id]) }
    }

    func api(_ row: TransactionRow, isWhole: Bool = false) throws -> JSON {
        row.api(try transfers.links(of: [row.id])[row.id], isWhole: isWhole)
    }

    func api(_ items: [ReviewItem]) throws -> [JSON] {
        let links = try transfers.links(
            of: items.flatMap { [$0.transaction?.id, $0.possibleDuplicate?.id].compactMap { $0 } })
        return items.map { $0.api(links) }
    }

    func api(_ rows: [EventLinkRow]) throws -> [JSON] {
        let links = try transfers.links(of: rows.flatMap { [$0.from.id, $0.to.id] })
        return rows.map { link in
            .object([
                ("id", .integer(link.id)), ("kind", .string(link.kind.rawValue)),
                ("state", .string(link.state.rawValue)), ("from", link.from.api(links[link.from.id])),
                ("to", link.to.api(links[link.to.id])),
                ("confidence", .number(link.confidence)), ("evidence", .string(link.evidence.word)),
                ("why", .string(link.why)), ("is_made_by_person", .bool(link.isMadeByPerson)),
                ("created_at", JSON(describing: link.createdAt)), ("updated_at", JSON(describing: link.updatedAt)),
            ])
        }
    }

    /// Proposed links, with the paths of the answers.
    func proposals(_ rows: [EventLinkRow]) throws -> [JSON] {
        try rows.map { link in
            .object([
                ("kind", .string(link.kind.rawValue)), ("id", .integer(link.id)), ("from", try api(link.from)),
                ("to", try api(link.to)), ("confidence", .number(link.confidence)),
                ("evidence", .string(link.evidence.word)), ("why", .string(link.why)),
                ("accept", .string("/links/\(link.id)/confirm")), ("reject", .string("/links/\(link.id)/reject")),
            ])
        }
    }

    func proposals(_ rows: [TransferRow]) throws -> [JSON] {
        try rows.map { transfer in
            .object([
                ("kind", .string("transfer")), ("id", .integer(transfer.id)),
                ("from", try transfer.debit.map { try api($0) } ?? .null),
                ("to", try transfer.credit.map { try api($0) } ?? .null), ("confidence", .null),
                ("evidence", .string(transfer.basis.rawValue)), ("why", .string(transfer.reason.sentence)),
                ("accept", .string("/transfers/\(transfer.id)/confirm")),
                ("reject", .string("/transfers/\(transfer.id)/refuse")),
            ])
        }
    }

    func api(_ transfers: [TransferRow]) throws -> [JSON] {
        let links = try self.transfers.links(of: transfers.flatMap { [$0.debit?.id, $0.credit?.id].compactMap { $0 } })
        return transfers.map { transfer in
            .object([
                ("id", .integer(transfer.id)), ("state", .string(transfer.state.rawValue)),
                ("debit", transfer.debit.map { $0.api(links[$0.id]) } ?? .null),
                ("credit", transfer.credit.map { $0.api(links[$0.id]) } ?? .null),
                ("evidence", .string(transfer.basis.rawValue)), ("why", .string(transfer.reason.sentence)),
                ("is_made_by_person", .bool(transfer.isMadeByPerson)),
                ("created_at", JSON(describing: transfer.createdAt)),
                ("updated_at", JSON(describing: transfer.updatedAt)),
            ])
        }
    }
}

extension AccountRow {
    var api: JSON {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("card_last_four", JSON(cardLastFour)),
            ("sender_email", JSON(senderEmail)), ("sender_name", JSON(senderName)),
            ("subject_pattern", JSON(subjectPattern)), ("amount_regex", JSON(amountRegex)),
            ("date_regex", JSON(dateRegex)), ("merchant_regex", JSON(merchantRegex)),
            ("account_regex", JSON(accountRegex)), ("time_regex", JSON(timeRegex)),
            ("sample_email_body", JSON(sampleEmailBody)), ("is_active", .bool(isActive)),
            ("currency_default", .string(currencyDefault.code)),
            ("default_transaction_type", .string(defaultTransactionType.rawValue)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }

    var tag: ETag { ETag(of: api.utf8) }
}

extension CategoryRow {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("name", .string(name)), ("icon", JSON(icon)), ("color", JSON(color)),
            ("is_system", .bool(isSystem)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
            ("subcategories", .array(subcategories.map(\.api))),
        ])
    }

    var tag: ETag { ETag(of: api.utf8) }
}

extension CategoryRow.Subcategory {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("category_id", .integer(categoryID)), ("name", .string(name)), ("icon", JSON(icon)),
            ("is_system", .bool(isSystem)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}

extension MappingRow {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("vendor_keyword", .string(keyword)), ("category_id", .integer(categoryID)),
            ("category_name", .string(category)),
            ("subcategory_id", JSON(subcategoryID)), ("subcategory", JSON(subcategory)),
            ("kind", .string(kind.rawValue)), ("conditions", conditions.api),
            ("is_user_defined", .bool(isUserDefined)), ("match_count", JSON(matchCount)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }

    /// The tag ignores the match count, which grows without an edit.
    var tag: ETag {
        var row = self
        row.matchCount = 0
        return ETag(of: row.api.utf8)
    }
}

extension DeviceRow {
    var api: JSON {
        .object([
            ("id", .string(id)), ("device_token", .string(token)), ("environment", .string(environment)),
            ("device_name", JSON(name)), ("os_version", JSON(osVersion)),
            ("is_active", .bool(isActive)), ("created_at", JSON(describing: createdAt)),
            ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}

extension MailRow {
    var api: JSON {
        .object([
            ("id", .string(id)), ("mailbox", .string(mailbox)), ("folder", .string(folder)),
            ("message_id", JSON(messageID)), ("from_address", JSON(fromAddress)),
            ("subject", JSON(subject)), ("sent_at", JSON(describing: sentAt)),
            ("received_at", JSON(describing: receivedAt)),
            ("processed_at", JSON(describing: processedAt)),
            ("status", .string(outcome.rawValue)), ("error_message", JSON(reason)), ("profile", JSON(profile)),
            ("template", JSON(template)), ("reviewed_at", JSON(describing: reviewedAt)),
        ])
    }
}

extension ReviewItem {
    fileprivate func api(_ links: [Int64: TransferLink]) -> JSON {
        func row(_ row: TransactionRow?) -> JSON { row.map { $0.api(links[$0.id]) } ?? .null }
        return .object([
            ("id", JSON(transaction.map { "\($0.id)" } ?? mail?.id)), ("confidence_score", .number(confidence)),
            (
                "reasons",
                .array(
                    reasons.map {
                        .object([
                            ("factor", .string($0.name)), ("weight", .number($0.weight)), ("note", .string($0.note)),
                        ])
                    })
            ),
            ("transaction", row(transaction)), ("mail", mail?.api ?? .null),
            ("possible_duplicate", row(possibleDuplicate)),
            ("alike", JSON(alike)), ("lacks_direction", .bool(lacksDirection)),
        ])
    }
}

extension LedgerChange {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("at", JSON(describing: at)),
            ("actor", .object([("kind", .string(actor.kind.rawValue)), ("name", .string(actor.name))])),
            ("done", .string(kind.rawValue)), ("transaction_id", JSON(transactionID)), ("mail_id", JSON(mailID)),
            ("before", JSON.parsed(before)), ("after", JSON.parsed(after)),
            ("group_id", .string(group)), ("undoes", JSON(undoes)), ("is_undone", .bool(isUndone)),
        ])
    }
}

extension MappingConditions {
    /// Amounts are in the condition's currency, by default in rupees.
    var api: JSON {
        func money(_ units: Int64?) -> JSON {
            JSON(units.map { Money(minorUnits: $0, currency: currency ?? .inr).decimal })
        }
        return .object([
            ("amount_from", money(minimumMinor)), ("amount_to", money(maximumMinor)),
            ("currency", JSON(currency?.code)), ("account_digits", JSON(account)),
            ("channel", JSON(channel?.rawValue)), ("transaction_type", JSON(type?.rawValue)),
        ])
    }
}
