public import BellwetherService
public import HTTPWire

/// A route as data: its name, its access, the bound of its bodies, and its handler.
public struct Endpoint: Sendable {
    public let method: HTTPMethod
    /// As `docs/openapi.yaml` spells it: `/v1/apps/{app}/messages`.
    public let pattern: String
    public let access: Access
    public private(set) var body: BodyClass
    let errors: ErrorForm
    /// A POST that changes nothing, or a poll: it counts as one where reads and writes are limited apart.
    private(set) var isRead = false
    /// Under `--dev`, whether pages of other sites may call it (docs/reference/http-api.md#development-mode): the
    /// routes that a client's token may call, and those that are marked so.
    private(set) var admitsOtherSites: Bool
    let handle: @Sendable (Call) throws(APIError) -> Handling
    /// Its index in `Routes.all`, by which it is counted.
    var position = 0

    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, errors: ErrorForm = .problem,
        handle: @escaping @Sendable (Call) throws(APIError) -> Handling
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.errors = errors
        body = access.takesDocuments ? .owner : .client
        admitsOtherSites =
            if case .interface = access { true } else { access.isForClients }
        self.handle = handle
    }

    /// The same route, counted as a poll.
    var reading: Endpoint {
        var endpoint = self
        endpoint.isRead = true
        return endpoint
    }

    /// Whether owners, pipelines and administrators write by it: their view may have been changed by another node.
    var isOwnersWrite: Bool {
        guard case .abilities = access, !access.isForClients else { return false }
        return method != .get && !isRead
    }

    /// The same route, which pages of any site may call or load.
    var admittingOtherSites: Endpoint {
        var endpoint = self
        endpoint.admitsOtherSites = true
        return endpoint
    }

    /// The same route, for other bodies.
    func taking(_ body: BodyClass) -> Endpoint {
        var endpoint = self
        endpoint.body = body
        return endpoint
    }
}

/// The access to a route.
public enum Access: Sendable, Hashable {
    case open
    /// Open, for those who bring a token in their body; limited as requests without a token.
    case signIn
    /// Tokens that have one of these.
    case abilities([Ability])
    /// Open where the setting `public` names it, else for clients' tokens.
    case interface(PublicInterface)

    static func needs(_ ability: Ability, or others: Ability...) -> Access { .abilities([ability] + others) }

    var isForClients: Bool {
        if case .abilities(let abilities) = self { abilities.contains(.participate) } else { false }
    }

    /// Whether a client may have written by another node just now, and expects to read it.
    var isForOwners: Bool {
        guard case .abilities(let abilities) = self else { return false }
        return !abilities.contains(.participate) && !abilities.contains(.log)
    }

    /// Whether the principal works with documents and responses: it may send more than a client.
    fileprivate var takesDocuments: Bool {
        guard case .abilities(let abilities) = self else { return false }
        return [.read, .texts, .respond, .publish].contains(abilities[0])
    }
}

/// Which limit holds for a request's body (docs/reference/http-api.md#limits).
public enum BodyClass: Sendable, Hashable {
    case client, owner
    /// A client's, with images in it.
    case files
    /// A client's, which Glean's edge server takes larger once it is expanded.
    case ping

    /// The bound of a body with images.
    static let fileBytes = 4 << 20
    private static let pingFactor = 8

    /// The bound of a body that a route reads.
    func limit(_ settings: APISettings) -> Int {
        switch self {
        case .client: settings.bodyBytes
        case .owner: settings.ownerBodyBytes
        case .files: max(settings.bodyBytes, Self.fileBytes)
        case .ping: settings.bodyBytes * Self.pingFactor
        }
    }

    /// The bound of a received body, before it is expanded.
    func wireLimit(_ settings: APISettings, isAdmitted: Bool) -> Int {
        switch self {
        case .client, .ping: settings.bodyBytes
        // Only principals with the ability may send large bodies: no other client makes the daemon keep 16 MiB.
        case .owner, .files: isAdmitted ? limit(settings) : min(settings.bodyBytes, limit(settings))
        }
    }
}

/// How a route answers: at once, or when something that is not on this thread has come.
enum Handling {
    case now(Response)
    case later((consuming Exchange) -> Void)
}
