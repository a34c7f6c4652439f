import Ledger
import Store

extension ReviewModel {
    /// What came of an effect.
    public mutating func receive(_ answer: Answer) -> [Effect] {
        switch answer {
        case .queue(let lines, let total): return received(lines, total)
        case .sheet(let sheet):
            if sheet.id == current?.id { self.sheet = sheet }
        case .stale(let sheet, let words):
            if sheet.id == current?.id { self.sheet = sheet }
            say(words)
        case .settled(let id, let words):
            done += 1
            say(words)
            return remove(id)
        case .gone(let id, let words):
            say(words)
            if mode != .browse { mode = .browse }
            return remove(id)
        case .changed(let sheet, let edit):
            self.sheet = sheet
            corrected.insert(sheet.id)
            say(
                "\(edit.field.rawValue) is now \(edit.text)"
                    + (sheet.text == nil ? "" : "   p: mend the profile, so that such mails are read right"))
        case .drafted(let old, let sheet): return drafted(old, sheet)
        case .categories(let choices):
            mode = .pick(Picker(title: "category", purpose: .category(choices), options: choices.map(\.text)))
        case .categorized(let sheet, let choice, let offer):
            self.sheet = sheet
            say("category is now \(choice.text)")
            if let offer { mode = .ask(Self.question(offer)) }
        case .undone(let id, let words, let settled):
            if settled { done = max(0, done - 1) }
            say(words)
            wanted = id
            return [.refresh]
        case .proposal(let proposal): mode = .page(Self.page(proposal))
        case .done(let words):
            if words.contains("\n") {
                mode = .page(Page(title: "done", lines: words.split(separator: "\n").map(String.init)))
            } else {
                say(words)
            }
            return [.refresh]
        case .failed(let words):
            // A long reason, such as why a template cannot be proven, is to be read in full.
            if words.contains("\n") || Printable.width(words) > max(20, size.columns - 2) {
                mode = .page(
                    Page(
                        title: "that did not work",
                        lines: words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
            } else {
                say(words, isError: true)
            }
        }
        return []
    }

    private mutating func received(_ lines: [ReviewLine], _ total: Int) -> [Effect] {
        let before = current?.id
        queue = lines
        self.total = total
        isLoaded = true
        if let wanted {
            self.wanted = nil
            index = lines.firstIndex { $0.id == wanted } ?? min(index, max(0, lines.count - 1))
            scroll = nil
            return current.map { [.load($0.id)] } ?? []
        }
        if let before, let place = lines.firstIndex(where: { $0.id == before }) {
            index = place
            return shown == nil ? [.load(before)] : []
        }
        index = min(index, max(0, lines.count - 1))
        scroll = nil
        if before != nil, notice == nil { say("the last one was settled elsewhere") }
        return current.map { [.load($0.id)] } ?? []
    }

    /// The next item at once.
    private mutating func remove(_ id: ReviewID) -> [Effect] {
        guard let place = queue.firstIndex(where: { $0.id == id }) else { return [] }
        queue.remove(at: place)
        total = max(0, total - 1)
        if place < index || index >= queue.count { index = max(0, index - 1) }
        scroll = nil
        // More wait than were read.
        if queue.isEmpty, total > 0 { return [.refresh] }
        return current.map { [.load($0.id)] } ?? []
    }

    private static func question(_ made: MappingOffer) -> Question {
        let offer = made.offer
        var choices: [Question.Choice] = [.init(key: "y", label: "yes", effects: [.applyMapping(offer, past: true)])]
        if offer.count > 0 {
            choices.append(.init(key: "f", label: "for new ones", effects: [.applyMapping(offer, past: false)]))
        }
        choices += [
            .init(key: "n", label: "only here", effects: []),
            .init(key: "N", label: "never ask for it", effects: [.refuseMapping(offer)]),
        ]
        return Question(lines: [offer.sentence] + made.examples, choices: choices)
    }

    private static func page(_ proposal: Proposal) -> Page {
        var lines = proposal.notes.map { "- " + $0 }
        if let bank = proposal.bank {
            lines +=
                ["", "# \(bank.path)"]
                + bank.yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        lines +=
            ["", "# \(proposal.path)"]
            + proposal.yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Page(
            title: "proven against the samples and the kept mail: \(proposal.template)", lines: lines,
            question: Question(
                lines: ["Write \(proposal.path)?"],
                choices: [
                    .init(key: "y", label: "write it", effects: [.write(proposal)]),
                    .init(key: "n", label: "no", effects: []),
                ]))
    }
}

enum Help {
    static let page = Page(
        title: "keys",
        lines: [
            "a        accept: book the draft as it is shown. Where nothing could be read, ask for the fields: point at words or type; Tab leaves one out",
            "r        reject: nothing to book; the mail does not bring it back",
            "v        vouch that it is no duplicate: decided again without that objection",
            "e, Tab   put a field right: its letter, or arrows and Enter; then arrows move over the words of the mail, Enter takes the word, Space, v or Shift with an arrow selects several, any other character begins to type; Backspace: the old value",
            "c        category: type to find it, Enter takes it",
            "i        ignore mails of this form from now on",
            "p        make a template of this mail as it was put right",
            "u        undo the last decision, correction or rule of this sitting",
            "",
            "j k      next, previous (arrows)      g G   first, last",
            "/ n N    search merchant, subject, amount; next, previous hit",
            "Space b  the mail's text, a page; J K a line",
            "^L       draw again      ^Z  suspend      q  quit",
            "",
            "Every decision is kept at once: nothing is lost by quitting.",
        ])
}
