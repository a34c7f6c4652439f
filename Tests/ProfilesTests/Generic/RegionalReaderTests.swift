import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// Mails of a bank that the configuration names, in the languages of the shipped word files.
@Suite struct RegionalReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var country: String
        var text: String
        var amount: String
        var type: TransactionType?
        var date: String?
        var merchant: String?
        var subject = "Alert"
        var testDescription: String { "\(country): \(text)" }
    }

    static let shipped = Result { try ProfileSet(directories: [ShippedProfiles.folder.path], samples: false) }

    static func set(_ region: BankRegion) throws -> ProfileSet {
        try shipped.get().adding(
            ProfileAdditions(banks: [
                .init(domain: "bank.example", region: region, place: try NamedBankTests.place())
            ]))
    }

    static func region(_ country: String) throws -> BankRegion {
        var region = BankRegion()
        region.country = Country(code: country)
        return region
    }

    static func decide(
        _ text: String, _ region: BankRegion, subject: String = "Alert",
        date: String = "Fri, 13 Feb 2026 18:00:00 +0000"
    ) throws -> Decision {
        let mail =
            "From: alerts@bank.example\r\nSubject: \(subject)\r\nDate: \(date)\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
        return try set(region).claim(Message(parsing: Array(mail.utf8))).decide(trusting: .unverified, receivedAt: nil)
    }

    @Test(arguments: [
        Case(
            country: "ZA",
            text: "R1 249.00 paid from Acc..0921 at TAKEALOT.COM CAPE TOWN. 2026-02-12. Enquiries 0860123000.",
            amount: "1249.00", type: .expense, date: "2026-02-12", merchant: "TAKEALOT.COM CAPE TOWN"),
        Case(
            country: "KE",
            text:
                "Your account 0110*****4500 has been debited with KES 3,450.00 on 12-02-2026 11:42:10 at QUICKMART. Ref: 601412AB77. Available balance KES 18,220.15.",
            amount: "3450.00", type: .expense, date: "2026-02-12", merchant: "QUICKMART"),
        Case(
            country: "TH",
            text:
                "From Account: xxx-x-x5528-x\nTo Account Name: MR. SOMCHAI JAIDEE\nAmount (THB): 1,000.00\nFee (THB): 0.00\nAvailable Balance (THB): 23,118.42\nDate 12/02/2026",
            amount: "1000.00", type: .expense, date: "2026-02-12", merchant: "MR. SOMCHAI JAIDEE"),
        Case(
            country: "US",
            text:
                "Transaction alert: a charge was larger than $0.00.\nAmount $24.15\nMerchant TRADER JOE'S #552\nDate 02/12/2026",
            amount: "24.15", type: .expense, date: "2026-02-12", merchant: "TRADER JOE'S #552"),
        Case(
            country: "MX",
            text:
                "Se realizó una compra con tu tarjeta terminación 4417 por $1,289.00 MN en LIVERPOOL el 12/FEB/2026 a las 18:20 hrs.",
            amount: "1289.00", type: .expense, date: "2026-02-12", merchant: "LIVERPOOL"),
        Case(
            country: "CL", text: "Monto transferido: $250.000\nNombre destinatario: Pedro Fuentes\nFecha: 12-02-2026",
            amount: "250000", type: .expense, date: "2026-02-12", merchant: "Pedro Fuentes"),
        Case(
            country: "BR", text: "Pix realizado com sucesso\nValor R$ 89,90\nPara AUTO POSTO JK LTDA\nData 12/02/2026",
            amount: "89.90", type: .expense, date: "2026-02-12", merchant: "AUTO POSTO JK LTDA"),
        Case(
            country: "FR",
            text:
                "Un paiement de 42,90 € a été effectué avec votre carte se terminant par 7712 chez MONOPRIX LYON le 12/02/2026 à 18h42.",
            amount: "42.90", type: .expense, date: "2026-02-12", merchant: "MONOPRIX LYON"),
        Case(
            country: "DE",
            text: "Kartenzahlung über 37,45 EUR mit Ihrer Karte endend auf 1180 bei EDEKA NORD am 12.02.2026.",
            amount: "37.45", type: .expense, date: "2026-02-12", merchant: "EDEKA NORD"),
        Case(
            country: "IT",
            text:
                "Hai ricevuto un bonifico di 500,00 € da BIANCHI GIULIA in data 12.02.2026. Causale: rimborso vacanza.",
            amount: "500.00", type: .income, date: "2026-02-12", merchant: "BIANCHI GIULIA"),
        Case(
            country: "NL",
            text:
                "Er is € 23,95 afgeschreven van je rekening NL12 INGB **** 3344 naar Albert Heijn 1511 op 12-02-2026 om 17:09.",
            amount: "23.95", type: .expense, date: "2026-02-12", merchant: "Albert Heijn 1511"),
        Case(
            country: "PL",
            text: "Rodzaj Przelew przychodzący\nKwota 2 450,00 PLN\nNadawca STUDIO GRAFIKI\nData 12.02.2026",
            amount: "2450.00", type: .income, date: "2026-02-12", merchant: "STUDIO GRAFIKI"),
        Case(
            country: "TR",
            text: "4417 ile biten kartınızla 12.02.2026 tarihinde MIGROS işyerinden 1.250,00 TL alışveriş yaptınız.",
            amount: "1250.00", type: .expense, date: "2026-02-12"),
        Case(
            country: "VN", text: "Tên người hưởng NGUYEN THI HOA\nSố tiền 2.500.000 VND\nNgày 12/02/2026",
            amount: "2500000", type: .expense, date: "2026-02-12", merchant: "NGUYEN THI HOA"),
        Case(
            country: "TH",
            text:
                "เรียน ท่านลูกค้า บัตรลงท้าย 8812 ใช้จ่าย 459.00 บาท ที่ร้าน TOPS MARKET วันที่ 12/02/2569 เวลา 18:22 น. วงเงินคงเหลือ 41,220.00 บาท",
            amount: "459.00", type: .expense, date: "2026-02-12", merchant: "TOPS MARKET"),
        Case(
            country: "JP", text: "■利用日: 2026/02/12\n■利用先: セブン-イレブン\n■利用金額: 1,280 円\n■支払月: 2026/03",
            amount: "1280", type: .expense, date: "2026-02-12", merchant: "セブン-イレブン"),
        Case(
            country: "TW", text: "您的信用卡末四碼 5512 於 2026/02/12 20:15 在 全聯福利中心 消費 NT$ 385 元。", amount: "385.00",
            type: .expense,
            date: "2026-02-12", merchant: "全聯福利中心"),
        Case(
            country: "EG",
            text:
                "تم خصم مبلغ 750.00 جنيه من بطاقتك المنتهية بـ 3310 لدى صيدلية العزبي بتاريخ 12/02/2026 الساعة 18:05.",
            amount: "750.00", type: .expense, date: "2026-02-12", merchant: "صيدلية العزبي"),
        Case(
            country: "KW",
            text:
                "Your account 0112****07 was debited KD 4.500 - KNET purchase AL MEERA CAFE 2026-02-12 08:17. Balance KD 1,022.750",
            amount: "4.500", type: .expense, date: "2026-02-12", merchant: "AL MEERA CAFE"),
        Case(
            country: "VN", text: "SD TK 0071xxx -37,000VND luc 12-02-2026 09:15:22. SD 1,234,567VND.", amount: "37000",
            type: .expense, date: "2026-02-12"),
        Case(
            country: "ZA", text: "R1 249,00 paid from cheque acc..0921 at TAKEALOT. Avail R2 000. 12Feb 12:31",
            amount: "1249.00", type: .expense, date: "2026-02-12", merchant: "TAKEALOT"),
        Case(
            country: "EG",
            text: "The transaction on your credit card#8016  from ORACLE IRELAND  with EGP .93 on 12/02/26  at 05:14",
            amount: "0.93", type: nil, date: "2026-02-12"),
        Case(
            country: "US", text: "You paid $.99 at HERON STORE on Feb 12, 2026.", amount: "0.99", type: .expense,
            date: "2026-02-12", merchant: "HERON STORE"),
        Case(
            country: "CZ", text: "A payment of 450,- Kč was made at HERON STORE on 12.2.2026.", amount: "450.00",
            type: .expense, date: "2026-02-12", merchant: "HERON STORE"),
        Case(
            country: "SE", text: "A payment of 249:- kr was made at HERON STORE on 2026-02-12.", amount: "249.00",
            type: .expense, date: "2026-02-12", merchant: "HERON STORE"),
        Case(
            country: "DE", text: "Zahlung über 12,– € bei LADEN am 12.02.2026.", amount: "12.00", type: .expense,
            date: "2026-02-12", merchant: "LADEN"),
        Case(
            country: "DK", text: "A payment of 249,00 kr. was made at HERON STORE on 12 Feb 2026.", amount: "249.00",
            type: .expense, date: "2026-02-12", merchant: "HERON STORE"),
        Case(
            country: "CH", text: "Merchant: HERON STORE\nAmount: CHF 1'234.50\nDate: 12 Feb 2026", amount: "1234.50",
            type: nil, date: "2026-02-12", merchant: "HERON STORE"),
        // The label between two numbers is the second one's.
        Case(
            country: "TH", text: "ถอนเงินสด 2,000.00 บาท จากบัญชี x4410 วันที่ 12 ก.พ. 69 คงเหลือ 3,000.00 บาท",
            amount: "2000.00", type: .expense, date: "2026-02-12"),
        Case(
            country: "LK",
            text:
                "Transaction Approved on your Card for LKR 771.51 at PICKME RIDE Available Bal LKR 16730.45  Call 011",
            amount: "771.51", type: nil, merchant: "PICKME RIDE"),
        Case(
            country: "SA", text: "شراء\nبـSAR 5.75\nلـKIWI FOOD & CO\n26/2/9 16:46", amount: "5.75", type: .expense,
            date: "2026-02-09"),
        // Banks that print no marks.
        Case(
            country: "PL", text: "Platnosc karta 4410 kwota 89,90 PLN, 12.02.2026 10:15", amount: "89.90",
            type: .expense, date: "2026-02-12"),
        // A sign gives the direction if no word does; without either it stays open.
        Case(
            country: "VN", text: "TK 0071xxx 12/02/2026\n+500.000 VND", amount: "500000", type: .income,
            date: "2026-02-12"),
        Case(country: "IL", text: "₪89.90 12/02/26", amount: "89.90", type: nil, date: "2026-02-12"),
    ]) func aDraftOfAnyCountry(expected: Case) throws {
        let decision = try Self.decide(expected.text, Self.region(expected.country), subject: expected.subject)
        #expect(decision.outcome == .review)
        let draft = try #require(decision.draft)
        #expect(draft.amount.decimal == expected.amount)
        #expect(draft.amount.currency == (try Self.region(expected.country).home))
        #expect(draft.type == expected.type)
        #expect(decision.reasons.contains { $0.factor == .directionMissing } == (expected.type == nil))
        if let date = expected.date { #expect(draft.date.description == date) }
        if let merchant = expected.merchant { #expect(draft.merchant == merchant) }
    }

    @Test(arguments: [
        ("Your available balance is $5.00", Outcome.review, false), ("Win $500 today", .review, true),
        ("Our branch has moved", .ignored, false), ("Call 1800 1234 about the 50% offer", .ignored, false),
    ]) func aMailWithAnAmountIsNeverIgnored(text: String, outcome: Outcome, hasDraft: Bool) throws {
        for region in [try Self.region("US"), BankRegion()] {
            let decision = try Self.decide(text, region)
            #expect(decision.outcome == outcome && (decision.draft != nil) == hasDraft)
        }
        #expect(try Self.decide("See below", Self.region("US"), subject: "Your $12.00 payment").outcome == .review)
    }

    @Test(arguments: [
        ("US", "Your payment of $9.00 to SHOP was declined."), ("ES", "Tu compra de 9,00 EUR en TIENDA fue rechazada."),
        ("BR", "Compra de R$ 9,00 em LOJA não autorizada."),
        ("FR", "Votre paiement de 9,00 € chez BOUTIQUE a été refusé."),
        ("DE", "Ihre Zahlung über 9,00 EUR bei LADEN wurde abgelehnt."), ("JP", "9 円 ご利用 承認されませんでした"),
    ]) func aRefusalIsDoubtful(country: String, text: String) throws {
        #expect(
            try Self.decide(text, Self.region(country)).reasons.contains { $0.factor == .wordingDoubtful })
    }

    /// Both amounts have the sign; the label of the second begins behind it.
    @Test(arguments: ["Zahlung 5 EUR 1'234.50 an LADEN", "Zahlung 5,00 EUR 7,00 an LADEN", "5 EUR 1234.50 EUR 6"])
    func aSignBetweenTwoNumbers(text: String) throws {
        #expect(try Self.decide(text, Self.region("DE")).outcome == .review)
    }

    @Test(arguments: ["Paid $9.00 on Monday", "Paid $9.00. Bal $11,631.73", "You paid $9.00 to your account"])
    func noPayeeIsAWeekdayOrABalance(text: String) throws {
        #expect(try Self.decide(text, Self.region("US")).draft?.merchant == nil)
    }

    /// One domain, several countries: the profile's addresses stay its own, all others are the named bank's.
    @Test func aDomainOfAProfileForAnotherCountry() throws {
        var region = BankRegion()
        region.country = Country(code: "SG")
        let place = try NamedBankTests.place()
        let set = try ProfileFolder.set().adding(
            ProfileAdditions(banks: [.init(domain: "bank.example", name: "Bank SG", region: region, place: place)]))
        #expect(set.senderDomains == ["bank.example"])
        let own = set.claim(mail(DecisionTests.genuine)).decide(trusting: .unverified, receivedAt: nil)
        #expect(own.template == "bank/spend")
        let other = set.claim(mail("You sent $18.00 to KOH on 5 Jan 2026", from: "sg@bank.example")).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(other.bank == "Bank SG" && other.outcome == .review && other.draft?.amount.currency.code == "SGD")
    }

    /// A profile without addresses keeps its templates; all other mail is the named country's.
    @Test func aDomainOfAProfileWithoutAddresses() throws {
        let place = try NamedBankTests.place()
        let set = try Self.shipped.get().adding(
            ProfileAdditions(banks: [.init(domain: "dbs.com", region: Self.region("TW"), place: place)]))
        func decide(_ text: String) -> Decision {
            set.claim(mail(text, from: "alerts@dbs.com", date: "Fri, 13 Feb 2026 18:00:00 +0000")).decide(
                trusting: .unverified, receivedAt: nil)
        }
        let own = decide("您的信用卡末四碼 5512 於 2026/02/12 20:15 在 全聯福利中心 消費 $385 元。")
        #expect(own.outcome == .review && own.draft?.amount.currency.code == "TWD")
        #expect(own.draft?.occurredAt.description == "2026-02-12T12:15:00Z")
        let indian = decide(
            "INR 1,250.50 spent on your DBS Bank Credit Card XX4471 at BLUE LOTUS CAFE on 12-Feb-2026.")
        #expect(indian.template == "_india/card-spend" && indian.draft?.amount.currency == .inr)
    }

    /// A listed domain that a later release has a profile for stays valid, and keeps its promise.
    @Test func aDomainOfAProfileForItsOwnCountry() throws {
        let place = try NamedBankTests.place()
        let set = try ProfileFolder.set().adding(
            ProfileAdditions(banks: [.init(domain: "bank.example", region: Self.region("IN"), place: place)]))
        #expect(set.banks.count == 1)
        let own = set.claim(mail(DecisionTests.genuine)).decide(trusting: .unverified, receivedAt: nil)
        #expect(own.template == "bank/spend")
        let other = set.claim(mail("Rs.5.00 for plastic")).decide(trusting: .unverified, receivedAt: nil)
        #expect(other.outcome == .review)
    }

    /// The time to read hostile bytes grows with their number.
    @Test(arguments: ["1 ", "$1,", "a$1 ", "12 de ", "¥1", "1 234 ", "at A", "Rs.1 at 05 JUN 12:31 "])
    func hostileTextIsReadInTime(piece: String) throws {
        let clock = ContinuousClock()
        let region = try Self.region("MX")
        let text = String(repeating: piece, count: 40_000 / piece.utf8.count)
        var decision: Decision?
        let time = try clock.measure { decision = try Self.decide(text, region) }
        #expect(decision != nil && time < .seconds(10))
    }
}

@Suite struct LanguageFileTests {
    @Test(arguments: [
        ("  fee:", "  fees:", "unknown key 'fees'"), ("expect: none", "expect: { fees: 1 }", "unknown key 'fees'"),
    ]) func anErrorNamesItsPlace(old: String, new: String, message: String) throws {
        let text = try WordingFileTests.shipped("_words-en.yaml").replacing(old, with: new, maxReplacements: 1)
        let error = #expect(throws: SourceErrors.self) { try ProfileFolder.set(["_words-en.yaml": text]) }
        let first = try #require(error?.errors.first)
        #expect(first.file.hasSuffix("/_words-en.yaml") && first.message.contains(message) && first.line > 1)
    }

    /// A file is used for the language of a text, for any country.
    @Test(arguments: [
        ("Su compra con la tarjeta de la cuenta", "es"), ("Votre carte et votre compte", "fr"),
        ("บัตรของท่านถูกใช้จ่าย", "th"), ("カード利用のお知らせ", "ja"), ("您的信用卡消費通知", "zh"), ("تم خصم مبلغ من حسابك", "ar"),
        ("Your card was used", "en"),
    ]) func theLanguageOfATextIsFound(text: String, language: String) throws {
        let languages = try RegionalReaderTests.shipped.get().common.generic().languages
        #expect(try languages.words(for: Array(text.utf8), expected: []).first?.language == language)
    }
}
