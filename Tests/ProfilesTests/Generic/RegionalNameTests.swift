import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Profiles

/// Names with initials, signs and digits, and the fields beside them, in mails of several countries.
@Suite struct RegionalNameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var country: String
        var text: String
        var amount: String
        var type: TransactionType?
        var merchant: String?
        var account: String?
        var testDescription: String { "\(country): \(text)" }
    }

    @Test(arguments: [
        Case(
            country: "BR",
            text:
                "Compra de R$ 1.249,90 APROVADA em PADARIA S. JOÃO & CIA para o cartão com final 3310, em 12/02/2026.",
            amount: "1249.90", type: .expense, merchant: "PADARIA S. JOÃO & CIA", account: "3310"),
        Case(
            country: "BR", text: "Você recebeu um Pix de R$ 85,00 de J. P. Souza ME em 13/02/2026 às 09:00.",
            amount: "85.00", type: .income, merchant: "J. P. Souza ME"),
        Case(
            country: "CO",
            text: """
                Se ha registrado el siguiente movimiento de su Tarjeta Crédito terminada en ****5560:
                Fecha: 2026/02/12
                Valor Transacción: $ 48,000
                Clase de Movimiento: Compra
                Respuesta: Aprobado(a)
                Lugar de Transacción: CAFE 3 ESQUINAS
                """, amount: "48000.00", type: .expense, merchant: "CAFE 3 ESQUINAS", account: "5560"),
        Case(
            country: "CA",
            text: "A purchase of $84.15 was made at B.C. & A. LIQUOR #0212 on your RBC credit card ending in 9921.",
            amount: "84.15", type: .expense, merchant: "B.C. & A. LIQUOR #0212", account: "9921"),
        Case(
            country: "CA",
            text:
                "Hi Sam,\nJ. T. LEE has sent you a money transfer for the amount of $250.00 (CAD) and the money has been automatically deposited into your bank account at RBC Royal Bank.",
            amount: "250.00", type: .income, merchant: "J. T. LEE"),
        Case(
            country: "PL",
            text: "Dokonano płatności kartą ...4410 na kwotę 132,40 PLN w SKLEP U A. B. dnia 06.02.2026.",
            amount: "132.40", type: .expense, merchant: "SKLEP U A. B.", account: "4410"),
        Case(
            country: "US",
            text: "A purchase of $33.08 at 7-ELEVEN 33-102 was made with your card ending in 3310 on 02/12/2026.",
            amount: "33.08", type: .expense, merchant: "7-ELEVEN 33-102", account: "3310"),
        Case(
            country: "SG",
            text: "You have sent SGD 120.00 to TAN A.K. ELECTRICAL via PayNow. From: 360 Account (-4417).",
            amount: "120.00", type: .expense, merchant: "TAN A.K. ELECTRICAL", account: "4417"),
        Case(
            country: "KE",
            text: "Dear JANE, you have sent KES 1,250.00 to P. O. OTIENO 0722****45 on 12/02/2026 at 10:15 AM.",
            amount: "1250.00", type: .expense, merchant: "P. O. OTIENO"),
        Case(
            country: "PH", text: "You have transferred PHP 1,250.00 to MA. C. SANTOS (XXXXXX4410) on Feb 12, 2026.",
            amount: "1250.00", type: .expense, merchant: "MA. C. SANTOS"),
        Case(
            country: "DE", text: "Zahlungseingang: 1.500,00 € von H. Müller & Co. KG am 12.02.2026",
            amount: "1500.00", type: .income, merchant: "H. Müller & Co. KG"),
        Case(
            country: "VN",
            text: "Tài khoản 0071xxx4410 +1,500,000 VND, người gửi: TRAN VAN B. Số dư 2,750,000 VND",
            amount: "1500000", type: .income, merchant: "TRAN VAN B."),
        Case(
            country: "TR",
            text: "1234 ile biten kartınızdan 07.02.2026 tarihinde 1.245,60 TL tutarında harcama yapılmıştır.",
            amount: "1245.60", type: .expense, account: "1234"),
        Case(
            country: "ZA",
            text: "Absa: CHEQ4412, Pur, 13/02/26 POS PURCHASE, DISCHEM & CO 0071, R-389.95, Available R4,120.05.",
            amount: "389.95", type: .expense),
        Case(
            country: "MY",
            text:
                "Your DuitNow transfer of RM 320.00 to C. K. TAN ENTERPRISE from account 1140-XXXX-8812 on 12 Feb 2026 is successful.",
            amount: "320.00", type: .expense, merchant: "C. K. TAN ENTERPRISE", account: "8812"),
        Case(
            country: "KR", text: "승인금액: 23,500원\n이용일시: 2026/02/12 19:58\n가맹점명: GS25 역삼A점\n카드번호: 5570-****-****-1182",
            amount: "23500", type: .expense, merchant: "GS25 역삼A점", account: "1182"),
    ])
    func reads(_ test: Case) throws {
        let decision = try RegionalReaderTests.decide(test.text, try RegionalReaderTests.region(test.country))
        #expect(decision.outcome == .review)
        let draft = try #require(decision.draft)
        #expect(draft.amount.decimal == test.amount)
        #expect(draft.type == test.type)
        if let merchant = test.merchant { #expect(draft.merchant == merchant) }
        #expect(draft.account == test.account || test.account == nil)
    }

    /// The sentence goes on behind initials: what denies the payment is in it.
    @Test func aRefusalBehindInitialsIsSeen() throws {
        let text = "The purchase of $84.15 at B.C. LIQUOR on your card ending in 9921 was declined."
        let decision = try RegionalReaderTests.decide(text, try RegionalReaderTests.region("CA"))
        #expect(decision.reasons.contains { $0.factor == .wordingDoubtful })
    }
}
