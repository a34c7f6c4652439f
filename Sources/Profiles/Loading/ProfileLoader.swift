import Chronology
import Codecs
import Dispatch
import Ledger
import Synchronization
import YAMLSource

/// Builds banks from the files of profile folders. Collects the errors of all files, so that one run reports all of
/// them.
struct ProfileLoader {
    struct Loaded: Sendable {
        /// Proofs of the folders whose templates all loaded without an error, now or before.
        var proofs: Set<String> = []
        var banks: [Bank] = []
        /// The folders of shared templates, as banks without mail.
        var shared: [Bank] = []
        /// `nil` if its files have an error.
        var common: CommonReader?
        /// The faults of activated templates that were left out.
        var leftOut: [ActivatedFault] = []
        /// Patterns of the folders, not of the program.
        var wordingPatterns: [WordingPattern] = []
        /// The words of all compiled patterns. Those of a bank are present before a mail of it is read.
        let words = Vocabulary()
    }

    enum Extent {
        /// Reads every template now.
        case all(samples: Bool)
        /// Reads a bank's templates with its first mail. Folders without a proof are read now, for their proof.
        case deferred(proofs: Set<String>, cache: ProofFile)
        /// A bank's templates, and their errors, are read with its first mail, also those without a proof.
        case onDemand(proofs: Set<String>, cache: ProofFile)

        /// Opens the cached texts; `nil` if samples are read, too.
        func texts() -> ProfileTexts? {
            if case .all(samples: true) = self { nil } else { cache?.texts() ?? ProfileTexts() }
        }

        var cache: ProofFile? {
            switch self {
            case .all: nil
            case .deferred(_, let cache), .onDemand(_, let cache): cache
            }
        }
    }

    private let files: ProfileFiles
    private let extent: Extent
    private let reader: Deferred<TemplateReader>
    /// For proofs: the compiled patterns are released afterwards.
    private let prover: Deferred<TemplateReader>
    private let trialWords = Vocabulary()
    private let requirements: RequirementFile?
    private var loaded = Loaded()
    private var errors: [SourceError]

    /// Reads the folders, without the activated templates that have a fault.
    ///
    /// - Parameters:
    ///   - bank: reads only this bank.
    ///   - added: texts by their paths, as in a last folder.
    static func load(
        _ folders: ProfileFolders, only bank: String? = nil, adding added: [String: String] = [:], _ extent: Extent
    ) throws(SourceErrors) -> Loaded {
        var leftOut: [ActivatedFault] = []
        let texts = extent.texts()
        while true {
            let omitted = Set(leftOut.map(\.file))
            let files = ProfileFiles(folders, only: bank, adding: added, without: omitted, reading: texts)
            do throws(SourceErrors) {
                var loaded = try load(files, extent)
                loaded.leftOut = leftOut
                return loaded
            } catch {
                // Each turn omits at least one path more.
                let faults = error.errors.filter { folders.isActivated($0.file) && !omitted.contains($0.file) }
                guard !faults.isEmpty else { throw error }
                leftOut += faults.map(ActivatedFault.init)
            }
        }
    }

    private static func load(_ files: ProfileFiles, _ extent: Extent) throws(SourceErrors) -> Loaded {
        var loader = ProfileLoader(files, extent)
        loader.load()
        guard loader.errors.isEmpty else { throw SourceErrors(loader.errors) }
        return loader.loaded
    }

    private init(_ files: ProfileFiles, _ extent: Extent) {
        self.files = files
        self.extent = extent
        errors = files.errors
        var samples = false
        var isProven = true
        if case .all(let wanted) = extent { (samples, isProven) = (wanted, false) }
        if let cache = extent.cache {
            requirements = cache.requirements(of: files.version, loaded.words)
        } else {
            requirements = nil
        }
        reader = Self.reader(files, loaded.words, samples: samples, isProven: isProven, requirements)
        prover = Self.reader(files, trialWords, samples: false, isProven: false)
    }

    private static func reader(
        _ files: ProfileFiles, _ words: Vocabulary, samples: Bool, isProven: Bool,
        _ requirements: RequirementFile? = nil
    ) -> Deferred<TemplateReader> {
        Deferred { [common = files.common] () throws(SourceErrors) in
            do throws(SourceError) {
                return TemplateReader(
                    compiler: try PatternCompiler(common, words: words, isProven: isProven, requirements: requirements),
                    samples: samples)
            } catch {
                throw SourceErrors([error])
            }
        }
    }

    private mutating func load() {
        for folder in files.folders where folder.key.hasPrefix("_") {
            if let bank = sharedFolder(folder) { loaded.shared.append(bank) }
        }
        let banks = BankReader(shared: Dictionary(uniqueKeysWithValues: loaded.shared.map { ($0.key, $0) }))
        // Banks are independent: as many are loaded at a time as the machine has cores.
        let found = Mutex<[Int: (bank: Bank?, errors: [SourceError])]>([:])
        let folders = files.folders.filter { !$0.key.hasPrefix("_") }
        DispatchQueue.concurrentPerform(iterations: folders.count) { [self] index in
            let result = bank(folders[index], banks)
            found.withLock { $0[index] = result }
        }
        for (_, result) in found.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            add(result.errors)
            if let bank = result.bank { loaded.banks.append(bank) }
        }
        loaded.proofs = Set((loaded.banks + loaded.shared).map { files.proof(ofVersion: $0.version) })
        checkDomains()
        do throws(SourceErrors) { loaded.common = try commonReader() } catch { add(error.errors) }
    }

    /// The reader of mails that no template claims: read now, unless its files loaded without an error before.
    private mutating func commonReader() throws(SourceErrors) -> CommonReader {
        let common = CommonReader(words: loaded.words) {
            [wording = files.wording, words = loaded.words, requirements] () throws(SourceErrors) in
            do throws(SourceError) {
                let generic = try GenericReader(wording, words: words, requirements: requirements)
                requirements?.save()
                return generic
            } catch {
                throw SourceErrors([error])
            }
        }
        let proof = files.proof(ofVersion: files.wording.version)
        switch extent {
        case .onDemand: return common
        case .deferred(let proofs, _):
            loaded.proofs.insert(proof)
            if proofs.contains(proof) { return common }
            try common.generic().languages.prove()
        case .all:
            let generic = try common.generic()
            if files.wording.areOfFolder.generic { loaded.wordingPatterns += generic.wording.all }
            if files.wording.areOfFolder.doubts { loaded.wordingPatterns += generic.doubts.all }
            loaded.wordingPatterns += generic.languages.all
        }
        return common
    }

    /// Adds errors once: every bank that uses a shared folder reports the same ones.
    private mutating func add(_ more: [SourceError]) {
        for error in more where !errors.contains(error) { errors.append(error) }
    }

    private func bank(_ folder: ProfileFiles.BankFolder, _ banks: BankReader) -> (bank: Bank?, errors: [SourceError]) {
        if folder.unreadable.contains("_bank.yaml") { return (nil, []) }
        guard let text = folder["_bank.yaml"] else {
            return (
                nil,
                [
                    SourceError(
                        file: folder.path, message: "the folder '\(folder.key)' has no _bank.yaml",
                        remedy: "Add one with the key domains: the part after the @ of the bank's addresses.")
                ]
            )
        }
        do throws(SourceError) {
            let (read, used) = try banks.readBank(folder.key, text.file())
            var bank = read
            var digest = folder.digest
            for shared in used { digest.combine(Array(shared.version.utf8)) }
            bank.version = digest.hexadecimal
            bank.templateCount = folder.templates.count
            bank.groups = groups(bank, folder, used: used)
            do throws(SourceErrors) { try prove(bank, folder) } catch { return (nil, error.errors) }
            guard case .all(let samples) = extent else { return (bank, []) }
            do throws(SourceErrors) {
                try bank.load()
                if samples, let text = folder["_samples.yaml"] {
                    let reader = try reader.get()
                    do throws(SourceError) { bank.samples = try reader.readSamples(text.file(), of: bank) } catch {
                        return (bank, [error])
                    }
                }
            } catch {
                return (bank, error.errors)
            }
            return (bank, [])
        } catch {
            return (nil, [error])
        }
    }

    /// A folder of templates that no bank owns.
    private mutating func sharedFolder(_ folder: ProfileFiles.BankFolder) -> Bank? {
        for name in ["_bank.yaml", "_samples.yaml"] {
            guard let text = folder[name] else { continue }
            errors.append(
                SourceError(
                    file: text.path, message: "the folder '\(folder.key)' holds shared templates and is not a bank",
                    remedy: "Rename the folder so that it does not begin with an underscore, or remove this file."))
        }
        // Samples without `from` use an address at which no mail exists (RFC 2606).
        var bank = Bank(
            key: folder.key, name: folder.key, domains: [folder.key.drop { $0 == "_" } + ".example"], addresses: [],
            timeZone: .kolkata, currency: .inr, autoConfirmAt: nil,
            path: folder.path)
        bank.version = folder.digest.hexadecimal
        bank.templateCount = folder.templates.count
        bank.groups = groups(bank, folder)
        do throws(SourceErrors) { try prove(bank, folder) } catch { add(error.errors) }
        if case .all = extent {
            do throws(SourceErrors) { try bank.load() } catch { add(error.errors) }
        }
        return bank
    }

    private func groups(_ bank: Bank, _ folder: ProfileFiles.BankFolder, used: [Bank] = []) -> Deferred<Bank.Groups> {
        let proof = files.proof(ofVersion: bank.version)
        var unproven: (prover: Deferred<TemplateReader>, cache: ProofFile)?
        if case .onDemand(let proofs, let cache) = extent, !proofs.contains(proof) { unproven = (prover, cache) }
        var isProven = unproven == nil
        if case .all = extent { isProven = false }
        return Deferred { [reader, requirements, unproven, isProven] () throws(SourceErrors) in
            if let unproven { _ = try unproven.prover.get().templates(of: folder, bank) }
            var groups = Bank.Groups(own: TemplateGroup(folder: bank.key, try reader.get().templates(of: folder, bank)))
            groups.shared = used.map(\.groups)
            // Their errors are reported with the bank's.
            if !isProven { _ = try groups.loadedShared() }
            unproven?.cache.add(proof)
            requirements?.save()
            return groups
        }
    }

    /// Reads the templates of a folder that has no proof yet. On demand this is done for activated templates only,
    /// because those with a fault are left out now or never.
    private func prove(_ bank: Bank, _ folder: ProfileFiles.BankFolder) throws(SourceErrors) {
        let proofs: Set<String>
        switch extent {
        case .all: return
        case .deferred(let known, _): proofs = known
        case .onDemand(let known, _):
            guard folder.hasActivated else { return }
            proofs = known
        }
        if proofs.contains(files.proof(ofVersion: bank.version)) { return }
        _ = try prover.get().templates(of: folder, bank)
    }

    private mutating func checkDomains() {
        var owners: [String: String] = [:]
        var headerOwners: [String: String] = [:]
        for bank in loaded.banks {
            for header in bank.smsHeaders {
                if let other = headerOwners.updateValue(bank.key, forKey: header) {
                    errors.append(
                        SourceError(
                            file: bank.path, message: "the SMS header \(header) is also \(other)'s",
                            remedy: "A header belongs to one bank: remove it from one of the two."))
                }
            }
            for domain in bank.domains {
                if let other = owners.updateValue(bank.key, forKey: domain) {
                    errors.append(
                        SourceError(
                            file: bank.path, message: "the domain \(domain) is also \(other)'s",
                            remedy: "A domain belongs to one bank: remove it from one of the two."))
                }
            }
        }
    }
}
