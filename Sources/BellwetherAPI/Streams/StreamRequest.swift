internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// A request for a stream, or for the address of one (docs/reference/streams.md).
struct StreamRequest {
    let clientID: Identifier
    /// The name under which the reader writes; nil if it has none.
    let name: String?
    /// The id of the last event that the reader got; nil if it got none.
    let lastEventID: String?

    /// The maximum length of an event's id.
    private static let maximumID = 200

    /// Reads the query, and the field `Last-Event-ID`.
    init(query call: Call) throws(APIError) {
        let reader = try QueryReader(call)
        var clientID: Identifier?
        var name: String?
        var last = call.request.header(named: "last-event-id").map { String(decoding: $0, as: UTF8.self) }
        for item in reader.items {
            switch item.name {
            case "client_id": clientID = reader.identifier(item)
            case "name":
                name = item.value
                if !Self.isName(item.value) { reader.fault("identifier", at: "name", Self.nameRule) }
            case "last_event_id": last = item.value
            case StreamTicket.parameter: break
            default: reader.refuse(item.name)
            }
        }
        if !reader.items.contains(where: { $0.name == "client_id" }) {
            reader.fault("required", at: "client_id", "client_id is missing")
        }
        try reader.finish()
        self.clientID = clientID ?? ""
        self.name = name
        lastEventID = last.flatMap { $0.utf8.count <= Self.maximumID ? $0 : nil }
    }

    /// Reads the body of a request for an address.
    init(body call: Call) throws(APIError) {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["client_id", "name"])
        clientID = reader.required("client_id")?.identifier() ?? ""
        let location = reader.optional("name")
        name = location?.string()
        if let location, let name, !Self.isName(name) {
            findings.fault("identifier", at: location.pointer, Self.nameRule)
        }
        lastEventID = nil
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
    }

    private static let nameRule = "the name of a stream has 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCIISet.base64URL.contains($0) }
    }
}

extension Call {
    /// The name of the streams whose reader sends this request: the field `Bellwether-Stream`. A text that can be no
    /// name counts as none.
    var streamName: String? {
        guard let field = request.header(named: "bellwether-stream") else { return nil }
        let name = String(decoding: field, as: UTF8.self)
        return StreamRequest.isName(name) ? name : nil
    }
}
