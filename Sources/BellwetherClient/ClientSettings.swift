internal import BellwetherJSON

/// The identity and the choices that the client remembers.
struct ClientSettings {
    static let file = "settings.json"

    var clientID: String
    var userID: String?
    var attributes: JSONObject = [:]
    var isOptedOut = false
    /// Whether the person has consented; nil: they were not asked.
    var consent: Bool?

    init(clientID: String) { self.clientID = clientID }

    var json: JSONValue {
        var json: JSONObject = [
            "client_id": .string(clientID), "attributes": .object(attributes), "opted_out": .bool(isOptedOut),
        ]
        json["user_id"] = userID.map { .string($0) }
        json["consent"] = consent.map { .bool($0) }
        return .object(json)
    }

    init?(_ json: JSONValue) {
        guard let clientID = json["client_id"].string else { return nil }
        self.init(clientID: clientID)
        userID = json["user_id"].string
        attributes = json["attributes"].object ?? [:]
        isOptedOut = json["opted_out"].bool ?? false
        consent = json["consent"].bool
    }
}
