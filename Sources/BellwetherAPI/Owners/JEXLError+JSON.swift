public import BellwetherJSON
public import JEXL

extension JEXLError {
    /// `{kind, message, offset?}` (docs/reference/http-api.md#the-command-jexl).
    public var json: JSONValue {
        var members: JSONObject = ["kind": .string(kind.rawValue), "message": .string(message)]
        if let offset { members["offset"] = .integer(Int64(offset)) }
        return .object(members)
    }
}
