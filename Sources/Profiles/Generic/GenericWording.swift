import Ledger
import PCRE2
import YAMLSource

/// The wording by which the generic reader knows amounts, their labels, directions and fields, whatever the bank.
struct GenericWording: Sendable {
    let money: Pattern
    let moneyGroups: FieldGroups
    let labelBefore: Pattern
    let labelAfter: Pattern
    let movement: Pattern
    let incoming: Pattern
    let outgoing: Pattern
    /// A fee or a reward that was booked, and so is the amount after all.
    let taken: Pattern
    let doubtful: Pattern
    /// The digits of an account or a card behind their mask, whatever the bank calls it.
    let masked: Pattern
    let channels: [(Channel, Pattern)]
    /// Tried in order; the first that reads a field counts.
    let fields: [(Field, Pattern)]
    /// Money that moved, said so that it cannot be a condition or an offer.
    let settled: Pattern
    let settledGroups: FieldGroups
    /// Who a sentence says was paid, or paid: trusted only in the amount's own.
    let counterparty: Pattern

    init() throws(SourceError) {
        do throws(PatternError) {
            money = try Pattern(
                #"""
                (?ix) (?<![a-z]) (?: \$ \s? (?<amount> \d[\d,]{0,18} (?: \.\d{1,2} )? (?!\d) ) \s (?<currency> usd|aud|cad|sgd|nzd|hkd|mxn ) \b
                | (?<currency> rs|inr|re|₹|usd|eur|gbp|aed|dhs|sgd|aud|cad|chf|jpy|cny|hkd|thb|idr|myr|rm|vnd|lkr|npr|qar|omr|kwd|bhd|sar|php|krw|nzd|zar|bdt|kes|ngn|egp|pkr|mur|twd|sek|nok|dkk|pln|(?: us|au?|s|ca?|hk|nz )?\$|€|£|฿ ) \.? \s? :? \s? (?: inr \s? )? (?<amount> \d{1,3} (?: \.\d{3} ){1,4} ,\d\d (?!\d) | (?: \d[\d,]{0,18} )? (?: \.\d{1,3} )? (?<=\d) (?!\d) )
                | \b amount \s? (?: \( (?: (?<currency> inr|usd|eur|gbp ) | rs \s ps | rs ) \) )? \s? [:|]? \s? (?<amount> \d[\d,]{0,18} (?:\.\d{1,3})? (?!\d) )
                | \b (?: debited | credited ) \s (?: by | with | for ) \s (?<amount> \d[\d,]{0,18} (?:\.\d{1,3})? (?![\d/-]) ) )
                """#
            )
            moneyGroups = FieldGroups(money)
            let label =
                #"(?<balance> \b(?: bal | balance | avbl | aval ) \b ) | (?<limit> \b(?: limit | lmt | available \s credit | left \s to \s spend ) \b ) | (?<fee> \b(?: fee | fees | charge (?! \s (?: on | of | amounting | posted ) \b ) | charges | markup ) \b ) | (?<tax> \b(?: gst | tax | cess | tds ) \b ) | (?<reward> \b(?: convert | cashback | rewards? | points? | discount | save | upto | up \s to | (?<! purchase \s ) (?<! transaction \s ) worth | offer | voucher ) \b | \b(?: below | above | over | exceeding | less \s than | more \s than | at \s least | starting \s (?: at | from ) ) (?= \s? \z ) | \b(?: per \s (?: month | quarter | annum | year | day ) | or \s (?: more | above ) | and \s above | onwards ) \b ) | (?<due> \b(?: due | outstanding | minimum | overdue | payable ) \b ) | (?<other> \b(?: more \s than | exceeding | greater \s than | at \s least | in \s excess \s of ) \b )"#
            labelBefore = try Pattern(
                "(?ix) (?: \(label) ) (?! .* (?: debited | credited | spent | paid | withdrawn | received | transferred ) ) (?: [^.!?;\\n]{0,40} | [^.!?;\\n\\d]{0,20} : \\n ) \\z"
            )
            labelAfter = try Pattern(
                "(?ix) \\A \\x20? (?: (?<other> (?: and | or ) \\s (?: above | more ) \\b | onwards \\b | off \\b ) | (?: is | as | : )? \\x20? (?: the | your )? \\x20? (?: available | current | closing | total | minimum )? \\x20? (?: \(label) ) )"
            )
            movement = try Pattern(
                #"""
                (?ix) \b(?: debited | credited | (?: debit | credit ) (?= \s? : | \s (?: by | of | for | in | alert | transaction ) \b | \s? (?: rs | inr | ₹ ) ) | spent | paid | withdrawn? | withdrawal | purchase[ds]? | transferred | transfer (?= \s of \b | \s? : ) | was \s successful | received | sent | deposited
                | deposit | refund(?:ed)? | reversed | reversal | charged? | deducted | transaction | txn | trxn | tranx | payment | remitted | loaded? | added \s to | cleared | recovered | levied | disbursed | posted | processed | executed | approved | authori[sz]ed | auto-?pay | used \s (?: for | online ) | you \s (?: have \s )? used | using \s your | recharged? | swipe[ds]? | billed | invested | redeemed | topped \s up
                | inflow | outflow | money \s (?: in | out ) | you \s got | spend \s alert
                | for \s using | merchant (?: \s name )? \s? : )\b | \b merchant \s? : | जमा | नामे
                """#)
            incoming = try Pattern(
                #"(?ix) (?<! \bbe \s ) \b(?: credited | credit (?= \s? : | \s (?: by | of | for | in ) \b | \s? (?: rs | inr | ₹ ) ) | received | deposited | deposit | refund(?:ed)? | reversed | reversal | salary | transferred \s to \s your | disbursed | inflow | money \s in | you \s got | (?: loaded | added ) \s to (?! \s (?: your \s )? (?: [a-z]+ \s ){0,4} wallet ) )\b | जमा"#
            )
            outgoing = try Pattern(
                #"(?ix) (?<! \bbe \s ) \b(?: debited | debit (?= \s? : | \s (?: by | of | for | in ) \b | \s? (?: rs | inr | ₹ ) ) | spent | withdrawn | withdrawal | purchased? | charged? | deducted | paid | sent | used | using | made \s an? | transferred (?! \s to \s your \b ) | remitted | outflow | money \s out )\b | नामे"#
            )
            taken = try Pattern(
                #"(?ix) \b(?: has | have | was | is | were ) \s (?: been \s )? (?: successfully \s )? (?: made | charged | levied | debited | credited | posted | deducted | recovered | reversed | approved | processed )\b | \b(?: debited \s from | credited \s to | you \s have \s an? | (?: levied | charged | debited | posted | recovered ) \s (?: on | to | from | in ) )\b"#
            )
            doubtful = try Pattern(
                #"(?ix) \b(?: will \s be | shall \s be | would \s be | to \s be | can \s be | is \s due | declined | failed | unsuccessful | not \s (?: been | be | debited | credited | processed ) | could \s not | requested | requesting | request \s (?: of | for | from ) | otp | one[\s-]time | upcoming | scheduled | returned | converted | pre-?approved | eligible | blocked | hold )\b"#
            )
            masked = try Pattern(
                #"(?ix) (?<![a-z\d]) (?: \d{0,6} [x*•]{2,14} [\s-]? | \( (?: \.{2,4} | … ) | (?: ending | ends ) \s (?: (?: in | with ) \s )? ) (?<account> \d{3,5} ) (?! [-/:.,]? \d )"#
            )
            channels = [
                (.upi, try Pattern(#"(?ix) \b(?: upi | vpa )\b | \w@\w"#)), (.neft, try Pattern(#"(?ix) \b neft \b"#)),
                (.imps, try Pattern(#"(?ix) \b imps \b"#)),
                (.rtgs, try Pattern(#"(?ix) \b rtgs \b"#)),
                (.atm, try Pattern(#"(?ix) \b(?: atm | cash \s withdrawal )\b"#)),
                (.mandate, try Pattern(#"(?ix) \b(?: mandate | nach | ecs | autopay | standing \s instruction )\b"#)),
                (.cheque, try Pattern(#"(?ix) \b che?que \b"#)),
                (.card, try Pattern(#"(?ix) \b card \b"#)),
            ]
            fields = [
                (
                    .date,
                    try Pattern(
                        #"(?ix) (?<date> \b\d{4}-\d\d-\d\d\b | \b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b | \b\d{1,2}(?:st|nd|rd|th)?[-\s,]{0,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-\s,']{0,2}(?:\d{4}|\d\d)\b | \b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,2},?\s\d{4}\b )"#
                    )
                ),
                (
                    .time,
                    try Pattern(#"(?ix) (?<![\d:]) (?<time> \d{1,2}:\d\d(?::\d\d)? (?:\s?[ap]\.?m\b)? ) (?![\d:])"#)
                ),
                (
                    .account,
                    try Pattern(
                        #"""
                        (?ix) (?<! loan \s ) (?<! beneficiary \s ) (?: \b(?: a/?c | acc | acct | account | [a-z]{0,8}card ) \.? (?: \s (?: no | number | debited | credited )\b )? [\s.:|(]{0,6} (?: (?: ending | ended ) \s? (?: in \s | with \s )? :? \s? )?
                        | \b bank \s (?= [x*•] ) ) (?: \d{4,6} [\s-]? (?= [x*•] ) | \d{0,6} [x*•\x23]{1,14} [\s-]? ){0,5} (?<account> \d{2,6} ) (?! [-/:.]? \d )
                        """#)
                ),
                (.account, masked),
                (
                    .reference,
                    try Pattern(
                        #"(?ix) \b(?: utr | rrn | upi\sref | ref(?:erence)? | transaction\sid | txn\sid ) (?:\s?(?:no|number|id)\b)? [\s.:#-]{0,3} (?:is\s)? (?<reference> (?=[a-z]*\d) [a-z0-9]{6,30} )\b"#
                    )
                ),
                (
                    .vpa,
                    try Pattern(#"(?ix) (?<vpa> \b[a-z0-9][\w.\-]{1,60} @ [a-z][a-z0-9]{1,20} ) \b (?! \. [a-z] )"#)
                ),
                (
                    .merchant,
                    try Pattern(
                        #"""
                        (?imx) (?: ^ | \s ) (?: (?: (?: merchant | beneficiary | payee | receiver | sender | remitter | biller | terminal \s owner | shop | store | outlet ) (?: \s name )? | where | at | paid \s to | sent \s (?: by | to ) | description | (?<= \d \s ) to ) \s? [:|]{1,2} | (?<= \n ) merchant (?= \s (?-i: [A-Z\d] ) ) | (?: merchant | beneficiary | payee | biller ) \s name )
                        \s{1,2} (?<merchant> (?! [:|] ) \S [^\n|]{0,58}? )
                        (?= \s (?: (?: axis | kotak | hdfc | icici ) \s bank | date | time | amount | account | upi \s ref | imps \s ref | sender | beneficiary | payee | ifsc | umrn | a/c | utr | remarks | if \s (?: this | you ) )\b | \s? [(|] | \s? $ )
                        """#)
                ),
                // A line of its own between the amount and the day, or between the side of the books and the day.
                (
                    .merchant,
                    try Pattern(
                        #"(?imx) (?: ^ (?: rs\.? | inr | ₹ | [$€£] ) \s? [\d.,]{1,20} \n | ^ \( (?: dr | cr ) \) \s ) (?<merchant> (?-i: [A-Z] ) [^\n\d:|]{1,40} ) [\n\s] (?= \d{1,2} (?: [-/.] \d | \s? (?: st|nd|rd|th )? [\s-] (?: jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec ) ) )"#
                    )
                ),
                (
                    .merchant,
                    try Pattern(
                        #"(?ix) \b(?: narration | remarks? | info | details | description | particulars | for | towards | by ) \s? [:|-]{0,2} \s? (?: upi | imps | neft | rtgs | nach | ach ) [/-] (?<merchant> (?! (?: upi | imps | neft | rtgs | nach | ach | p2[amp] | dr | cr ) \b ) [a-z] [^\n/.;-]{2,50} )"#
                    )
                ),
                (
                    .merchant,
                    try Pattern(
                        #"(?ix) \b(?: upi | imps | neft | rtgs | mmt | neft \s cr ) (?: [/-] (?: p2a | p2m | p2p | p2v | cr | dr ) )? [/-] [a-z0-9]{6,30} [/-] (?<merchant> [^/\n.;-]{2,50} )"#
                    )
                ),
                (
                    .merchant,
                    try Pattern(
                        #"(?ix) \b \S{1,60}@[a-z][a-z0-9]{1,20} \s? \( \s? (?<merchant> [^()\n]{2,60}? ) \s? \)"#)
                ),
                (.merchant, try Pattern(#"(?ix) ; \s (?<merchant> [^.;\n]{2,50}? ) \s (?: is \s )? credited \b"#)),
                (
                    .merchant,
                    try Pattern(
                        #"(?ix) \b info \s? [:-]{1,2} \s? (?<merchant> (?! \d ) \S [^\n;]{1,58}? ) (?= \.? (?: \s (?: the \s )? (?: avl | available | total ) | \s? \n | \z ) | \. \s )"#
                    )
                ),
            ]
            let rupees =
                #"(?<![a-z]) (?: rs | inr | ₹ ) \.? \s? (?: inr \s )? (?<amount> (?: \d[\d,]{0,18} )? (?: \.\d{1,3} )? (?<=\d) (?!\d) ) (?: /- )?"#
            settled = try Pattern(
                #"""
                (?ix) (?<! \bif \s ) (?<! \bonce \s ) (?<! \bwhen \s ) (?<! \bevery \s ) (?<! \bget \s ) (?<! \bearn \s ) (?<! \bup \s to \s ) (?<! \bloan \s of \s )
                (?: \#(rupees) \s (?: (?: has | have ) \s been | is | was ) \s (?: successfully \s )? (?: debited | credited | withdrawn | deducted | deposited | spent ) \b
                | \#(rupees) \s (?: debited | credited | withdrawn ) \s (?: from | to | in | on | via | by ) \b
                | (?<! \bbe \s ) \b (?: debited | credited ) \s (?: (?: by | with | for ) \s )? \#(rupees)
                | \b amount \s (?: debited | credited ) \s? : \s? \#(rupees)
                | \b used \s for \s an? \s (?: [a-z]+ \s ){0,2} of \s \#(rupees)
                | \b (?: sent | received ) \s \#(rupees) \s (?: from | in ) \b )
                """#)
            settledGroups = FieldGroups(settled)
            counterparty = try Pattern(
                #"""
                (?ix) \b(?: at | to | towards | from | by | for | (?<= transaction \s | purchase \s | payment \s ) with | in \s favou?r \s of | favou?ring ) \s (?: vpa \s (?: \S+@\S+ \s (?= \S ) (?! on \b ) )? )? (?: (?: upi | neft | imps | rtgs | nach | ach ) \s (?: (?: transfer | transaction | payment ) \s )? to \s | way \s of \s \w+ \s from \s | (?: an? \s )? (?: refund | reversal ) \s (?: from | by | of ) \s
                | payee \s | e-?mandate \s registered \s at \s )?
                (?<merchant> (?! (?: using | spend | pay | use | avoid | make | vehicle | banking | online | your | our | a/?c | acct | account | the | this | that | you | us | be | inform | let | load | withdraw | card | (?: credit | debit ) (?! \s card \s (?: annual | fee | charge ) ) | atm \s withdrawal | rs | inr | usd | eur | gbp | aed | an? | upi | neft | imps | rtgs | nach | ach | any | it | payment | report | block | check | know | dispute
                | view | sms | transaction | purchase | bill | axis | hdfc | icici | sbi | kotak ) \b | [₹$€*x]*\d ) \S [^\n;()]{1,58}? )
                (?= \s (?: on | into | to \s your | against \s your | went \s through | dated | via | using | vide | ref | refno | with | for | from | into | posted | through | towards | upi | avl | avbl | has | have | is | was | txn | in | not | if )\b | \s? [();] | , \s | \s? \. (?: \s | avl | \z ) | \n | \z )
                """#)
        } catch {
            throw SourceError(file: "generic reader", message: "\(error) at byte \(error.offset)")
        }
    }
}
