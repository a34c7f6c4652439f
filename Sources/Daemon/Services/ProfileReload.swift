import Ingest
import Logging
import Profiles
import Settings
import Store

/// Reads the profiles again and replaces those in force.
struct ProfileReload: Sendable {
    let settings: Settings
    let profiles: ProfilesInForce
    let store: Store
    let logger: Logger
    /// The mail reader stores the faults of activated templates, for the health and the page.
    let storesFaults: Bool

    /// - Throws: the errors of the configured folders; the old profiles remain in use.
    func run() throws {
        let set = try ProfileSet(deferring: settings)
        profiles.replace(with: set)
        logger.info(
            "profiles reloaded", metadata: ["banks": "\(set.banks.count)", "templates": "\(set.templateCount)"])
        report(set)
    }

    /// Logs the activated templates that a set lacks.
    func report(_ set: ProfileSet) {
        var faults: [String: String] = [:]
        for fault in set.leftOut {
            logger.error("activated template left out", metadata: ["reason": "\(fault)"])
            for template in templates(at: fault.file) { faults[template] = "\(fault.message)" }
        }
        guard storesFaults else { return }
        do { try store.templateActivations.setFaults(faults) } catch {
            logger.warning("faults of activated templates not stored", metadata: ["reason": "\(error)"])
        }
    }

    /// The templates in use whose file is this one or in this folder.
    private func templates(at path: String) -> [String] {
        let active = (try? store.templateActivations.active()) ?? []
        return active.map(\.template).filter { template in
            let file = ActivatedFiles(settings.activatedTemplates).path(of: template)
            return file == path || file.hasPrefix(path + "/")
        }
    }
}
