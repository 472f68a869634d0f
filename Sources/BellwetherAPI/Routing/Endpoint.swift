public import BellwetherService
public import HTTPWire

/// A route as data: its pattern, its access, the bound of its bodies, and its handler.
public struct Endpoint: Sendable {
    public let method: HTTPMethod
    /// The pattern as in `docs/openapi.yaml`: `/v1/apps/{app}/messages`.
    public let pattern: String
    public let access: Access
    public private(set) var body: BodyClass
    let errors: ErrorForm
    /// Whether the request counts as a read, where reads and writes have separate limits. A POST that changes nothing
    /// and a poll count as reads.
    private(set) var isRead = false
    /// Whether pages of other sites may call the route under `--dev` (docs/reference/http-api.md#development-mode):
    /// routes for clients' tokens, and routes that are marked with `admittingOtherSites`.
    private(set) var admitsOtherSites: Bool
    private var handler: Handler
    /// The route's index in `Routes.all`, which counts use.
    var position = 0

    /// A route whose handler runs on the event loop of its connection. Its body is as small as a client's.
    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, errors: ErrorForm = .problem,
        handle: @escaping @Sendable (Call) throws(APIError) -> Handling
    ) {
        self.init(method, pattern, access, errors, .loop(handle), body: .client)
    }

    /// A route whose cost grows with what owners and readers have written: a document, or the documents of an app. Its
    /// handler runs in the queue of checks, and never on an event loop (ARCHITECTURE.md#a-check).
    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, errors: ErrorForm = .problem,
        inBackground handle: @escaping @Sendable (BackgroundCall) throws(APIError) -> Step
    ) {
        let body: BodyClass = if case .abilities = access { .owner } else { .client }
        self.init(method, pattern, access, errors, .background(handle), body: body)
    }

    private init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, _ errors: ErrorForm, _ handler: Handler,
        body: BodyClass
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.errors = errors
        self.body = body
        self.handler = handler
        admitsOtherSites =
            if case .interface = access { true } else { access.isForClients }
    }

    /// Where the content of a request is read.
    private enum Handler: Sendable {
        case loop(@Sendable (Call) throws(APIError) -> Handling)
        case publisher(@Sendable (Call) throws(APIError) -> Handling)
        case background(@Sendable (BackgroundCall) throws(APIError) -> Step)
    }

    /// Whether the content of a request is read on an event loop.
    var isReadOnLoop: Bool { if case .loop = handler { true } else { false } }

    /// Handles an admitted call.
    func run(_ call: Call) throws(APIError) -> Handling {
        switch handler {
        case .loop(let handle), .publisher(let handle): return try handle(call.expanded())
        case .background(let handle):
            let background = BackgroundCall(call)
            return call.inBackground { () throws(APIError) in try handle(background.expanded()) }
        }
    }

    /// The same route, counted as a poll.
    var reading: Endpoint {
        var endpoint = self
        endpoint.isRead = true
        return endpoint
    }

    /// Whether owners, pipelines or administrators write by this route. They may have read a change of another node.
    var isOwnersWrite: Bool {
        guard case .abilities = access, !access.isForClients else { return false }
        return method != .get && !isRead
    }

    /// The same route, which pages of any site may call.
    var admittingOtherSites: Endpoint {
        var endpoint = self
        endpoint.admitsOtherSites = true
        return endpoint
    }

    /// The same route, which passes its body, a document, to the publisher. The publisher reads it in its own queue.
    var publishing: Endpoint {
        guard case .loop(let handle) = handler else { return self }
        var endpoint = self
        (endpoint.handler, endpoint.body) = (.publisher(handle), .owner)
        return endpoint
    }

    /// The same route with another class of bodies.
    func taking(_ body: BodyClass) -> Endpoint {
        var endpoint = self
        endpoint.body = body
        return endpoint
    }
}

/// The access to a route.
public enum Access: Sendable, Hashable {
    case open
    /// Open to requests with a token in the body. They are limited in the same way as requests without a token.
    case signIn
    /// For tokens with at least one of these abilities.
    case abilities([Ability])
    /// Open if the setting `public` names the interface; else for clients' tokens.
    case interface(PublicInterface)

    static func needs(_ ability: Ability, or others: Ability...) -> Access { .abilities([ability] + others) }

    var isForClients: Bool {
        if case .abilities(let abilities) = self { abilities.contains(.participate) } else { false }
    }

    /// Whether the requests come from owners, who may have just written through another node and expect to read that
    /// write.
    var isForOwners: Bool {
        guard case .abilities(let abilities) = self else { return false }
        return !abilities.contains(.participate) && !abilities.contains(.log)
    }
}

/// The class of a request's body, which determines its limit (docs/reference/http-api.md#limits).
public enum BodyClass: Sendable, Hashable {
    case client, owner
    /// The ids of a list, as lines or as JSON.
    case list
    /// A client's body with images.
    case files
    /// A client's body for Glean's edge server, which may be larger after expansion.
    case ping

    /// The maximum size of a body with images.
    static let fileBytes = 4 << 20
    private static let pingFactor = 8
    /// Whether the body may have another type than JSON where owners' bodies have to be JSON: under `--dev`, and with a
    /// session.
    var isInLines: Bool { self == .list }

    /// The maximum size of a body that a route reads.
    func limit(_ settings: APISettings) -> Int {
        switch self {
        case .client: settings.bodyBytes
        case .owner: settings.ownerBodyBytes
        case .files: max(settings.bodyBytes, Self.fileBytes)
        case .list: settings.listBodyBytes
        case .ping: settings.bodyBytes * Self.pingFactor
        }
    }

    /// The maximum size of a received body, before expansion.
    func wireLimit(_ settings: APISettings, isAdmitted: Bool) -> Int {
        switch self {
        case .client, .ping: settings.bodyBytes
        // Only principals with the ability may send large bodies: other clients cannot make the daemon store 16 MiB.
        case .owner, .files, .list: isAdmitted ? limit(settings) : min(settings.bodyBytes, limit(settings))
        }
    }
}

/// The response of a route: at once, or after an event from another thread.
enum Handling {
    case now(Response)
    case later((consuming Exchange) -> Void)
}
