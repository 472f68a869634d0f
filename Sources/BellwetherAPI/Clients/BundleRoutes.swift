internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The route of the bundle, from which a device makes its own decisions (docs/reference/http-api.md#the-bundle).
enum BundleRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/bundle", .needs(.participate), handle: get)]

    /// `since` and `If-None-Match` both name the version that the device has. Only `If-None-Match` has an effect: the
    /// response is always the whole bundle.
    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        try QueryReader(call, repeatable: { $0 != "since" }).finish()
        return .now(
            call.conditional(call.worker.bundleTags.tag(of: app)) {
                var response = Response(200, body: .pieces(app.bundle.pieces))
                response.add("Content-Type", "application/json")
                return response
            })
    }
}

/// The entity tags of bundles: the app's revision and a digest of the text. The tag is the same in a daemon with
/// another store. Belongs to one thread and one snapshot.
final class BundleTags {
    private var tags: [Identifier: String] = [:]

    func removeAll() { tags.removeAll() }

    func tag(of app: AppSnapshot) -> String {
        if let known = tags[app.name] { return known }
        var digest = SHA256()
        for piece in app.bundle.pieces { digest.update(piece) }
        let tag = "\"\(app.catalog.revision)-\(Digest.hex(digest.finalize().prefix(12)))\""
        tags[app.name] = tag
        return tag
    }
}
