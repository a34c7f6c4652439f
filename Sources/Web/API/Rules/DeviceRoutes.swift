import Access
import Codecs
import Hummingbird
import Ledger
import Store

/// /devices/: phones that receive notifications.
enum DeviceRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/devices", "Devices", "Registers a phone, or updates its data.",
            .init(
                body: Schema.ref("NewDevice"),
                responses: [
                    .init(status: 201, about: "A new phone.", schema: Schema.ref("Device")),
                    .init(status: 200, about: "A known phone, updated.", schema: Schema.ref("Device")), .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let token = fields.required("device_token")
            let environment = fields.notNull("environment", fields.text("environment")) ?? DeviceRow.environments[0]
            let (name, version) = (fields.optional("device_name"), fields.optional("os_version"))
            try fields.finish()
            let user = call.context.identity.user
            return try await call.answer { store in
                let (row, isNew) = try store.devices.register(
                    token: token, environment: environment, name: name, osVersion: version, user: user)
                return .json(row.api, status: isNew ? .created : .ok)
            }
        },
        Endpoint(
            .delete, "/devices/{token}", "Devices", "Removes a phone.",
            .init(
                parameters: [
                    .init(
                        name: "token", place: .path,
                        schema: Schema.text(TextLimit.token, pattern: "^[!-.0-~]+$", minimum: 1),
                        about: "Its device_token.", isRequired: true)
                ],
                responses: [.init(status: 204, about: "Removed."), .notFound])
        ) { call in
            let token = try call.text("token")
            guard try await call.ledger({ try $0.devices.delete(token: token) }) else {
                throw Problem.notFound("such device")
            }
            return .noContent
        },
    ]
}
