import HTTPWire
import Testing

struct RouterTests {
    static let router = Router<String>([
        (.get, "/", "root"),
        (.get, "/v1/apps/{app}/messages", "poll"),
        (.post, "/v1/apps/{app}/messages", "poll-post"),
        (.put, "/v1/apps/{app}/recipes/{slug}", "recipe"),
        (.post, "/v1/apps/{app}/recipes/validate", "validate"),
        (.post, "/v1/apps/{name}/recipes/{other}/state", "state"),
        (.get, "/v1/apps/main/x", "static"),
        (.post, "/v1/features/", "features"),
        (.head, "/heads", "own head"),
        (.get, "/heads", "get"),
    ])

    private func describe(_ method: HTTPMethod, _ path: String) -> String {
        switch Self.router.match(method, Array(path.utf8)[...]) {
        case .found(let endpoint, let parameters):
            endpoint
                + ["app", "slug", "name", "other"].compactMap { name in
                    parameters[name].map { " \(name)=\($0)" }
                }.joined()
        case .methodNotAllowed(let methods): "405 " + methods.map(\.name).joined(separator: ",")
        case .notFound: "404"
        case .malformed: "400"
        }
    }

    @Test(
        arguments: [
            (.get, "/", "root"), (.head, "/", "root"), (.post, "/", "405 GET,HEAD"), (.other, "/", "405 GET,HEAD"),
            (.get, "/v1/apps/ff/messages", "poll app=ff"), (.post, "/v1/apps/ff/messages", "poll-post app=ff"),
            (.delete, "/v1/apps/ff/messages", "405 GET,POST,HEAD"), (.head, "/v1/apps/ff/messages", "poll app=ff"),
            (.get, "/v1/apps/a%20b/messages", "poll app=a b"), (.get, "/v1/apps/a+b/messages", "poll app=a+b"),
            (.get, "/v1/apps/a%2Fb/messages", "poll app=a/b"), (.get, "/v1/apps/%C3%A9/messages", "poll app=é"),
            (.get, "/v1/apps/%ff/messages", "400"), (.get, "/v1/apps/%zz/messages", "400"),
            (.get, "/v1/apps/%2/messages", "400"), (.get, "/nowhere/%", "400"), (.get, "/nowhere/%41", "404"),
            (.get, "/v1/apps//messages", "404"), (.get, "/v1/apps/ff/messages/", "404"), (.get, "/v1/apps/ff", "404"),
            (.get, "/v1/apps/ff/messages/more", "404"), (.get, "//", "404"), (.get, "", "404"), (.options, "*", "404"),
            (.put, "/v1/apps/ff/recipes/r", "recipe app=ff slug=r"),
            (.post, "/v1/apps/ff/recipes/validate", "validate app=ff"),
            (.put, "/v1/apps/ff/recipes/validate", "recipe app=ff slug=validate"),
            (.delete, "/v1/apps/ff/recipes/validate", "405 POST,PUT"),
            (.post, "/v1/apps/ff/recipes/validate/state", "state name=ff other=validate"),
            (.post, "/v1/apps/main/recipes/r/state", "state name=main other=r"), (.get, "/v1/apps/main/x", "static"),
            (.get, "/v1/apps/other/x", "404"), (.get, "/v1/%61pps/ff/messages", "poll app=ff"),
            (.post, "/v1/features/", "features"), (.post, "/v1/features", "404"), (.head, "/heads", "own head"),
            (.get, "/heads", "get"), (.get, "/V1/apps/ff/messages", "404"),
        ] as [(HTTPMethod, String, String)])
    func match(_ method: HTTPMethod, _ path: String, _ expected: String) {
        #expect(describe(method, path) == expected)
    }
}
