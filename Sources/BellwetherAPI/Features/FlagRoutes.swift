internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Features for OpenFeature's clients, by the OpenFeature Remote Evaluation Protocol
/// (docs/reference/features.md#openfeature).
enum FlagRoutes {
    private static let path = "/ofrep/v1/evaluate/flags"
    private static let prefix = Array((path + "/").utf8)

    /// The app is the token's app, or the app in the path.
    static let all = [path, "/v1/apps/{app}" + path].flatMap { path in
        [
            Endpoint(.post, path, .needs(.participate), errors: .openFeature, handle: all).reading,
            Endpoint(.post, path + "/{key}", .needs(.participate), errors: .openFeature, handle: one).reading,
        ]
    }

    @Sendable private static func all(_ call: Call) throws(APIError) -> Handling {
        let known = try KnownPublication(call)
        let app = try app(of: call)
        guard !known.isServed(by: app), call.services.persistence.feed.isShared else {
            return try handle(call, app, flag: nil)
        }
        // Another node has told of a publication that this node does not serve yet.
        let publisher = call.services.publisher
        let wait = ParkWait<Result<Void, StoreError>>(
            milliseconds: KnownPublication.waitMilliseconds, outcome: .failure(.unavailable("the catalog is not read")))
        return call.park(wait: wait) { (ticket: Ticket<Result<Void, StoreError>>) in
            publisher.readThrough { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard case .success = outcome else { throw .behind }
            return try handle(call, Self.app(of: call), flag: nil)
        }
    }

    @Sendable private static func one(_ call: Call) throws(APIError) -> Handling {
        let app = try app(of: call)
        let key = call.parameter("key")
        guard let flag = app.compiledApp.features.flag(key) else { throw unknown(key) }
        return try handle(call, app, flag: flag)
    }

    private static func handle(
        _ call: Call, _ app: AppSnapshot, flag: FeatureTable.Flag?
    ) throws(APIError) -> Handling {
        let context = try FlagContext(call, app: app)
        try call.limit(client: context.clientID, of: app)
        call.worker.meter.count(.ignoredAttributes, context.ignoredAttributes)
        let request = FeatureRequest(
            app: app, client: ClientReference(app: app.name, id: context.clientID),
            features: flag.map { [$0.feature] } ?? app.compiledApp.features.features, context: context.targeting,
            now: call.arrived)
        return FlagHandler(
            call: call, request: request, flag: flag?.index, ignoredAttributes: context.ignoredAttributes
        ).handle()
    }

    private static func app(of call: Call) throws(APIError) -> AppSnapshot {
        guard call.parameters["app"] == nil else { return try call.app() }
        guard let name = call.principal?.app else {
            throw .flag(
                .general,
                .badRequest(
                    "no_app", "nothing says which app is meant: ask below /v1/apps/{app}, or by a token of one app"))
        }
        guard let app = call.worker.snapshot.apps[name] else {
            throw .flag(.general, .badRequest("no_app", "there is no app \"\(name)\", which the token is for"))
        }
        return app
    }

    private static func unknown(_ key: Identifier) -> APIError {
        .flag(.flagNotFound, .notFound("There is no flag \"\(key)\"."))
    }

    /// The refusal of a request that matches no route because the flag's key has a slash that is not encoded; nil for
    /// other requests. No flag has such a key.
    static func refusal(of request: Request) -> Problem? {
        guard request.method == .post, request.path.starts(with: prefix) else { return nil }
        let key = key(of: request)
        let error = unknown(Identifier(key))
        return Problem(error).adding(openFeature: error, key: key)
    }

    /// The part of the path after the route's own part, as the client sent it.
    static func key(of request: Request) -> String {
        guard let path = request.path.firstRange(of: prefix) else { return "" }
        return String(decoding: request.path[path.upperBound...], as: UTF8.self)
    }

    /// Whether a request is for flags: for all flags of an app, or for one.
    static func isFlagRequest(_ request: Request) -> Bool {
        var path = request.path
        if path.starts(with: appPath) {
            guard let slash = path.dropFirst(appPath.count).firstIndex(of: UInt8(ascii: "/")) else { return false }
            path = path[slash...]
        }
        return path.starts(with: prefix.dropLast())
    }

    private static let appPath = Array("/v1/apps/".utf8)
}

/// The publication that a client knows of, from the event of a stream (docs/reference/streams.md#openfeature).
private struct KnownPublication {
    /// How long a node that is behind reads before it gives up.
    static let waitMilliseconds = 2_000

    private var etag: String?
    private var lastModified: Int64?

    init(_ call: Call) throws(APIError) {
        guard call.request.query != nil else { return }
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "flagConfigEtag": etag = item.value
            case "flagConfigLastModified":
                // A text that is no time names no publication, so the newest one is read.
                let time = Timestamp(rfc3339: item.value).map { $0.milliseconds / 1_000 }
                lastModified = Int64(item.value) ?? time ?? .max
            default: break
            }
        }
        try reader.finish()
    }

    /// Whether the app as it is served here is not from before that publication.
    func isServed(by app: AppSnapshot) -> Bool {
        if let etag, etag != app.publication.etag, etag != app.publication.digest { return false }
        if let lastModified, etag == nil { return lastModified <= app.publication.lastModified }
        return true
    }
}
