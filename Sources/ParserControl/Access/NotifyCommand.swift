import ArgumentParser
import Chronology
import Codecs
import Console
import Notify
import Settings
import Store

/// The outbox of notifications, and a test of the sinks.
struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Test the sinks of notifications, and show their outbox.",
        subcommands: [Trial.self, ListMessages.self, RetryMessages.self])

    struct Trial: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Send a test message to one sink or to all, and report the results.",
            discussion:
                "Bypasses the outbox. Exits with 1 if a sink did not accept the message. Run it as root or as the user who may read the sinks' secrets."
        )

        @Argument(help: "The sink's name in the configuration. Default: all sinks.")
        var sink: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orExit {
                let sinks = try options.locations.sinks(named: sink)
                var failed = false
                for sink in sinks {
                    let results = try Delivery.trial(sink) { () throws(StoreError) in
                        try Store(path: database, readOnly: true).devices.activePushDevices()
                    }
                    for (target, problem) in results {
                        failed = failed || problem != nil
                        if options.json {
                            Output.line(
                                JSON.object([
                                    ("sink", .string(sink.name)), ("target", JSON(target.isEmpty ? nil : target)),
                                    ("taken", .bool(problem == nil)), ("reason", JSON(problem)),
                                ]).text)
                        } else {
                            let name = sink.name + (target.isEmpty ? "" : ", \(target)")
                            Output.line(
                                problem.map {
                                    "\(name): \(Terminal.styled("not accepted", .red)): \(Terminal.printable($0))"
                                } ?? "\(name): \(Terminal.styled("accepted", .green))")
                        }
                    }
                }
                if failed { throw Exit.failed }
            }
        }

        /// Needed only for sinks that send to devices.
        private var database: String {
            (try? options.locations.database ?? options.locations.settings()?.database) ?? ""
        }
    }

    struct ListMessages: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the messages that wait, that were refused with the reason, and that were sent last.")

        @Argument(help: "Only this sink.")
        var sink: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let messages = try store.outbox.messages().filter { sink == nil || $0.sink == sink }
                if options.json { return options.show(messages, as: .messages) }
                let states = try store.outbox.sinkStates()
                if states.isEmpty {
                    return Output.line(
                        "no sink is in use; 'notifications:' in spendwise.yaml(5) names them, and spendwised reads it when it starts or is reloaded"
                    )
                }
                for line in states.filter({ sink == nil || $0.name == sink }).compactMap(\.sentence) {
                    Output.line(Terminal.styled(line, .yellow))
                }
                options.show(messages, as: .messages)
            }
        }
    }

    struct RetryMessages: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Send refused and waiting messages again now.")

        @Argument(help: "Only this sink.")
        var sink: String?
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                if let sink, try !store.outbox.sinkStates().contains(where: { $0.name == sink }) {
                    throw Refused(
                        "there is no sink named '\(sink)'; there are: \(try store.outbox.sinkStates().map(\.name).joined(separator: ", "))"
                    )
                }
                let count = try store.outbox.retry(of: sink)
                Output.line(
                    count == 0
                        ? "no message waits"
                        : "\(count) message\(count == 1 ? "" : "s") will be sent by spendwised, within seconds if it runs"
                )
            }
        }
    }
}

extension Locations {
    /// The configured sinks, or the named one.
    fileprivate func sinks(named name: String?) throws -> [SinkSettings] {
        guard let settings = try settings() else {
            throw Refused("no configuration was found: use --config FILE")
        }
        guard let name else {
            if settings.notifications.isEmpty {
                throw Refused("the configuration has no 'notifications:'; see spendwise.yaml(5)")
            }
            return settings.notifications
        }
        guard let sink = settings.notifications.first(where: { $0.name == name }) else {
            throw Refused(
                "there is no sink named '\(name)'; there are: \(settings.notifications.map(\.name).joined(separator: ", "))"
            )
        }
        return [sink]
    }
}

extension SinkState {
    /// The problems of the sink; `nil` if there are none.
    var sentence: String? {
        var parts: [String] = []
        if parked > 0 { parts.append("\(parked) refused (\(parkedReason ?? "")), see 'parserctl notify retry'") }
        if failures > 0 {
            parts.append(
                "\(waiting) waiting, next try \(blockedUntil.map(\.description) ?? "soon") (\(reason ?? ""))")
        }
        return parts.isEmpty ? nil : "\(name): " + parts.joined(separator: "; ")
    }

    var json: JSON {
        .object([
            ("sink", .string(name)), ("waiting", JSON(waiting)), ("parked", JSON(parked)), ("failures", JSON(failures)),
            ("reason", JSON(parkedReason ?? reason)),
            ("next_attempt_at", JSON(describing: blockedUntil)),
            ("oldest_waiting_at", JSON(describing: oldestWaiting)),
            ("last_sent_at", JSON(describing: lastSentAt)),
        ])
    }
}

extension RowFormat where Row == OutboxMessage {
    fileprivate static var messages: RowFormat {
        RowFormat(
            empty: "no message waits and none was sent in the last week", object: \.json,
            columns: [
                .left("made") { $0.createdAt.description }, .left("sink") { $0.sink },
                .left("state") { $0.state.rawValue }, .right("events") { "\($0.eventCount)" },
                .right("tries") { "\($0.attempts)" },
                .left("next try") { $0.state == .waiting ? $0.dueAt.description : "" },
                .left("reason") { $0.reason ?? "" },
            ])
    }
}

extension OutboxMessage {
    fileprivate var json: JSON {
        .object([
            ("id", .string(id)), ("sink", .string(sink)), ("device", JSON(target.isEmpty ? nil : target)),
            ("state", .string(state.rawValue)), ("events", JSON(eventCount)),
            ("created_at", JSON(describing: createdAt)),
            ("due_at", JSON(describing: state == .waiting ? dueAt : nil)), ("attempts", JSON(attempts)),
            ("reason", JSON(reason)), ("settled_at", JSON(describing: settledAt)),
        ])
    }
}
