internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The formats of documents, for editors (docs/reference/schemas.md).
enum SchemaRoute {
    static let all = [Endpoint(.get, "/v1/schemas/{kind}", .needs(.read), inBackground: get)]

    @Sendable private static func get(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = try QueryReader(call)
        for item in reader.items { reader.refuse(item.name) }
        try reader.finish()
        let kind = call.parameter("kind").text
        guard let schema = Schemas.schema(of: kind) else {
            throw .notFound("There is no schema of \"\(kind)\": \(Schemas.kinds.joined(separator: ", ")).")
        }
        return .respond(call.conditional(schema.encoded, as: "application/schema+json"))
    }
}
