import Ledger
import Review
import Store

extension ReviewModel {
    /// Applies the result of an effect.
    public mutating func receive(_ answer: Answer) -> [Effect] {
        switch answer {
        case .queue(let lines, let total): return received(lines, total)
        case .content(let content):
            if content.id == current?.id { self.content = content }
        case .stale(let content, let words):
            if content.id == current?.id { self.content = content }
            notify(words)
        case .decided(let id, let words):
            done += 1
            notify(words)
            return remove(id)
        case .gone(let id, let words):
            notify(words)
            if mode != .browse { mode = .browse }
            return remove(id)
        case .changed(let content, let edit):
            self.content = content
            corrected.insert(content.id)
            notify(
                "\(edit.field.rawValue) is now \(edit.text)"
                    + (content.text == nil ? "" : "   p: mend the profile, so that such mails are read correctly"))
        case .drafted(let old, let content): return drafted(old, content)
        case .categories(let choices):
            mode = .pick(Picker(title: "category", purpose: .category(choices), options: choices.map(\.text)))
        case .categorized(let content, let choice, let offer):
            self.content = content
            notify("category is now \(choice.text)")
            if let offer { mode = .ask(Self.question(offer)) }
        case .undone(let id, let words, let wasDecided):
            if wasDecided { done = max(0, done - 1) }
            notify(words)
            requested = id
            return [.refresh]
        case .proposal(let proposal): mode = .page(Self.page(proposal))
        case .done(let words):
            if words.contains("\n") {
                showPage("done", words)
            } else {
                notify(words)
            }
            return [.refresh]
        case .failed(let words): showFailure(words)
        }
        return []
    }

    /// A long reason, such as why a template cannot be proven, gets a separate page.
    private mutating func showFailure(_ words: String) {
        if words.contains("\n") || Printable.width(words) > max(20, size.columns - 2) {
            showPage("that did not work", words)
        } else {
            notify(words, isError: true)
        }
    }

    private mutating func showPage(_ title: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        mode = .page(Page(title: title, lines: lines))
    }

    private mutating func received(_ lines: [ReviewLine], _ total: Int) -> [Effect] {
        let before = current?.id
        queue = lines
        self.total = total
        isLoaded = true
        if let requested {
            self.requested = nil
            index = lines.firstIndex { $0.id == requested } ?? min(index, max(0, lines.count - 1))
            scroll = nil
            return current.map { [.load($0.id)] } ?? []
        }
        if let before, let place = lines.firstIndex(where: { $0.id == before }) {
            index = place
            return shown == nil ? [.load(before)] : []
        }
        index = min(index, max(0, lines.count - 1))
        scroll = nil
        if before != nil, notice == nil { notify("the last one was decided elsewhere") }
        return current.map { [.load($0.id)] } ?? []
    }

    /// Removes an item and shows the next one.
    private mutating func remove(_ id: ReviewID) -> [Effect] {
        guard let place = queue.firstIndex(where: { $0.id == id }) else { return [] }
        queue.remove(at: place)
        total = max(0, total - 1)
        if place < index || index >= queue.count { index = max(0, index - 1) }
        scroll = nil
        // More items wait than were read.
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
        var lines = proposal.template.notes.map { "- " + $0 }
        if let bank = proposal.template.bank {
            lines +=
                ["", "# \(bank.path)"]
                + bank.yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        lines +=
            ["", "# \(proposal.template.path)"]
            + proposal.template.yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Page(
            title: "proven against the samples and the retained mail: \(proposal.template.template)", lines: lines,
            question: Question(
                lines: ["Write \(proposal.template.path)?"],
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
            "a        accept: book the draft as it is shown. If nothing could be read, ask for the fields: select words or type; Tab leaves one out",
            "r        reject: nothing to book; the mail does not bring it back",
            "v        it is not a duplicate: decide it again",
            "e, Tab   correct a field: its letter, or arrows and Enter; then arrows move over the words of the mail, Enter accepts the word, Space, v or Shift with an arrow selects several, any other character starts typing; Backspace: the old value",
            "c        category: type to find it, Enter accepts it",
            "i        ignore mails of this form from now on",
            "p        derive a template from this mail and its corrections",
            "u        undo the last decision, correction or rule of this session",
            "",
            "j k      next, previous (arrows)      g G   first, last",
            "/ n N    search merchant, subject, amount; next, previous hit",
            "Space b  the mail's text, a page; J K a line",
            "^L       draw again      ^Z  suspend      q  quit",
            "",
            "Every decision is stored at once: nothing is lost by quitting.",
        ])
}
