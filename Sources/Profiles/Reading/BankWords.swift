import Chronology

/// The words of alerts that are known without any profile, in lower case.
package enum BankWords {
    package static let usual = MonthName.abbreviatedWords.union([
        "upi", "neft", "imps", "rtgs", "atm", "pos", "otp", "pin", "cvv", "emi", "inr", "rs", "usd", "eur", "gbp",
        "ist", "utr", "rrn", "vpa", "sms", "kyc", "pan", "nach", "ecs", "ach", "gst", "ifsc", "ref",
        "no", "txn", "ac", "acct", "cr", "dr", "am", "pm", "bank", "card", "debit", "credit", "account", "alert",
        "customer", "dear", "sir", "madam", "bal", "avl", "id", "xx", "xxxx", "to", "from", "at", "on",
        "by", "for", "of", "the", "your", "you", "is", "was", "has", "been", "and", "transaction", "amount", "date",
        "time", "limited", "ltd", "india", "www", "http", "https", "regards", "team",
    ])
}
