import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import Profiles

/// Words of refusal and reversal in the language of the bank's country, in mails that a template reads.
@Suite struct LocalDoubtsTests {
    struct Mail: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var subject = "Alertas y Notificaciones"
        var text = purchase
        var from = "alertasynotificaciones@an.notificacionesbancolombia.com"
        var date = "Thu, 20 Aug 2026 12:01:00 -0500"
        var outcome: Outcome

        init(_ name: String, _ outcome: Outcome) { (testDescription, self.outcome) = (name, outcome) }

        func with(subject: String? = nil, text: String? = nil) -> Mail {
            var mail = self
            mail.subject = subject ?? mail.subject
            mail.text = text ?? mail.text
            return mail
        }

        /// Of a bank in Thailand.
        func thai(subject: String = "Result of Funds Transfer (Success)", row: String) -> Mail {
            var mail = self
            mail.subject = subject
            mail.from = "kplus@kasikornbank.com"
            mail.date = "Thu, 05 Nov 2026 18:46:00 +0700"
            mail.text = """
                K PLUS
                Transaction Date: 05/11/2026  18:45:00
                Transaction Number: KPLUS202611050008889777
                From Account: xxx-x-x4306-x
                Account Name: MS. LEELA RAI
                Amount (THB): 180.00
                Fee (THB): 0.00
                \(row)
                """
            return mail
        }
    }

    static let purchase =
        "Bancolombia: Compraste COP29.259,00 en TIENDAS FERN con tu T.Cred *4471, el 20/08/2026 a las 12:00."

    static let mails = [
        Mail("a purchase", .recorded),
        Mail("a refusal in the subject", .review).with(subject: "Compra rechazada"),
        Mail("a reversal in the subject", .review).with(subject: "Compra reversada"),
        Mail("a refund in the subject", .review).with(subject: "Devolución de tu compra"),
        Mail("a refusal in a row", .review).with(text: purchase + "\nObservación: Rechazada"),
        Mail("a value below its label", .review).with(text: purchase + "\nObservación\nAnulada"),
        Mail("a common sentence below", .recorded).with(
            text: purchase
                + "\nConoce los motivos por los que un pago puede ser rechazado o anulado en nuestra página de ayuda."),
        Mail("a word in the counterparty's name", .recorded).with(
            text: purchase.replacing("TIENDAS FERN", with: "REEMBOLSO FERN SAS")),
        Mail("Thai", .recorded).thai(row: "สถานะ: สำเร็จ"),
        Mail("a refusal in Thai", .review).thai(row: "สถานะ: ไม่สำเร็จ"),
        Mail("a reversal in Thai", .review).thai(row: "ยกเลิก"),
    ]

    @Test(arguments: mails) func outcome(_ mail: Mail) throws {
        let set = try ShippedProfiles.all.get()
        let message = Message(
            parsing: Array(
                "From: \(mail.from)\r\nSubject: \(mail.subject)\r\nDate: \(mail.date)\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(mail.text)\r\n"
                    .utf8))
        let decision = set.claim(message).decide(trusting: .unverified, receivedAt: nil)
        #expect(decision.outcome == mail.outcome, "\(decision.reasons)")
        #expect(decision.reasons.contains { $0.factor == .wordingDoubtful } == (mail.outcome == .review))
    }
}
