internal import BellwetherJSON

/// Results that a model can read. A list has at most 50 items, and fewer if all lists together are still too long.
/// `left_out` names the omitted items by pointer (docs/reference/mcp.md#answers).
enum BoundedResult {
    /// The bound in bytes of JSON; a token has about four.
    static let bytes = 60_000

    static func of(_ members: JSONObject) -> JSONObject {
        var bounded = members
        for items in [50, 20, 5, 1] {
            var cut = Cut(items: items)
            bounded = cut.bounded(.object(members), at: .root).object ?? [:]
            if !cut.leftOut.isEmpty {
                bounded["left_out"] = .array(
                    cut.leftOut.prefix(50).map { ["at": .string($0.pointer), "items": .integer(Int64($0.items))] })
            }
            if JSONValue.object(bounded).encoded.count <= bytes { return bounded }
        }
        return bounded
    }

    private struct Cut {
        let items: Int
        var leftOut: [(pointer: String, items: Int)] = []

        mutating func bounded(_ value: JSONValue, at pointer: JSONPointer) -> JSONValue {
            switch value {
            case .array(let values):
                if values.count > items { leftOut.append((pointer.description, values.count - items)) }
                return .array(
                    values.prefix(items).enumerated().map { index, value in
                        bounded(value, at: pointer.appending(index))
                    })
            case .object(let members):
                return .object(
                    JSONObject(members.map { (key: $0.key, value: bounded($0.value, at: pointer.appending($0.key))) }))
            default: return value
            }
        }
    }
}
