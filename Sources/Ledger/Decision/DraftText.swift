import Chronology

extension TransactionDraft {
    /// A field's value as text, in the form of samples and of JSON: amounts as decimal strings, dates as in ISO 8601.
    public func text(of field: Field) -> String? {
        switch field {
        case .amount: amount.decimal
        case .currency: amount.currency.code
        case .type: type?.rawValue
        case .channel: channel.rawValue
        case .date: date.description
        case .time: time?.description
        case .merchant: merchant
        case .account: account
        case .reference: reference
        case .balance: balance?.decimal
        case .limit: limit?.decimal
        case .vpa: vpa
        case .mcc: mcc
        case .foreign: foreign?.description
        }
    }
}
