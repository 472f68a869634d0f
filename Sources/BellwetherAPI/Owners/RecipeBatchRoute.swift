internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Accepts many recipes in one request, each independent of the others (docs/reference/http-api.md#batches).
enum RecipeBatchRoute {
    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [.strict])
        try MediaType.requireJSON(call.request)
        guard WriteConditions(call.request).isEmpty else {
            throw .preconditionFailed("Recipes that come together have no revision together; put each on its own.")
        }
        return try Publishing.publish(call, .putRecipes(Array(call.request.body)), query)
    }
}

extension [RecipeResult] {
    var json: JSONValue { ["results": .array(map(\.json))] }
}

extension RecipeResult {
    /// The status is the same as for a PUT of the recipe.
    fileprivate var json: JSONValue {
        var members: JSONObject = ["slug": slug.map(JSONValue.string) ?? .null]
        switch outcome {
        case .success(let receipt):
            members["status"] = receipt.effect == .created ? 201 : 200
            members["revision"] = .integer(Int64(receipt.revision))
            members["state"] = receipt.state.map { .string($0.rawValue) }
            members["errors"] = []
            members["warnings"] = .array(receipt.warnings.map(\.json))
        case .failure(let refusal):
            let problem = Problem(APIError(refusal))
            members["status"] = .integer(Int64(problem.status))
            members["errors"] = problem.json.object?["errors"] ?? []
            members["warnings"] = .array(refusal.warnings.map(\.json))
        }
        return .object(members)
    }
}

extension PublishRefusal {
    /// The warnings in addition to the faults.
    fileprivate var warnings: [Finding] {
        if case .faults(_, let warnings) = self { warnings } else { [] }
    }
}
