import Foundation

/// The permissions of each route: the whole contract (docs/reference/http-api.md#tokens-and-scopes) as one table,
/// written by hand.
enum RouteAccess {
    /// The apps whose tokens of the right scope are permitted.
    enum Apps {
        /// Tokens for the app that the request names, and tokens for all apps.
        case named
        /// Any token: the response is about the token's own app.
        case any
        /// Only tokens for all apps.
        case all
    }

    /// The scopes that a route needs; nil for a route that needs no token.
    struct Need {
        /// The scopes other than `admin`, which may call every route.
        let scopes: [String]
        let apps: Apps

        init(_ scopes: [String], apps: Apps = .named) { (self.scopes, self.apps) = (scopes, apps) }
    }

    private static let client = Need(["client"])
    private static let clientOrOwner = Need(["client", "owner"])
    private static let clientOrReader = Need(["client", "reader", "translator", "reviewer", "support", "owner"])
    private static let legacy = Need(["client"], apps: .any)
    private static let read = Need(["reader", "translator", "reviewer", "support", "owner"])
    private static let texts = Need(["translator", "owner"])
    private static let respond = Need(["support", "owner"])
    private static let publish = Need(["owner"])
    private static let review = Need(["reviewer", "owner"])
    private static let reviewTexts = Need(["translator", "reviewer", "owner"])
    private static let log = Need(["pipeline"])
    /// People in a browser, and callers with a token.
    private static let staff = Need(["reader", "translator", "reviewer", "support", "owner", "pipeline"], apps: .any)
    private static let admin = Need([], apps: .all)

    /// The needs of each route, by method and pattern, as in docs/openapi.yaml.
    static let needs: [String: Need?] = [
        "GET /v1/apps/{app}/messages": client, "POST /v1/apps/{app}/messages": client,
        "GET /v1/apps/{app}/stream": client, "POST /v1/apps/{app}/stream": client,
        "POST /v1/apps/{app}/events": client, "POST /v1/apps/{app}/responses": client,
        "GET /v1/apps/{app}/clients/{client_id}/participation": client,
        "PUT /v1/apps/{app}/clients/{client_id}/participation": client, "GET /v1/apps/{app}/bundle": client,
        "POST /v1/apps/{app}/identify": client, "GET /v1/apps/{app}/questionnaires/{slug}": client,
        "POST /v1/apps/{app}/questionnaires/{slug}/responses": client,
        "POST /v1/apps/{app}/questionnaires/dismiss": client, "GET /v1/apps/{app}/surveys/{slug}": client,
        "POST /v1/apps/{app}/surveys/{slug}/responses": client, "POST /v1/apps/{app}/surveys/{slug}/evaluate": client,
        "POST /v1/apps/{app}/surveys/{slug}/submit": client,
        "GET /v1/apps/{app}/clients/{client_id}/counters": client,
        "GET /v1/apps/{app}/flows/{slug}": clientOrOwner, "POST /v1/apps/{app}/flows/{slug}/runs": clientOrOwner,
        "GET /v1/apps/{app}/runs/{run_id}": clientOrOwner, "POST /v1/apps/{app}/runs/{run_id}/advance": clientOrOwner,
        "POST /v1/apps/{app}/runs/{run_id}/chat": clientOrOwner,
        "POST /v1/apps/{app}/runs/{run_id}/dismiss": clientOrOwner, "GET /v1/apps/{app}/flows": read,
        "GET /v1/apps/{app}/files/{sha256}": respond, "GET /v1/apps/{app}/locations": clientOrReader,
        "POST /v1/apps/{app}/ofrep/v1/evaluate/flags": client,
        "POST /v1/apps/{app}/ofrep/v1/evaluate/flags/{key}": client,
        "POST /ofrep/v1/evaluate/flags": legacy, "POST /ofrep/v1/evaluate/flags/{key}": legacy,

        "GET /v1/schemas/{kind}": Need(["reader", "translator", "reviewer", "support", "owner"], apps: .any),
        "GET /v1/apps": Need(["reader", "translator", "reviewer", "support", "owner"], apps: .any),
        "POST /mcp": Need(["reader", "translator", "reviewer", "support", "owner"], apps: .any),
        "GET /v1/apps/{app}/manifest": read,
        "PUT /v1/apps/{app}/manifest": publish, "DELETE /v1/apps/{app}/manifest": publish,
        "GET /v1/apps/{app}/strings/{locale}": read, "PUT /v1/apps/{app}/strings/{locale}": texts,
        "DELETE /v1/apps/{app}/strings/{locale}": texts, "GET /v1/apps/{app}/recipes": read,
        "POST /v1/apps/{app}/recipes": publish, "POST /v1/apps/{app}/recipes/validate": read,
        "POST /v1/apps/{app}/recipes/simulate": read, "GET /v1/apps/{app}/texts": read,
        "GET /v1/apps/{app}/changes": read, "GET /v1/apps/{app}/activity": read,
        "POST /v1/apps/{app}/recipes/size": read, "GET /v1/apps/{app}/recipes/{slug}/forecast": read,
        "POST /v1/apps/{app}/recipes/forecast": read, "GET /v1/apps/{app}/recipes/{slug}": read,
        "PUT /v1/apps/{app}/recipes/{slug}": publish, "DELETE /v1/apps/{app}/recipes/{slug}": publish,
        "POST /v1/apps/{app}/manifest/state": review, "POST /v1/apps/{app}/strings/{locale}/state": reviewTexts,
        "POST /v1/apps/{app}/recipes/{slug}/preview": read,
        "GET /v1/apps/{app}/lists": read, "GET /v1/apps/{app}/lists/{name}": read,
        "PUT /v1/apps/{app}/lists/{name}": publish, "DELETE /v1/apps/{app}/lists/{name}": publish,
        "POST /v1/apps/{app}/lists/{name}/add": publish, "POST /v1/apps/{app}/lists/{name}/remove": publish,
        "POST /v1/apps/{app}/lists/{name}/contains": respond,
        "PATCH /v1/apps/{app}/recipes/{slug}/note": review,
        "POST /v1/apps/{app}/recipes/{slug}/state": review, "POST /v1/apps/{app}/recipes/{slug}/rollback": publish,
        "POST /v1/apps/{app}/recipes/{slug}/advance": publish, "POST /v1/apps/{app}/take-over": publish,
        "GET /v1/apps/{app}/recipes/{slug}/revisions": read,
        "GET /v1/apps/{app}/recipes/{slug}/revisions/{revision}": read,
        "GET /v1/apps/{app}/recipes/{slug}/revisions/{revision}/diff": read, "POST /v1/apps/{app}/explain": read,
        "GET /v1/apps/{app}/questionnaires/{slug}/responses": respond,
        "POST /v1/apps/{app}/questionnaires/{slug}/responses/import": respond,
        "POST /v1/apps/{app}/surveys/{slug}/responses/import": respond,
        "GET /v1/apps/{app}/surveys/{slug}/responses": respond, "GET /v1/apps/{app}/responses/{response}": respond,
        "GET /v1/apps/{app}/flows/{slug}/runs": respond,
        "PATCH /v1/apps/{app}/responses/{response}": respond, "DELETE /v1/apps/{app}/responses/{response}": respond,
        "POST /v1/apps/{app}/responses/{response}/comments": respond,
        "PATCH /v1/apps/{app}/comments/{comment}": respond,
        "DELETE /v1/apps/{app}/comments/{comment}": respond,
        "GET /v1/apps/{app}/webhooks": read, "POST /v1/apps/{app}/webhooks/{id}/retry": publish,
        "DELETE /v1/apps/{app}/manifest/draft": review, "DELETE /v1/apps/{app}/recipes/{slug}/draft": review,
        "DELETE /v1/apps/{app}/strings/{locale}/draft": reviewTexts, "GET /v1/apps/{app}/audit": read,
        "GET /v1/apps/{app}/results/{slug}": read, "DELETE /v1/apps/{app}/clients/{client_id}": respond,
        "GET /v1/apps/{app}/clients/{client_id}/export": respond, "DELETE /v1/apps/{app}/users/{user_id}": respond,
        "GET /v1/apps/{app}/users/{user_id}/export": respond,

        "GET /v1/apps/{app}/responses": respond, "GET /v1/apps/{app}/telemetry": log,
        "GET /v1/apps/{app}/consumers": Need(["pipeline", "reader", "translator", "reviewer", "support", "owner"]),
        "GET /v1/apps/{app}/consumers/{name}": log, "PUT /v1/apps/{app}/consumers/{name}": log,
        "DELETE /v1/apps/{app}/consumers/{name}": log,

        "GET /v1/tokens": admin, "POST /v1/tokens": admin, "DELETE /v1/tokens/{name}": admin, "GET /v1/audit": admin,
        "GET /v1/accounts": admin, "POST /v1/accounts": admin, "PUT /v1/accounts/{name}": admin,
        "DELETE /v1/accounts/{name}": admin, "POST /v1/accounts/{name}/link": admin,
        "GET /v1/session": staff, "DELETE /v1/session": staff, "GET /v1/sessions": staff,
        "DELETE /v1/sessions/{id}": staff,

        // These routes need a token, unless the setting `public` names them.
        "GET /v1/questionnaires/{slug}": legacy, "POST /v1/questionnaires/{slug}/responses": legacy,
        "POST /v1/questionnaires/dismiss": legacy, "POST /v1/identity/claim": legacy, "POST /v1/ingest": legacy,
        "GET /s/{app}/{slug}": client, "GET /sample/{app}": client,
        "POST /v1/features/": legacy, "POST /v1/features": legacy, "POST /v2/features/": legacy,
        "POST /v2/features": legacy, "GET /v1/": legacy, "GET /v1/buckets/main/collections/{collection}": legacy,
        "GET /v1/buckets/main/collections/{collection}/records": legacy,
        "GET /v1/buckets/main/collections/{collection}/records/{record}": legacy,
        "GET /v1/buckets/main/collections/{collection}/changeset": legacy,
        "POST /submit/{application_id}/{ping}/{version}/{document_id}": client,
        "PUT /submit/{application_id}/{ping}/{version}/{document_id}": client,

        "POST /v1/session": nil, "GET /v1/login": nil, "GET /v1/login/callback": nil,
        "GET /status": nil, "GET /__lbheartbeat__": nil, "GET /__heartbeat__": nil, "GET /__version__": nil,
        "GET /metrics": nil, "GET /": nil, "GET /docs/{page}": nil, "GET /docs/{folder}/{page}": nil,
        "GET /llms.txt": nil,
        "GET /bellwether.js": nil, "GET /bellwether.mjs": nil, "GET /assets/{file}": nil, "GET /preview/{ticket}": nil,
        "POST /preview/{ticket}": nil,
        "GET /console/preview/{app}": nil, "POST /v1/apps/{app}/recipes/render": read,
        "GET /v1/apps/{app}/vocabulary": read,
        "GET /console": nil, "GET /console/{segment_1}": nil, "GET /console/{segment_1}/{segment_2}": nil,
        "GET /console/{segment_1}/{segment_2}/{segment_3}": nil,
        "GET /console/{segment_1}/{segment_2}/{segment_3}/{segment_4}": nil,
        "GET /console/{segment_1}/{segment_2}/{segment_3}/{segment_4}/{segment_5}": nil,
        "GET /console/{segment_1}/{segment_2}/{segment_3}/{segment_4}/{segment_5}/{segment_6}": nil,
    ]

    /// The digest of the renderer's file, which the program also reads.
    private static let renderer: String = {
        let text = try? String(contentsOfFile: Repository.path + "/Web/dist/digests", encoding: .utf8)
        return (text ?? "").split(separator: "\n").first { $0.hasPrefix("render-") }.map(String.init) ?? ""
    }()

    /// A request to the route of a key; about app `one` if the route names an app.
    static func request(_ key: String) -> (method: String, target: String) {
        let words = key.split(separator: " ")
        let values = [
            "app": "one", "client_id": "c", "locale": "xx", "slug": "r", "revision": "1", "name": "nobody",
            "application_id": GuardedDaemon.applicationID("one"), "ping": "events", "version": "1",
            "document_id": UUID().uuidString.lowercased(), "collection": "nimbus-mobile-experiments", "record": "r",
            "page": key.contains("{folder}") ? "messaging" : "openapi.yaml", "folder": "reference",
            "response": "0", "comment": "0.1", "key": "checkout", "run_id": "0", "sha256": "0", "id": "0",
            "file": renderer, "ticket": "0",
        ]
        var target = String(words[1])
        for (name, value) in values { target = target.replacing("{\(name)}", with: value) }
        return (String(words[0]), key == "GET /v1/apps/{app}/messages" ? target + "?client_id=c" : target)
    }

    /// The routes in docs/openapi.yaml, which are all routes (`OpenAPITests`). They are read by their indentation.
    static func described() throws -> Set<String> {
        let text = try String(contentsOfFile: Repository.path + "/docs/openapi.yaml", encoding: .utf8)
        var routes: Set<String> = []
        var path = ""
        for line in text.split(separator: "\n").drop(while: { $0 != "paths:" }).dropFirst() {
            guard line.hasPrefix(" ") else { break }
            if let match = line.wholeMatch(of: #/  (/.*):/#) { path = String(match.output.1) }
            if let match = line.wholeMatch(of: #/    (get|put|post|delete|patch|head):/#) {
                routes.insert("\(match.output.1.uppercased()) \(path)")
            }
        }
        return routes
    }
}
