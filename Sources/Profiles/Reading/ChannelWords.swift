import Ledger

extension Channel {
    /// Channel named by a bank's words, such as `NEFT`, `cash withdrawal` or a UPI address; `nil` if they name none.
    /// Only letters count, in any case; blanks, hyphens and digits are ignored.
    init?(words: ArraySlice<UInt8>) {
        if words.contains(UInt8(ascii: "@")) {
            self = .upi
            return
        }
        let letters = words.compactMap { (0x61...0x7A).contains($0 | 0x20) ? $0 | 0x20 : nil }
        guard let channel = Self.byWord[String(decoding: letters, as: UTF8.self)] else { return nil }
        self = channel
    }

    private static let byWord: [String: Channel] = [
        "upi": .upi, "vpa": .upi, "neft": .neft, "n": .neft, "imps": .imps, "mmt": .imps, "rtgs": .rtgs, "r": .rtgs,
        "atm": .atm, "atw": .atm, "nwd": .atm, "cshwdl": .atm,
        "cashwdl": .atm, "cashwithdrawal": .atm, "withdrawal": .atm, "withdrawn": .atm, "nach": .mandate,
        "ecs": .mandate, "ach": .mandate, "mandate": .mandate,
        "emandate": .mandate, "autopay": .mandate, "autodebit": .mandate, "standinginstruction": .mandate,
        "standinginstructions": .mandate, "si": .mandate, "sip": .mandate,
        "umrn": .mandate, "cheque": .cheque, "check": .cheque, "chq": .cheque, "clg": .cheque, "clearing": .cheque,
        "card": .card, "debitcard": .card, "creditcard": .card,
        "pos": .card, "ecom": .card, "ecomm": .card, "pcd": .card, "wallet": .wallet,
    ]
}
