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
            "metrics": "Service", "disruption": "PodDisruptionBudget", "replicas": "Deployment", "page": "Service",
            "ingress.example": "Ingress",
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

    @Test func thePageIsFoundAtTheReplicas() throws {
        let replicas = try manifest("replicas")
        let container = "spec.template.spec.containers.0."
        #expect(
            try node(replicas, container + "command").strings()
                == ["spendwise-fleet", "serve", "--config", "/etc/spendwise/serve.yaml"])
        let port = try text(replicas, container + "ports.0.name")
        #expect(try text(replicas, container + "readinessProbe.httpGet.path") == "/health")
        #expect(try text(replicas, container + "readinessProbe.httpGet.scheme") == "HTTPS")
        #expect(try text(replicas, container + "readinessProbe.httpGet.port") == port)
        #expect(try text(replicas, container + "livenessProbe.tcpSocket.port") == port)
        let page = try manifest("page")
        #expect(try text(page, "spec.ports.0.targetPort") == port)
        #expect(try text(page, "spec.selector.app") == text(replicas, "spec.template.metadata.labels.app"))
        #expect(
            try text(page, "spec.selector.app") != text(manifest("workers"), "spec.template.metadata.labels.app"))
        let ingress = try manifest("ingress.example")
        let backend = "spec.rules.0.http.paths.0.backend.service."
        #expect(try text(ingress, backend + "name") == text(page, "metadata.name"))
        #expect(try text(ingress, backend + "port.name") == text(page, "spec.ports.0.name"))
        // Keys that open passwords are for workers only.
        let secret = try node(replicas, "spec.template.spec.volumes").list()[1]
        #expect(try node(secret, "secret.items").list().map { try text($0, "key") } == ["pgpass"])
    }

    @Test func namesAndLabelsMatch() throws {
        let workers = try manifest("workers")
        let label = try text(workers, "spec.template.metadata.labels.app")
        for pods in [workers, try manifest("replicas")] {
            #expect(
                try text(pods, "spec.selector.matchLabels.app") == text(pods, "spec.template.metadata.labels.app"))
        }
        #expect(try text(manifest("metrics"), "spec.selector.app") == label)
        #expect(try text(manifest("disruption"), "spec.selector.matchLabels.app") == label)
        let pods = [
            ("workers", ["fleet.keys", "pgpass"]), ("migrate", ["fleet.keys", "pgpass"]), ("replicas", ["pgpass"]),
        ]
        for (name, keys) in pods {
            let pod = try node(manifest(name), "spec.template.spec")
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
            for key in keys { #expect(secret[key] != nil) }
            #expect(copied.filter { $0.hasPrefix("/run/secrets") } == keys.map { "/run/secrets/spendwise/\($0)" })
        }
    }

    private func configuration(_ name: String) throws -> FleetConfiguration {
        let text = try node(manifest("configuration"), "data").mapping().require(name).string()
        return try FleetConfiguration(YAMLFile(path: "/etc/spendwise/\(name)", bytes: Array(text.utf8)))
    }

    @Test func theConfigurationsAreRead() throws {
        let fleet = try configuration("fleet.yaml")
        #expect(fleet.listen?.port == 9280 && !fleet.name.isEmpty)
        #expect(try fleet.mailboxes.get() == 500)
        #expect(fleet.keyFile?.file.path == "/run/spendwise/fleet.keys")
        #expect(fleet.postgresql.contains("passfile=/run/spendwise/pgpass"))
        let example = try FleetConfiguration(path: Self.folder.appending(path: "fleet.yaml").path)
        #expect(example.listen?.host == "127.0.0.1" && example.listen?.port == 9280)
        #expect(example.copies == "/var/lib/spendwise-fleet/worker-1" && example.name == "worker-1")
        #expect(try example.mailboxes.get() == 500)
    }

    @Test func theConfigurationsOfReplicasAreRead() throws {
        let serve = try configuration("serve.yaml")
        let web = try serve.serving.get().web
        let replicas = try manifest("replicas")
        #expect("\(web.port)" == (try text(replicas, "spec.template.spec.containers.0.ports.0.containerPort")))
        #expect(web.tls != .none)
        let mounts = try node(replicas, "spec.template.spec.containers.0.volumeMounts").list()
        #expect(try mounts.contains { serve.copies.hasPrefix(try text($0, "mountPath") + "/") })
        let example = try FleetConfiguration(path: Self.folder.appending(path: "fleet-serve.yaml").path)
        #expect(example.copies == "/var/lib/spendwise-serve/page-1")
        let files = try example.serving.get().web.tls
        #expect(
            files
                == .files(
                    certificate: Self.folder.path + "/serve/wildcard.pem", key: Self.folder.path + "/serve/wildcard.key"
                ))
    }
}
