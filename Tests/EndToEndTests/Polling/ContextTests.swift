import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Surfaces and attributes of a poll (docs/reference/http-api.md#the-poll).
@Suite struct ContextTests {
    @Test func `Surfaces: all, one, several, each once`() throws {
        let app = try TestApp()
        try app.publish("a", Sample.message("on-card"))
        try app.publish("b", Sample.message("on-notification", ["surface": "notification"]))
        try app.publish("c", Sample.survey())
        #expect(try Set(app.keys("c")) == ["on-card", "on-notification", "survey"])
        #expect(try app.keys("c", "&surface=card") == ["on-card"])
        #expect(try app.keys("c", "&surface=notification&surface=card&surface=card") == ["on-notification", "on-card"])
    }

    @Test func `An unknown surface is refused, by GET and by POST`() throws {
        let app = try TestApp()
        #expect(
            places(expectProblem(try app.poll("c", "&surface=card&surface=nope"), 400)) == ["/surface unknown_surface"])
        let posted = try app.server.post(
            "\(app.path)/messages", ["client_id": "c", "surfaces": ["card", "nope", 7]])
        #expect(places(expectProblem(posted, 400)) == ["/surfaces/1 unknown_surface", "/surfaces/2 type"])
    }

    /// The expression, what the client sends, and whether the message is offered.
    @Test(
        arguments: [
            ("plan == 'pro'", "&plan=pro", true), ("plan == '7'", "&plan=7", true), ("plan == 7", "&plan=7", false),
            ("age == 7", "&age=7", true), ("age > 6.5", "&age=6.75", true), ("age > 1", "&age=-3", false),
            ("beta == true", "&beta=true", true), ("beta", "&beta=true", true), ("beta", "&beta=false", false),
            ("device.os == 'x'", "&device=%7B%22os%22%3A%22x%22%7D", true),
            ("'b' in tags", "&tags=%5B%22a%22%2C%22b%22%5D", true), ("plan == 'a b&c'", "&plan=a+b%26c", true),
            // A declared attribute that was not sent is undefined, which is an error, so the message is not eligible.
            // The SDK's own names are null.
            ("plan == null", "", false), ("os_version == null", "", true),
            ("os_version == '17.4'", "&os_version=17.4", true),
            // An undeclared attribute is ignored, so it is undefined.
            ("secret == 'x'", "&secret=x", false), ("locale == 'de-AT'", "&locale=de-AT", true),
            ("language == 'de' && region == 'AT'", "&locale=de-AT", true), ("locale == 'en-US'", "", true),
        ])
    func `Attributes have the type that the manifest declares`(_ expression: String, _ query: String, _ isSeen: Bool)
        throws
    {
        let app = try TestApp()
        let value: JSONValue = ["triggers": ["T": .string(expression)]]
        var recipe = Sample.message("m", ["trigger-if-all": ["T"]]).object ?? [:]
        recipe["triggers"] = value["triggers"]
        try app.publish("r", .object(recipe))
        #expect(try app.keys("c", query) == (isSeen ? ["m"] : []))
    }

    @Test(arguments: [
        "age=seven", "age=", "age=%221%22", "beta=yes", "beta=1", "device=%5B%5D", "tags=a,b", "device=%7B",
    ])
    func `A query attribute that does not decode is refused`(_ item: String) throws {
        let app = try TestApp()
        let name = item.split(separator: "=")[0]
        #expect(places(expectProblem(try app.poll("c", "&\(item)"), 400)) == ["/\(name) type"])
    }

    @Test func `All attributes that do not decode are named, in a body by their place`() throws {
        let app = try TestApp()
        #expect(places(expectProblem(try app.poll("c", "&age=x&beta=y&locale=%21"), 400)).count == 3)
        let posted = try app.server.post(
            "\(app.path)/messages",
            ["client_id": "c", "context": ["age": "7", "beta": 1, "plan": "pro", "tags": nil, "locale": "!"]])
        #expect(
            Set(places(expectProblem(posted, 400))) == [
                "/context/age type", "/context/beta type", "/context/locale locale",
            ])
    }

    @Test(.disabled(if: Daemon.isSeveral, "each node counts for itself"))
    func `An attribute that is not declared is ignored, and counted at each poll`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        func ignored() throws -> String? {
            try daemon.get("/metrics").text.split(separator: "\n").last { $0.hasPrefix("bellwether_ignored") }?
                .split(separator: " ").last.map(String.init)
        }
        #expect(try ignored() == "0")
        for client in ["a", "b"] { #expect(try app.poll(client, "&secret=1&more=2").status == 200) }
        #expect(try ignored() == "4")
        _ = try app.server.post("\(app.path)/messages", ["client_id": "a", "context": ["secret": 1]])
        #expect(try ignored() == "5")
    }

    /// The request's `Accept-Language` and query, and the language of the title.
    @Test(
        arguments: [
            ("de", "", "Hallo"), ("fr;q=0.2, de;q=0.9", "", "Hallo"), ("de-AT,de;q=0.5", "", "Hallo"),
            ("", "", "Hello"),
            ("de", "&locale=fr", "Bonjour"), ("xx", "", "Hello"), ("*", "", "Hello"), ("", "&locale=de-AT", "Hallo"),
            ("", "&locale=pt-BR", "Hello"), ("it, de", "", "Hallo"), ("de;q=0.5, it, fr;q=0.6", "", "Bonjour"),
            ("it, en-GB, de", "", "Hello"), ("it, *;q=0.5, de;q=0.1", "", "Hello"), ("de", "&locale=it", "Hello"),
        ])
    func `The language is the parameter's, else the header's, else the default`(
        _ header: String, _ query: String, _ title: String
    ) throws {
        let app = try TestApp()
        for (locale, text) in [("en-US", "Hello"), ("de", "Hallo"), ("fr", "Bonjour")] {
            let answer = try app.server.put("\(app.path)/strings/\(locale)", ["T": ["hello": .string(text)]])
            #expect(answer.status == 201)
        }
        try app.publish("r", Sample.message("m", ["text": "T/hello"]))
        let headers = header.isEmpty ? [:] : ["Accept-Language": header]
        let message = try app.poll("c", query, headers: headers).json["messages"][0]
        #expect(message["text"].string == title)
        #expect(message["locale"].string == ["Hallo": "de", "Bonjour": "fr"][title, default: "en-US"])
    }

    @Test func `A language that the app gets is found by the next poll`() throws {
        let app = try TestApp()
        let texts = [("en-US", "Hello"), ("de", "Hallo"), ("it", "Ciao")]
        try app.publish("r", Sample.message("m", ["text": "T/hello"]))
        for (locale, text) in texts {
            #expect(
                try app.server.put("\(app.path)/strings/\(locale)", ["T": ["hello": .string(text)]]).status == 201)
            let message = try app.poll(headers: ["Accept-Language": "it, de"]).json["messages"][0]
            #expect(message["text"].string == text)
        }
        #expect(try app.server.send("DELETE", "\(app.path)/strings/it").status == 204)
        let message = try app.poll(headers: ["Accept-Language": "it, de"]).json["messages"][0]
        #expect(message["text"] == "Hallo")
        let posted = try app.server.post(
            "\(app.path)/messages", ["client_id": "c"], headers: ["Accept-Language": "it, de"])
        #expect(posted.json["messages"][0]["text"] == "Hallo")
    }

    @Test(arguments: ["", "&client_id=", "&client_id=a%00b", "&client_id=\(String(repeating: "a", count: 129))"])
    func `A client id is 1 to 128 printable characters`(_ query: String) throws {
        let app = try TestApp()
        expectProblem(try app.server.get("\(app.path)/messages?surface=card\(query)"), 400)
        let id = query.split(separator: "=").last.map { String($0).removingPercentEncoding ?? "" } ?? ""
        let body: JSONObject = query.contains("=") && id != "&client_id" ? ["client_id": .string(id)] : [:]
        expectProblem(try app.server.post("\(app.path)/messages", .object(body)), 400)
    }

    /// The query and its faults.
    @Test(
        arguments: [
            ("client_id=anna+phone@example.org", ["/client_id ambiguous_plus"]),
            ("client_id=a&user_id=a+b", ["/user_id ambiguous_plus"]),
            ("client_id=a+b&user_id=a+b&age=x", ["/client_id ambiguous_plus", "/user_id ambiguous_plus", "/age type"]),
            ("client_id=a+b&client_id=c", ["/client_id ambiguous_plus", "/client_id duplicate"]),
            ("client_id=a&age=1&age=2", ["/age duplicate"]), ("client_id=a&plan=x&plan=x", ["/plan duplicate"]),
            ("client_id=a&locale=de&locale=de&locale=fr", ["/locale duplicate"]),
            ("age=1&age=2", ["/client_id required", "/age duplicate"]),
        ])
    func `A raw plus sign in an id, and a parameter that stands twice, are refused`(
        _ query: String, _ expected: [String]
    ) throws {
        let app = try TestApp()
        let errors = expectProblem(try app.server.get("\(app.path)/messages?\(query)"), 400)
        #expect(Set(places(errors)) == Set(expected))
        #expect(errors.count == expected.count)
    }

    @Test func `A plus sign is the same client in a query and in a body, and a space elsewhere`() throws {
        let app = try TestApp()
        try app.publish("once", Sample.message("m", ["style": "ONCE"]))
        try app.publish(
            "team",
            [
                "triggers": ["IN_TEAM": "plan == 'a b'"],
                "messages": ["t": ["surface": "notification", "text": "t", "trigger-if-all": ["IN_TEAM"]]],
            ])
        #expect(try app.keys("anna%2Bphone@example.org", "&surface=card") == ["m"])
        try app.record("anna+phone@example.org", Event.message("displayed", "m"))
        #expect(try app.keys("anna%2Bphone@example.org", "&surface=card") == [])
        #expect(try app.keys("c", "&surface=notification&plan=a+b") == ["t"])
    }

    @Test func `Surfaces, and what the manifest does not declare, may repeat`() throws {
        let app = try TestApp()
        #expect(try app.poll("c", "&surface=card&surface=card&more=1&more=2").status == 200)
    }

    @Test func `Two client ids are refused; the longest, and any script, is taken`() throws {
        let app = try TestApp()
        expectProblem(try app.server.get("\(app.path)/messages?client_id=a&client_id=b"), 400)
        #expect(try app.poll(String(repeating: "a", count: 128)).status == 200)
        #expect(try app.poll("Zo%C3%AB%20%E4%BA%BA").status == 200)
    }
}
