internal import BellwetherJSON
internal import HTTPWire

/// The request of a service to Cirrus: `{"client_id": string, "context": object}`, and `nimbus_preview` in the query.
/// Other members and parameters are ignored.
struct CirrusRequest {
    /// Cirrus has no bound. This bound exists because an id is hashed for every recipe.
    static let clientIDLength = 1024

    let clientID: Identifier
    let context: JSONObject

    /// `query` is the decoded query of the request. All faults are reported together, the query's faults first, as in
    /// FastAPI.
    init(_ call: Call, query: [QueryItem]) throws(CirrusRefusal) {
        let body = try Self.body(call)
        var faults: [CirrusFault] = []
        let isPreview = Self.readPreview(query, &faults)
        let members = Self.readMembers(body, &faults)
        guard faults.isEmpty, let members else { throw .faults(faults) }
        guard !members.clientID.isEmpty else { throw .noClientID }
        guard !isPreview else { throw .noPreview }
        clientID = members.clientID
        context = members.context
    }

    /// The body; nil if the request has none.
    private static func body(_ call: Call) throws(CirrusRefusal) -> JSONValue? {
        guard !call.request.body.isEmpty else { return .none }
        do {
            return try JSONValue(parsing: call.request.body, limits: call.jsonLimits)
        } catch {
            throw CirrusRefusal(error)
        }
    }

    /// Reads the last parameter of this name. The words for true and false are pydantic's.
    private static func readPreview(_ query: [QueryItem], _ faults: inout [CirrusFault]) -> Bool {
        guard let value = query.last(where: { $0.name == "nimbus_preview" })?.value else { return false }
        switch value.lowercased() {
        case "1", "on", "t", "true", "y", "yes": return true
        case "0", "off", "f", "false", "n", "no": return false
        default:
            faults.append(
                CirrusFault(
                    type: "bool_parsing", location: ["query", "nimbus_preview"],
                    message: "Input should be a valid boolean, unable to interpret input", input: .string(value)))
            return false
        }
    }

    private static func readMembers(
        _ body: JSONValue?, _ faults: inout [CirrusFault]
    ) -> (clientID: Identifier, context: JSONObject)? {
        guard let body else {
            faults.append(
                CirrusFault(type: "missing", location: ["body"], message: "Field required", input: .null))
            return nil
        }
        guard let object = body.object else {
            faults.append(
                CirrusFault(
                    type: "model_attributes_type", location: ["body"],
                    message: "Input should be a valid dictionary or object to extract fields from", input: body))
            return nil
        }
        let clientID = readClientID(object, &faults)
        let context = readContext(object, &faults)
        guard let clientID, let context else { return nil }
        return (clientID, context)
    }

    private static func readClientID(_ body: JSONObject, _ faults: inout [CirrusFault]) -> Identifier? {
        let location: [JSONValue] = ["body", "client_id"]
        guard let value = body["client_id"] else {
            faults.append(
                CirrusFault(type: "missing", location: location, message: "Field required", input: .object(body)))
            return nil
        }
        guard let text = value.string else {
            faults.append(
                CirrusFault(
                    type: "string_type", location: location, message: "Input should be a valid string", input: value))
            return nil
        }
        guard text.unicodeScalars.count <= clientIDLength else {
            faults.append(
                CirrusFault(
                    type: "string_too_long", location: location,
                    message: "String should have at most \(clientIDLength) characters", input: value,
                    context: ["max_length": .integer(Int64(clientIDLength))]))
            return nil
        }
        return Identifier(text)
    }

    private static func readContext(_ body: JSONObject, _ faults: inout [CirrusFault]) -> JSONObject? {
        let location: [JSONValue] = ["body", "context"]
        guard let value = body["context"] else {
            faults.append(
                CirrusFault(type: "missing", location: location, message: "Field required", input: .object(body)))
            return nil
        }
        guard let context = value.object else {
            faults.append(
                CirrusFault(
                    type: "dict_type", location: location, message: "Input should be a valid dictionary", input: value))
            return nil
        }
        return context
    }
}
