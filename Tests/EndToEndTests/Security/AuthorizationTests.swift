import BellwetherJSON
import TestSupport
import Testing

/// The permissions: every route with every scope, another app, no token, an expired token and a revoked one
/// (docs/reference/http-api.md#tokens-and-scopes).
@Suite struct AuthorizationTests {
    private static let guarded = Result { try GuardedDaemon() }
    private static let routes = RouteAccess.needs.keys.sorted()
    private static let closed = routes.filter { RouteAccess.needs[$0] ?? nil != nil }

    /// A body that no route accepts, and a precondition that is always false. A permitted token then changes nothing,
    /// and gets another refusal than a token without the permission.
    private func send(_ route: String, _ headers: [String: String], isHead: Bool = false) throws -> HTTPResponse {
        let (method, target) = RouteAccess.request(route)
        let body: [UInt8]? = method == "GET" ? nil : Array("[]".utf8)
        let headers = method == "GET" ? headers : headers.merging(["If-Match": "\"none\""]) { $1 }
        return try Self.guarded.get().daemon.send(isHead ? "HEAD" : method, target, headers: headers, body: body)
    }

    @Test func `The table has every route, and no other`() throws {
        #expect(try RouteAccess.described() == Set(Self.routes))
    }

    @Test(arguments: closed)
    func `A route lets in its scope and app, and nobody else`(_ route: String) throws {
        let need = try #require(RouteAccess.needs[route] ?? nil)
        for (text, token) in try Self.guarded.get().living {
            let isRightApp =
                switch need.apps {
                case .any: true
                case .named: token.app == "*" || token.app == "one"
                case .all: token.app == "*"
                }
            let isRightScope = token.scope == "admin" || need.scopes.contains(token.scope)
            let answer = try send(route, GuardedDaemon.bearer(text))
            if isRightApp && isRightScope {
                #expect(![401, 403].contains(answer.status) && answer.status < 500, "\(token): \(answer.text)")
            } else {
                expectProblem(answer, 403)
            }
        }
    }

    @Test(arguments: closed)
    func `Without a token that is known and valid a route is closed`(_ route: String) throws {
        let guarded = try Self.guarded.get()
        let headers: [[String: String]] =
            [
                [:], ["Authorization": "Bearer unknown"], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
                ["Authorization": "Basic Y2xpZW50LW9uZTo="], ["Authorization": "client-one"],
                GuardedDaemon.bearer("client-one x"), GuardedDaemon.bearer("admin-all" + "x"),
            ] + (GuardedDaemon.expired + guarded.revoked).map(GuardedDaemon.bearer)
        for header in headers {
            let answer = try send(route, header)
            expectProblem(answer, 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer")
        }
        guard route.hasPrefix("GET ") else { return }
        #expect(try send(route, [:], isHead: true).status == 401)
        #expect(try send(route, GuardedDaemon.bearer(GuardedDaemon.expired[0]), isHead: true).status == 401)
    }

    @Test(arguments: routes.filter { !closed.contains($0) })
    func `Operations need no token, and look at none`(_ route: String) throws {
        // The ticket of a preview is itself a secret, there is no identity provider, and a sign-in has its token in the
        // body.
        let wanted =
            route.contains("{ticket}") || route.contains("/login") ? 404 : route.hasSuffix("/session") ? 400 : 200
        for header in [[:], GuardedDaemon.bearer("unknown"), GuardedDaemon.bearer(GuardedDaemon.expired[0])] {
            #expect(try send(route, header).status == wanted)
        }
    }
}
