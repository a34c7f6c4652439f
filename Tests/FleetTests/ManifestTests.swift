import Foundation
import Settings
import Testing
import YAMLSource

@testable import Fleet

/// The manifests of Kubernetes and the example of a configuration fit the program and one another.
@Suite struct ManifestTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")

    private func manifest(_ name: String) throws -> YAMLNode {
        try YAMLFile(path: Self.folder.appending(path: "kubernetes/\(name).yaml").path).root()
    }

    /// The node at a path of keys and indexes.
    private func node(_ root: YAMLNode, _ path: String) throws -> YAMLNode {
        try path.split(separator: ".").reduce(root) { node, key in
            guard let index = Int(key) else { return try node.mapping().require(String(key)) }
            let list = try node.list()
            return try #require(list.indices.contains(index) ? list[index] : nil, "\(path)")
        }
    }

    private func text(_ root: YAMLNode, _ path: String) throws -> String { try node(root, path).string() }

    @Test func everyManifestIsOfItsKind() throws {
        let kinds = [
            "configuration": "ConfigMap", "secret.example": "Secret", "migrate": "Job", "workers": "Deployment",
            "metrics": "Service", "disruption": "PodDisruptionBudget",
        ]
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: "kubernetes").path
        ).filter { $0.hasSuffix(".yaml") }
        #expect(Set(files) == Set(kinds.keys.map { "\($0).yaml" }))
        for (name, kind) in kinds { #expect(try text(manifest(name), "kind") == kind) }
    }

    @Test func probesAskForWhatAWorkerServes() throws {
        let workers = try manifest("workers")
        let container = "spec.template.spec.containers.0."
        #expect(try text(workers, container + "livenessProbe.httpGet.path") == "/health/live")
        #expect(try text(workers, container + "readinessProbe.httpGet.path") == "/health")
        let port = try text(workers, container + "ports.0.name")
        for probe in ["livenessProbe", "readinessProbe"] {
            #expect(try text(workers, container + probe + ".httpGet.port") == port)
        }
        let metrics = try manifest("metrics")
        #expect(try text(metrics, "spec.ports.0.targetPort") == port)
        #expect(try text(metrics, "spec.ports.0.port") == text(workers, container + "ports.0.containerPort"))
        let command = try node(workers, container + "command").strings()
        #expect(command == ["spendwise-fleet", "worker", "--config", "/etc/spendwise/fleet.yaml"])
        // A lease would last that long if the worker were killed.
        #expect(
            try #require(Int(text(workers, "spec.template.spec.terminationGracePeriodSeconds"))) > LeaseTable.seconds)
    }

    @Test func namesAndLabelsMatch() throws {
        let workers = try manifest("workers")
        let label = try text(workers, "spec.template.metadata.labels.app")
        #expect(try text(workers, "spec.selector.matchLabels.app") == label)
        #expect(try text(manifest("metrics"), "spec.selector.app") == label)
        #expect(try text(manifest("disruption"), "spec.selector.matchLabels.app") == label)
        for pod in [try node(workers, "spec.template.spec"), try node(manifest("migrate"), "spec.template.spec")] {
            let volumes = try node(pod, "volumes").list()
            let names = Set(try volumes.map { try text($0, "name") })
            for kind in ["initContainers", "containers"] {
                for mount in try node(pod, kind + ".0.volumeMounts").list() {
                    #expect(names.contains(try text(mount, "name")))
                }
                #expect(try text(pod, kind + ".0.securityContext.readOnlyRootFilesystem") == "true")
            }
            #expect(try text(volumes[0], "configMap.name") == text(manifest("configuration"), "metadata.name"))
            #expect(try text(volumes[1], "secret.secretName") == text(manifest("secret.example"), "metadata.name"))
            // The pod copies what the Secret has.
            let copied = try node(pod, "initContainers.0.command").strings()
            let secret = try node(manifest("secret.example"), "stringData").mapping()
            for key in ["fleet.keys", "pgpass"] {
                #expect(copied.contains("/run/secrets/spendwise/\(key)"))
                #expect(secret[key] != nil)
            }
        }
    }

    @Test func theConfigurationsAreRead() throws {
        let map = try node(manifest("configuration"), "data").mapping()
        let text = try map.require("fleet.yaml").string()
        let fleet = try FleetConfiguration(YAMLFile(path: "/etc/spendwise/fleet.yaml", bytes: Array(text.utf8)))
        #expect(fleet.listen?.port == 9280 && !fleet.name.isEmpty)
        #expect(fleet.keyFile?.file.path == "/run/spendwise/fleet.keys")
        #expect(fleet.postgresql.contains("passfile=/run/spendwise/pgpass"))
        let example = try FleetConfiguration(path: Self.folder.appending(path: "fleet.yaml").path)
        #expect(example.listen?.host == "127.0.0.1" && example.listen?.port == 9280)
        #expect(example.copies == "/var/lib/spendwise-fleet/worker-1" && example.name == "worker-1")
    }
}
