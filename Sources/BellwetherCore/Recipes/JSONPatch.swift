public import BellwetherJSON

/// Lays a recipe's value over the value that it patches (docs/reference/experiments.md#patch-rule).
///
/// Objects are merged key by key, and any other value replaces the previous one. A null deletes an existing key. If
/// there is no such key, the null is kept.
public enum JSONPatch {
    public static func merge(_ patch: JSONObject, over fallback: JSONObject) -> JSONObject {
        merge([fallback, patch])
    }

    /// Merges many layers at once, the lowest first. The result is the same as merging each layer over all layers
    /// before it. The time is linear in their size.
    public static func merge(_ layers: [JSONObject]) -> JSONObject {
        guard layers.count > 1 else { return layers.first ?? [:] }
        var stacks: [(key: String, stack: Stack)] = []
        var positions: [Identifier: Int] = [:]
        stacks.reserveCapacity(layers[0].count)
        positions.reserveCapacity(layers[0].count)
        for layer in layers {
            for (key, value) in layer {
                if let position = positions[Identifier(key)] {
                    stacks[position].stack.lay(value)
                } else {
                    positions[Identifier(key)] = stacks.count
                    stacks.append((key: key, stack: Stack(value)))
                }
            }
        }
        var result = JSONObject()
        result.reserveCapacity(stacks.count)
        for (key, stack) in stacks {
            if let value = stack.value { result[key] = value }
        }
        return result
    }

    /// The state of one key after the layers so far.
    private struct Stack {
        /// Objects that are still to be merged, the lowest first.
        private var objects: [JSONObject] = []
        private var other: JSONValue?

        init(_ value: JSONValue) { lay(value) }

        mutating func lay(_ value: JSONValue) {
            if case .object(let object) = value {
                other = nil
                objects.append(object)
                return
            }
            let isDeletion = value == .null && (other != nil || !objects.isEmpty)
            objects.removeAll()
            // Not `isDeletion ? nil : value`, because that nil would be JSON's.
            other = isDeletion ? .none : .some(value)
        }

        /// The merged value; nil if the key is deleted.
        var value: JSONValue? { objects.isEmpty ? other : .object(JSONPatch.merge(objects)) }
    }
}
