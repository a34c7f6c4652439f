import IMAP
import Testing

@testable import Ingest

/// Every command of the client, with every kind of response.
@Suite struct CommandTests {
    /// The kinds of commands. Add a new one here, so that every test of this suite includes it.
    enum Kind: String, CaseIterable {
        case capability, identity, compress, list, status, examine
        case search, searchWithoutOr, extendedSearch, gmailSearch
        case fetchPart, fetchWhole, fetchNumbers, fetchIdentities
        case idle, done, noop, logout

        private var form: Regex<Substring> {
            switch self {
            case .capability: #/CAPABILITY/#
            case .identity: #/ID \("name" "SpendWise"\)/#
            case .compress: #/COMPRESS DEFLATE/#
            case .list: #/LIST "" "\*"(?: RETURN \(SPECIAL-USE\))?/#
            case .status: #/STATUS ".+" \(UIDNEXT UIDVALIDITY MESSAGES\)/#
            case .examine: #/EXAMINE ".+"/#
            case .search: #/UID SEARCH (?!RETURN).* ?OR .+/#
            case .searchWithoutOr: #/UID SEARCH (?!RETURN)(?:(?!OR |X-GM-RAW).)+/#
            case .extendedSearch: #/UID SEARCH RETURN \(ALL\) (?:(?!X-GM-RAW).)+/#
            case .gmailSearch: #/UID SEARCH (?:RETURN \(ALL\) )?.*X-GM-RAW ".+"/#
            case .fetchPart:
                #/UID FETCH [\d,:]+ \(UID INTERNALDATE RFC822\.SIZE(?: X-GM-MSGID)? BODY\.PEEK\[\]<0\.\d+>\)/#
            case .fetchWhole: #/UID FETCH [\d,:]+ \(UID INTERNALDATE RFC822\.SIZE(?: X-GM-MSGID)? BODY\.PEEK\[\]\)/#
            case .fetchNumbers: #/UID FETCH [\d,:]+ \(UID X-GM-MSGID\)/#
            case .fetchIdentities:
                #/UID FETCH [\d,:]+ \(UID INTERNALDATE RFC822\.SIZE BODY\.PEEK\[HEADER\.FIELDS \(MESSAGE-ID\)\]\)/#
            case .idle: #/IDLE/#
            case .done: #/DONE/#
            case .noop: #/NOOP/#
            case .logout: #/LOGOUT/#
            }
        }

        /// The kind of each command; `nil` for one that is not listed.
        static func kinds(of commands: [String]) -> [Kind?] {
            let forms = allCases.map { ($0, $0.form) }
            return commands.map { command in forms.first { command.wholeMatch(of: $0.1) != nil }?.0 }
        }
    }

    @Test func everyCommandIsKnownAndSent() throws {
        var seen: Set<Kind> = []
        for world in World.all {
            let commands = try Trials.undisturbed(world).commands
            for (command, kind) in zip(commands, Kind.kinds(of: commands)) {
                seen.insert(try #require(kind, "\(world): \(command)"))
            }
        }
        #expect(Set(Kind.allCases).subtracting(seen) == [])
    }

    struct Place: Sendable {
        let index: Int
        let command: String
        let kind: Kind
    }

    /// The places of commands in a session: all of a short one; of a long one the first of each kind that no earlier
    /// one has.
    static func places(in world: World) throws -> [Place] { try everyPlace.get()[world.testDescription, default: []] }

    private static let everyPlace: Result<[String: [Place]], any Error> = Result {
        var places: [String: [Place]] = [:]
        var seen: Set<Kind> = []
        for world in World.all {
            let commands = try Trials.undisturbed(world).commands
            for (index, kind) in Kind.kinds(of: commands).enumerated() {
                guard let kind, !world.watches || seen.insert(kind).inserted else { continue }
                places[world.testDescription, default: []].append(
                    Place(index: index, command: commands[index], kind: kind))
            }
        }
        return places
    }

    static let answers: [(name: String, lines: [String])] = [
        ("NO", ["% NO not now"]), ("BAD", ["% BAD what"]), ("NO [UNAVAILABLE]", ["% NO [UNAVAILABLE] later"]),
        ("NO [LIMIT]", ["% NO [LIMIT] later"]),
        ("BYE", ["* BYE go away"]), ("silence", []), ("garbage", ["\u{0}\u{7F} {{{ ((("]),
        ("an answer to another command", ["X99 OK done"]),
        ("an answer to a later command", ["S99 OK done"]), ("a continuation", ["+ go on"]),
        ("OK and nothing else", ["% OK done"]),
        ("a literal without end", ["* 1 FETCH (UID 1 BODY[] {99999}"]),
        ("a literal beyond all bounds", ["* 1 FETCH (UID 1 BODY[] {99999999999}"]),
        ("a list without end", ["* 1 FETCH " + String(repeating: "(", count: 5000)]),
    ]

    @Test(arguments: World.all, answers.map(\.name)) func handlesEveryResponseToEveryCommand(
        world: World, name: String
    ) throws {
        let lines = try #require(Self.answers.first { $0.name == name }).lines
        let trials = try Trials(in: world)
        for place in try Self.places(in: world) {
            // The OK of a server that lost its result looks like that of one that found nothing.
            if name == "OK and nothing else",
                [.search, .searchWithoutOr, .extendedSearch, .gmailSearch].contains(place.kind)
            {
                continue
            }
            var isAnswered = false
            try trials.expectRecovery("\(name) to \(place.command)", variant: place.index) { server in
                server.intercept = { server, asked in
                    guard server.commands.count == place.index + 1 else { return nil }
                    isAnswered = asked.prefix(12) == place.command.prefix(12)
                    return lines
                }
            }
            #expect(isAnswered, "\(place.command)")
        }
    }
}
