import Foundation

/// Who may call each route: the whole contract (docs/reference/http-api.md#tokens-and-scopes) as one table, written by
/// hand.
enum RouteAccess {
    /// Whose tokens of the right scope a route lets in.
    enum Apps {
        /// Those for the app that the request names, and those for all apps.
        case named
        /// Any: what is answered is about the token's own app.
        case any
        /// Only those for all apps.
        case all
    }

    /// Nil: open to everyone.
    struct Need {
        let scope: String
        let apps: Apps
        /// An owner's token will do, too.
        var admitsOwners = false
    }

    private static let client = Need(scope: "client", apps: .named)
    private static let clientOrOwner = Need(scope: "client", apps: .named, admitsOwners: true)
    private static let legacy = Need(scope: "client", apps: .any)
    private static let owner = Need(scope: "owner", apps: .named)
    private static let pipeline = Need(scope: "pipeline", apps: .named)
    private static let admin = Need(scope: "admin", apps: .all)

    /// By method and pattern, as docs/openapi.yaml spells them.
    static let needs: [String: Need?] = [
        "GET /v1/apps/{app}/messages": client, "POST /v1/apps/{app}/messages": client,
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
        "POST /v1/apps/{app}/runs/{run_id}/dismiss": clientOrOwner, "GET /v1/apps/{app}/flows": owner,
        "GET /v1/apps/{app}/files/{sha256}": owner, "GET /v1/apps/{app}/locations": client,
        "POST /v1/apps/{app}/ofrep/v1/evaluate/flags": client,
        "POST /v1/apps/{app}/ofrep/v1/evaluate/flags/{key}": client,
        "POST /ofrep/v1/evaluate/flags": legacy, "POST /ofrep/v1/evaluate/flags/{key}": legacy,

        "GET /v1/apps": Need(scope: "owner", apps: .any), "GET /v1/apps/{app}/manifest": owner,
        "PUT /v1/apps/{app}/manifest": owner, "DELETE /v1/apps/{app}/manifest": owner,
        "GET /v1/apps/{app}/strings/{locale}": owner, "PUT /v1/apps/{app}/strings/{locale}": owner,
        "DELETE /v1/apps/{app}/strings/{locale}": owner, "GET /v1/apps/{app}/recipes": owner,
        "POST /v1/apps/{app}/recipes": owner, "POST /v1/apps/{app}/recipes/validate": owner,
        "POST /v1/apps/{app}/recipes/forecast": owner, "GET /v1/apps/{app}/recipes/{slug}": owner,
        "PUT /v1/apps/{app}/recipes/{slug}": owner, "DELETE /v1/apps/{app}/recipes/{slug}": owner,
        "POST /v1/apps/{app}/manifest/state": owner, "POST /v1/apps/{app}/strings/{locale}/state": owner,
        "POST /v1/apps/{app}/recipes/{slug}/preview": owner,
        "POST /v1/apps/{app}/recipes/{slug}/state": owner, "POST /v1/apps/{app}/recipes/{slug}/rollback": owner,
        "GET /v1/apps/{app}/recipes/{slug}/revisions": owner,
        "GET /v1/apps/{app}/recipes/{slug}/revisions/{revision}": owner,
        "GET /v1/apps/{app}/recipes/{slug}/revisions/{revision}/diff": owner, "POST /v1/apps/{app}/explain": owner,
        "GET /v1/apps/{app}/questionnaires/{slug}/responses": owner,
        "GET /v1/apps/{app}/surveys/{slug}/responses": owner, "GET /v1/apps/{app}/responses/{response}": owner,
        "PATCH /v1/apps/{app}/responses/{response}": owner, "DELETE /v1/apps/{app}/responses/{response}": owner,
        "POST /v1/apps/{app}/responses/{response}/comments": owner, "PATCH /v1/apps/{app}/comments/{comment}": owner,
        "DELETE /v1/apps/{app}/comments/{comment}": owner,
        "GET /v1/apps/{app}/webhooks": owner,
        "GET /v1/apps/{app}/results/{slug}": owner, "DELETE /v1/apps/{app}/clients/{client_id}": owner,
        "GET /v1/apps/{app}/clients/{client_id}/export": owner, "DELETE /v1/apps/{app}/users/{user_id}": owner,
        "GET /v1/apps/{app}/users/{user_id}/export": owner,

        "GET /v1/apps/{app}/telemetry": pipeline, "GET /v1/apps/{app}/consumers": pipeline,
        "GET /v1/apps/{app}/consumers/{name}": pipeline, "PUT /v1/apps/{app}/consumers/{name}": pipeline,
        "DELETE /v1/apps/{app}/consumers/{name}": pipeline,

        "GET /v1/tokens": admin, "POST /v1/tokens": admin, "DELETE /v1/tokens/{name}": admin, "GET /v1/audit": admin,

        // Closed, as they are unless `public` names them.
        "GET /v1/questionnaires/{slug}": legacy, "POST /v1/questionnaires/{slug}/responses": legacy,
        "POST /v1/questionnaires/dismiss": legacy,
        "GET /s/{app}/{slug}": client, "GET /sample/{app}": client,
        "POST /v1/features/": legacy, "POST /v1/features": legacy, "POST /v2/features/": legacy,
        "POST /v2/features": legacy, "GET /v1/": legacy, "GET /v1/buckets/main/collections/{collection}": legacy,
        "GET /v1/buckets/main/collections/{collection}/records": legacy,
        "GET /v1/buckets/main/collections/{collection}/records/{record}": legacy,
        "GET /v1/buckets/main/collections/{collection}/changeset": legacy,
        "POST /submit/{application_id}/{ping}/{version}/{document_id}": client,
        "PUT /submit/{application_id}/{ping}/{version}/{document_id}": client,

        "GET /status": nil, "GET /__lbheartbeat__": nil, "GET /__heartbeat__": nil, "GET /__version__": nil,
        "GET /metrics": nil, "GET /": nil, "GET /docs/{page}": nil,
        "GET /bellwether.js": nil, "GET /bellwether.mjs": nil, "GET /assets/{file}": nil, "GET /preview/{ticket}": nil,
    ]

    /// Of the renderer's file: the program has it from there too.
    private static let rendererDigest: String = {
        let text = try? String(contentsOfFile: Repository.path + "/Web/dist/render.digest", encoding: .utf8)
        return String((text ?? "").prefix { $0.isHexDigit })
    }()

    /// A request to the route of a key, about app `one` where it names one.
    static func request(_ key: String) -> (method: String, target: String) {
        let words = key.split(separator: " ")
        let values = [
            "app": "one", "client_id": "c", "locale": "xx", "slug": "r", "revision": "1", "name": "nobody",
            "application_id": GuardedDaemon.applicationID("one"), "ping": "events", "version": "1",
            "document_id": UUID().uuidString.lowercased(), "collection": "nimbus-mobile-experiments", "record": "r",
            "page": "openapi.yaml", "response": "0", "comment": "0.1", "key": "checkout", "run_id": "0",
            "sha256": "0",
            "file": "render-\(rendererDigest).js", "ticket": "0",
        ]
        var target = String(words[1])
        for (name, value) in values { target = target.replacing("{\(name)}", with: value) }
        return (String(words[0]), key == "GET /v1/apps/{app}/messages" ? target + "?client_id=c" : target)
    }

    /// What docs/openapi.yaml describes, which is what there is (`OpenAPITests`): read by its indentation.
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
