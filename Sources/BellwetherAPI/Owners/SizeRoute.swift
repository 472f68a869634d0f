internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// `POST …/recipes/size`: the number of clients that an experiment needs (docs/reference/goals.md#size).
enum SizeRoute {
    static let all = [Endpoint(.post, "/v1/apps/{app}/recipes/size", .needs(.read), handle: post)]

    private static func post(_ call: Call) throws(APIError) -> Handling {
        _ = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["size"])
        let sizing = reader.required("size").flatMap { GoalSizing($0) }
        guard let sizing, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return .now(.json(200, sizing.json))
    }
}
