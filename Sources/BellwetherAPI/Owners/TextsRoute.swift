internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// All texts of an app in all languages, and the places where they are used (docs/reference/http-api.md#texts).
enum TextsRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/texts", .needs(.read), inBackground: get)]

    @Sendable private static func get(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
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
        let texts = AppTexts(of: app, in: call.snapshot, withDrafts: withDrafts)
        return .respond(call.conditional(texts.json))
    }
}
