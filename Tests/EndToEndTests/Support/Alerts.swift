/// Alerts in the banks' wording with invented names and numbers.
extension Mail {
    /// `1,23,456.78`.
    static func rupees(_ minor: Int) -> String {
        var whole = String(minor / 100)
        var groups: [Substring] = []
        if whole.count > 3 {
            groups.append(whole.suffix(3))
            whole = String(whole.dropLast(3))
            while whole.count > 2 {
                groups.append(whole.suffix(2)[...])
                whole = String(whole.dropLast(2))
            }
        }
        groups.append(whole[...])
        let cents = minor % 100
        return groups.reversed().joined(separator: ",") + "." + (cents < 10 ? "0\(cents)" : "\(cents)")
    }

    static func hdfcUPI(
        _ id: String, _ minor: Int, to name: String, vpa: String, reference: String, at moment: Int,
        in category: (String, String?), old: Bool = false
    ) -> Mail {
        let body =
            old
            ? "Dear Customer, Rs.\(rupees(minor)) has been debited from account 4410 to VPA \(vpa) \(name) on \(India.text("%d-%m-%y", moment)). Your UPI transaction reference number is \(reference). If you did not authorize this transaction, please report it immediately by calling 18002586161 Or SMS BLOCK UPI to 7308080808."
            : "Dear Customer,\nGreetings from HDFC Bank!\n<b>Rs.\(rupees(minor))</b> is debited from your account ending <b>4410</b> towards VPA \(vpa) (\(name)) on \(India.text("%d-%m-%y", moment)).\nUPI transaction reference no.: \(reference).\nIf you did not authorize this transaction, please report it at: a. When abroad: 9122 61606160"
        return Mail(
            id: id,
            from: old
                ? "HDFC Bank InstaAlerts <alerts@hdfcbank.net>" : "HDFC Bank InstaAlerts <alerts@hdfcbank.bank.in>",
            subject: "=?UTF-8?Q?=E2=9D=97__You_have_done_a_UPI_txn._Check_details!?=", text: body,
            encoding: old ? .plain : .quotedPrintableHTML,
            arrived: moment + 30, outcome: "recorded",
            booked: Booked(
                channel: "upi", amountMinor: minor, date: India.text("%Y-%m-%d", moment), merchant: name,
                account: "4410", reference: reference,
                category: category.0, subcategory: category.1))
    }

    /// The bank prints a 12-hour time without am or pm.
    static func iciciCard(
        _ id: String, _ minor: Int, at name: String, _ moment: Int, in category: (String, String?)
    ) -> Mail {
        Mail(
            id: id, from: "ICICI Bank Credit Cards <credit_cards@icici.bank.in>",
            subject: "Transaction alert for your ICICI Bank Credit Card",
            text: """
                Dear Customer,
                Your ICICI Bank Credit Card XX6021 has been used for a transaction of INR \(rupees(minor)) on \(India.text("%b %d, %Y", moment)) at \(India.text("%I:%M:%S", moment)). Info: \(name).
                The Available Credit Limit on your card is INR 1,63,588.00 and Total Credit Limit is INR 2,75,000.00.
                In case you have not done this transaction, to report it please call on 18002662 or SMS BLOCK space 6021 to 9215676766 from your registered mobile number.
                Never share your OTP, URN, CVV or passwords with anyone even if the person claims to be a bank employee.
                """,
            arrived: moment + 12, outcome: "recorded",
            booked: Booked(
                channel: "card", amountMinor: minor, date: India.text("%Y-%m-%d", moment),
                time: India.text("%H:%M:%S", moment), merchant: name,
                account: "6021", category: category.0, subcategory: category.1))
    }

    static func sbiUPI(
        _ id: String, _ minor: Int, to name: String, reference: String, at moment: Int, in category: (String, String?)
    ) -> Mail {
        Mail(
            id: id, from: "SBI Alerts <cbssbi.cas@alerts.sbi.bank.in>", subject: "CBSSBI ALERT",
            text:
                "Dear UPI user A/C X4417 debited by \(minor / 100).0 on date \(India.text("%d%b%y", moment)) trf to \(name) Refno \(reference). If not u? call 1800111109. -SBI",
            encoding: .base64HTML, arrived: moment + 40, outcome: "recorded",
            booked: Booked(
                channel: "upi", amountMinor: minor, date: India.text("%Y-%m-%d", moment), merchant: name,
                account: "4417", reference: reference,
                category: category.0, subcategory: category.1))
    }

    static func sbiDebit(_ id: String, _ minor: Int, at moment: Int) -> Mail {
        Mail(
            id: id, from: "cbsalerts.sbi@alerts.sbi.co.in", subject: "CBSSBI ALERT",
            text:
                "Greetings from SBI ! Dear Customer, Your A/C XXXXX204417 has a debit by transfer of Rs \(rupees(minor)) on \(India.text("%d/%m/%y", moment)). Avl Bal Rs 2,08,911.07.-SBI",
            arrived: moment + 40, outcome: "recorded",
            booked: Booked(
                channel: "other", amountMinor: minor, date: India.text("%Y-%m-%d", moment), account: "4417",
                category: "Uncategorized"))
    }

    static func hdfcCredit(
        _ id: String, _ minor: Int, by name: String, vpa: String, reference: String, at moment: Int
    ) -> Mail {
        Mail(
            id: id, from: "alerts@hdfcbank.bank.in", subject: "View: Account update for your HDFC Bank A/c",
            text:
                "Dear Customer, Rs. \(rupees(minor)) is successfully credited to your account **4410 by VPA \(vpa) \(name) on \(India.text("%d-%m-%y", moment)). Your UPI transaction reference number is \(reference). Thank you for banking with us.",
            arrived: moment + 20, outcome: "recorded",
            booked: Booked(
                type: "income", channel: "upi", amountMinor: minor, date: India.text("%Y-%m-%d", moment),
                merchant: name, account: "4410",
                reference: reference, category: "Transfers", subcategory: "People"))
    }

    static func otp(_ id: String, _ moment: Int) -> Mail {
        Mail(
            id: id, from: "alerts@hdfcbank.bank.in", subject: "OTP For online Ecom Transaction",
            text:
                "Dear Customer, Greetings from HDFC Bank! 481516 is the OTP for the transaction of INR 3615.00 at TOYBOX ONL initiated using your HDFC Bank Card ending 3307. This OTP is valid for 09:40.",
            encoding: .quotedPrintableHTML, arrived: moment, outcome: "ignored")
    }

    static func declined(_ id: String, _ moment: Int) -> Mail {
        Mail(
            id: id, from: "credit_cards@icici.bank.in", subject: "Transaction alert for your ICICI Bank Credit Card",
            text:
                "The transaction of INR 1,250.00 on your ICICI Bank Credit Card XX6021 on \(India.text("%b %d, %Y", moment)) at \(India.text("%I:%M:%S", moment)), Info: KITE KITCHEN, has been declined due to insufficient credit limit.",
            arrived: moment + 5, outcome: "ignored")
    }

    /// Not from a bank, so it is never downloaded.
    static func newsletter(_ id: String, _ moment: Int) -> Mail {
        Mail(
            id: id, from: "Shop <news@mail.example.org>", subject: "Rs.500 off",
            text: "Rs.500.00 is debited from every basket this week.", arrived: moment,
            outcome: "not fetched")
    }
}
