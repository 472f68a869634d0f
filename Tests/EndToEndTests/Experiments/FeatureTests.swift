import BellwetherJSON
import TestSupport
import Testing

/// Features over HTTP: declared, published, evaluated, explained, and kept over a restart (docs/reference/features.md).
@Suite struct FeatureTests {
    private static let manifest: JSONValue = {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["features"] = [
            "checkout": [
                "exposure": "on-evaluation",
                "variables": ["steps": ["type": "int", "default": 3], "label": ["type": "string", "default": "Buy"]],
            ]
        ]
        return .object(manifest)
    }()

    private static func recipe(_ branches: [String]) -> JSONValue {
        let documents = branches.map { branch -> JSONValue in
            let value: JSONValue = ["steps": .integer(Int64(branch.utf8.count))]
            return [
                "slug": .string(branch), "ratio": 1, "features": [["featureId": "checkout", "value": value]],
            ]
        }
        return NimbusRecipe.experiment("steps", [:], ["branches": .array(documents)])
    }

    private func ask(
        _ daemon: Daemon, _ app: String, _ key: String, _ client: String, headers: [String: String] = [:]
    ) throws -> HTTPResponse {
        try daemon.post(
            "/v1/apps/\(app)/ofrep/v1/evaluate/flags\(key)", ["context": ["targetingKey": .string(client)]],
            headers: headers)
    }

    @Test func `A client's branch is stored: it outlasts a restart and a change of branches`() throws {
        let folder = try TemporaryDirectory()
        var variants: [String: String] = [:]
        let name: String
        do {
            let daemon = try Daemon(data: folder)
            let app = try TestApp(on: daemon, manifest: Self.manifest)
            name = app.name
            try app.publish("steps", Self.recipe(["one", "three"]))
            for number in 0..<30 {
                let answer = try ask(daemon, name, "/checkout.steps", "c\(number)")
                #expect(answer.status == 200 && answer.json["reason"] == "SPLIT")
                variants["c\(number)"] = answer.json["variant"].string
            }
            #expect(Set(variants.values) == ["one", "three"])
            #expect(try app.recorded().filter { $0 == "nimbus_events.exposure" }.count == 30)
        }
        let daemon = try Daemon(data: folder)
        let app = TestApp(on: daemon, named: name)
        try app.publish("steps", Self.recipe(["fourth", "one", "three"]))
        for (client, variant) in variants {
            #expect(try ask(daemon, name, "/checkout.steps", client).json["variant"] == .string(variant))
        }
        #expect(try app.recorded().filter { $0 == "nimbus_events.exposure" }.count == 30)
        #expect(try app.recorded().filter { $0 == "nimbus_events.enrollment" }.count == 30)
    }

    @Test func `The bulk answer has an entity tag, gzip included`() throws {
        let app = try TestApp(manifest: Self.manifest)
        let answer = try ask(app.server, app.name, "", "c")
        #expect(answer.status == 200 && answer.json["flags"].strings("key").count == 3)
        let tag = try #require(answer.header("ETag"))
        #expect(try ask(app.server, app.name, "", "c", headers: ["If-None-Match": tag]).status == 304)
        #expect(try ask(app.server, app.name, "", "c", headers: ["If-None-Match": "W/\(tag)"]).status == 304)
        #expect(try ask(app.server, app.name, "", "c", headers: ["If-None-Match": "\"other\""]).status == 200)
    }

    @Test func `Explain tells value, source and gates of a feature`() throws {
        let app = try TestApp(manifest: Self.manifest)
        try app.publish("steps", Self.recipe(["one"]).with("targeting", "age > 30"))
        func explain(_ question: JSONObject) throws -> HTTPResponse {
            try app.server.post("\(app.path)/explain", .object(question))
        }
        let supposed = try explain(["feature": "checkout", "context": ["age": 20, "nimbus_id": "n"]])
        #expect(supposed.status == 200 && supposed.json["messages"] == [])
        let feature = supposed.json["feature"]
        #expect(feature["id"] == "checkout")
        #expect(
            feature["flags"][1] == [
                "key": "checkout.steps", "value": 3, "source": "default", "reason": "STATIC", "variant": "default",
                "recipe": nil,
            ])
        let recipe = feature["recipes"][0]
        #expect(recipe["slug"] == "steps" && recipe["status"] == "NotEnrolled" && recipe["reason"] == "NotTargeted")
        let targeting = recipe["gates"].array?.first { $0["gate"] == "targeting" }
        #expect(targeting?["holds"] == false && targeting?["blocked_by"][0]["values"] == ["age": 20])
        let inside = try explain(["feature": "checkout", "context": ["age": 40, "nimbus_id": "n"]])
        #expect(inside.json["feature"]["flags"][1]["source"] == "experiment")
        _ = try ask(app.server, app.name, "", "known")
        let known = try explain(["feature": "checkout", "surface": "card", "client_id": "known"])
        #expect(known.json["feature"]["flags"][1]["source"] == "default")
        expectProblem(try explain(["feature": "nope"]), 400)
        expectProblem(try explain([:]), 400)
    }

    @Test func `A recipe that does not go with its feature is warned of`() throws {
        let app = try TestApp(manifest: Self.manifest)
        let branch: JSONValue = [
            "slug": "a", "ratio": 1, "features": [["featureId": "checkout", "value": ["steps": "two", "more": 1]]],
        ]
        let answer = try app.publish("odd", NimbusRecipe.experiment("odd", [:], ["branches": [branch]]))
        #expect(answer.json["warnings"].strings("code") == ["variable_type", "unknown_variable"])
        let refused = try app.server.put("\(app.path)/manifest", Self.manifest.with("features", ["a b": 5]))
        expectProblem(refused, 422)
        #expect(refused.json["errors"].strings("pointer") == ["/features/a b", "/features/a b"])
    }
}

extension JSONValue {
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[key] = value
        return .object(members)
    }
}
