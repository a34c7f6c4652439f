import Chronology
import Hummingbird
import Ledger
import Settings
import Store

/// The form of a receiver of notifications that is added or changed. The template gets what was typed, but no secret.
struct NotificationForm: FormView {
    /// A field of the receiver as the template reads it.
    struct Input: Sendable {
        var name: String
        var label: String
        var value: String
        var type: String
        var isRequired: Bool
        var problem: String?
    }

    struct Event: Sendable {
        var name: String
        var title: String
        var isChosen: Bool
    }

    /// False if no mail reader takes receivers from the page.
    var isPossible: Bool
    /// True for a receiver that was added before.
    let isChange: Bool
    let title: String
    let action: String
    var kind: ReceiverKind
    var name: String
    /// The server of a receiver that is changed.
    var host = ""
    var asksPassphrase: Bool
    var problems: [String] = []
    /// At the field of the name.
    var nameProblem: String?
    var quietProblem: String?
    var eventProblem: String?
    var quietFrom: String
    var quietTo: String

    private(set) var receiver: TypedReceiver
    private var chosen: Set<NotificationKind>

    /// For the template.
    private(set) var kinds: [DashboardView.Choice] = []
    private(set) var inputs: [Input] = []
    private(set) var tlsChoices: [SelectChoice] = []
    private(set) var events: [Event] = []
    private(set) var kindName = ""
    private(set) var about = ""

    /// What a person has to do something about, and payments.
    private static let usual: Set<NotificationKind> = [.transaction, .review, .mailbox, .login, .due, .database]

    /// An empty form.
    init(_ call: PageCall, isPossible: Bool) {
        self.isPossible = isPossible
        (isChange, title, action) = (false, PageText.of("page.new-notification"), NotificationPage.path + "/new")
        kind = call.query["kind"].flatMap { ReceiverKind(rawValue: $0) } ?? .ntfy
        name = ""
        asksPassphrase = call.context.isLoggedIn
        (quietFrom, quietTo) = ("", "")
        (receiver, chosen) = (TypedReceiver(kind, [:]), Self.usual)
        complete()
    }

    /// The form of a present receiver, whose address stays if it is not typed again.
    init(_ call: PageCall, changing sink: AddedSink, isPossible: Bool) {
        self.isPossible = isPossible
        (isChange, title) = (true, PageText.of("page.change-notification"))
        action = NotificationPage.path + "/change"
        (kind, name, host) = (sink.kind, sink.name, sink.host)
        asksPassphrase = call.context.isLoggedIn
        quietFrom = sink.quiet.map { QuietSettings.text($0.from) } ?? ""
        quietTo = sink.quiet.map { QuietSettings.text($0.to) } ?? ""
        (receiver, chosen) = (TypedReceiver(kind, [:]), sink.events)
        complete()
    }

    /// Reads what was typed.
    mutating func read(_ form: FormFields) {
        if !isChange {
            kind = form["kind"].flatMap { ReceiverKind(rawValue: $0) } ?? kind
            name = form.text("name") ?? ""
        }
        var values: [TypedReceiver.Field: String] = [:]
        for field in TypedReceiver.Field.allCases {
            // A password may begin or end with blanks.
            values[field] = field == .secret ? form[field.rawValue] : form.text(field.rawValue)
        }
        receiver = TypedReceiver(kind, values)
        chosen = Set(form.all("event").compactMap { NotificationKind(rawValue: $0) })
        (quietFrom, quietTo) = (form.text("quiet_from") ?? "", form.text("quiet_to") ?? "")
        complete()
    }

    /// The receiver that the fields describe; `nil` with problems.
    ///
    /// - Parameter names: those that are taken.
    mutating func check(names: [String]) -> AddedSink? {
        if !isChange {
            if !MailboxDraft.isName(name) {
                nameProblem = PageText.of("notifications.bad-name")
            } else if names.contains(name) {
                nameProblem = PageText.of("notifications.name-in-use", ["name": name])
            }
        }
        let faults = isChange && receiver.isEmpty ? [:] : receiver.faults
        for index in inputs.indices {
            guard let field = TypedReceiver.Field(rawValue: inputs[index].name), let fault = faults[field] else {
                continue
            }
            inputs[index].problem = fault.sentence
        }
        let quiet = quiet()
        if chosen.isEmpty { eventProblem = PageText.of("notifications.choose-event") }
        problems = inputs.compactMap { input in input.problem.map { "\(input.label): \($0)" } }
        let others = [
            (PageText.of("common.name"), nameProblem), (PageText.of("notifications.quiet"), quietProblem),
            (PageText.of("notifications.events"), eventProblem),
        ]
        for (label, problem) in others { if let problem { problems.append("\(label): \(problem)") } }
        if faults[.tls] != nil { problems.append(PageText.of("notifications.fault-tls")) }
        guard problems.isEmpty else { return nil }
        return AddedSink(
            name: name, kind: kind, host: receiver.isEmpty ? host : receiver.host, events: chosen, quiet: quiet)
    }

    private mutating func quiet() -> AddedSink.Quiet? {
        guard !(quietFrom.isEmpty && quietTo.isEmpty) else { return nil }
        guard let from = Self.minute(quietFrom), let to = Self.minute(quietTo), from != to else {
            quietProblem = PageText.of("notifications.bad-quiet")
            return nil
        }
        return AddedSink.Quiet(from: from, to: to)
    }

    private static func minute(_ text: String) -> Int? {
        TimeOfDay(iso: text).map { $0.secondsSinceMidnight / 60 }
    }

    private mutating func complete() {
        kindName = kind.rawValue
        about = PageText.of("notifications.about-\(kind.rawValue)")
        kinds =
            isChange
            ? []
            : ReceiverKind.allCases.map { kind in
                DashboardView.Choice(
                    title: PageText.of("notifications.kind-\(kind.rawValue)"),
                    path: NotificationPage.path + "/new?kind=\(kind.rawValue)", isCurrent: kind == self.kind)
            }
        inputs = TypedReceiver.fields(of: kind).filter { $0 != .tls }.map(input)
        tlsChoices =
            kind == .email
            ? MailboxSettings.TLS.allCases.map {
                SelectChoice(
                    $0.rawValue, PageText.of("notifications.tls-\($0.rawValue)"),
                    chosen: receiver.values[.tls])
            } : []
        events = NotificationKind.allCases.map {
            Event(
                name: $0.rawValue, title: PageText.of("notifications.event-\($0.rawValue)"),
                isChosen: chosen.contains($0))
        }
    }

    private func input(_ field: TypedReceiver.Field) -> Input {
        let (label, type, isRequired): (String, String, Bool) =
            switch field {
            case .url: ("notifications.url", "url", true)
            case .host: ("notifications.host", "text", true)
            case .port: ("new-mailbox.port", "text", false)
            case .tls: ("new-mailbox.tls", "text", false)
            case .user: ("new-mailbox.user", "text", false)
            case .from: ("notifications.from", "email", true)
            case .to: ("notifications.to", "email", true)
            case .secret:
                switch kind {
                case .ntfy: ("notifications.token", "password", false)
                case .webhook: ("notifications.signing-secret", "password", true)
                case .email: ("notifications.password", "password", false)
                }
            }
        return Input(
            name: field.rawValue, label: PageText.of(label),
            value: field == .secret ? "" : receiver.values[field] ?? "", type: type,
            isRequired: isRequired && !isChange)
    }
}

extension TypedReceiver.Fault {
    /// The sentence at the field.
    var sentence: String { PageText.of("notifications.fault-\(rawValue)") }
}

extension AddedSink.Fault {
    var sentence: String { PageText.of("notifications.refused-\(rawValue)") }
}
