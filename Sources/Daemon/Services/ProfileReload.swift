import Chronology
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
        let set: ProfileSet
        do { set = try ProfileSet(deferring: settings) } catch {
            audit("profiles not reloaded")
            throw error
        }
        profiles.replace(with: set)
        audit("profiles reloaded: \(set.banks.count) banks, \(set.templateCount) templates")
        logger.info(
            "profiles reloaded", metadata: ["banks": "\(set.banks.count)", "templates": "\(set.templateCount)"])
        report(set)
    }

    private func audit(_ event: String) {
        do {
            try store.audit.append(AuditEvent(at: .now, event: event, who: storesFaults ? "ingest" : "web"))
        } catch {
            logger.warning("not in the audit log", metadata: ["event": "\(event)", "reason": "\(error)"])
        }
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
