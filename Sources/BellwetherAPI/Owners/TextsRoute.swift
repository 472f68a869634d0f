internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// All texts of an app in all languages, and the places where they are used (docs/reference/http-api.md#texts).
enum TextsRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/texts", .needs(.read), handle: get)]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let (app, snapshot) = (try call.app(), call.worker.snapshot)
        let reader = try QueryReader(call)
        var withDrafts = true
        for item in reader.items {
            switch (item.name, item.value) {
            case ("state", "draft"): withDrafts = true
            case ("state", "live"): withDrafts = false
            case ("state", _): reader.fault("choice", at: item.name, "state is draft or live")
            default: reader.refuse(item.name)
            }
        }
        try reader.finish()
        let analysis = call.services.analysis
        return call.detached.park { [withDrafts] (ticket: Ticket<Result<[UInt8], StoreError>>) in
            analysis.texts(of: app, in: snapshot, withDrafts: withDrafts) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(call.conditional(try outcome.orThrow(), as: "application/json"))
        }
    }
}
