import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Places from the shipped table, and from a provider of addresses (docs/reference/flows.md#locations).
@Suite struct LocationTests {
    private static let answer: JSONValue = [
        "type": "FeatureCollection",
        "features": [
            [
                "type": "Feature", "geometry": ["type": "Point", "coordinates": [6.9583, 50.9413]],
                "properties": ["formatted": "Domkloster 4, 50667 Köln", "city": "Köln", "zip": "50667"],
            ]
        ],
    ]
    private static let tables = """
        locations:
          cities: config/locations/cities.tsv.gz
          regions: config/locations/regions.tsv

        """

    private func daemon(_ settings: String, in folder: TemporaryDirectory) throws -> TestApp {
        let path = try folder.write(settings, to: "c.yaml")
        return try TestApp(on: try Daemon(["--dev", "--config", path], data: folder))
    }

    private func places(_ app: TestApp, _ query: String) throws -> [JSONValue] {
        let query = query.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
        let answer = try app.server.get("\(app.path)/locations?query=\(query)")
        #expect(answer.status == 200)
        return answer.json["data"]["suggestions"].array ?? []
    }

    @Test func `The table that ships finds cities by names in other languages`() throws {
        let folder = try TemporaryDirectory()
        let app = try daemon(Self.tables, in: folder)
        for name in ["Munich", "münchen", "Monaco di Baviera", "Monachium", "Мюнхен", "ミュンヘン"] {
            let first = try #require(try places(app, name).first, "\(name)")
            #expect(first["country_code"] == "DE" && first["state_code"] == "BY", "\(name): \(first)")
            #expect(first["city"] == "Munich", "\(name)")
            #expect(first["timezone"] == "Europe/Berlin" && first["timezone_offset"] == 60)
        }
        let york = try #require(try places(app, "new york&limit=1").first)
        #expect(york["formatted_address"] == "New York, New York, United States" && york["state_code"] == "NY")
        #expect(york["latitude"] == 40.7143 && york["longitude"] == -74.006)
        #expect(try places(app, "東京&limit=1").first?["city"] == "Tokyo")
        #expect(try places(app, "schweiz&type=country&language=de").map { $0["country_code"] } == ["CH"])
        #expect(try places(app, "grand e&type=region").first?["state_code"] == "GES")
        #expect(try places(app, "domkloster&type=address").isEmpty)
    }

    @Test(.disabled(if: Daemon.isSeveral, "each node asks the provider once"))
    func `Addresses are asked of the provider, once, with the key and without the client`() throws {
        let folder = try TemporaryDirectory()
        let receiver = try WebhookReceiver { _ in .status(200, body: Self.answer.encoded) }
        let app = try daemon(Self.settings(receiver, "{value: s3cret, hosts: [127.0.0.1]}"), in: folder)
        let query = "domkl oster&type=address&language=de"
        // A provider that does not answer in time counts as one that finds nothing, and is asked again.
        var attempts = 0
        try waitUntil("the provider has answered") {
            attempts += 1
            return try !places(app, query).isEmpty
        }
        let asked = receiver.requests.count
        #expect(asked <= attempts)
        for _ in 0..<2 {
            let found = try places(app, query)
            #expect(found.map { $0["formatted_address"] } == ["Domkloster 4, 50667 Köln"])
            #expect(found[0]["postal_code"] == "50667" && found[0]["latitude"] == 50.9413 && found[0]["state"] == .null)
        }
        #expect(receiver.requests.count == asked)
        #expect(Set(receiver.requests.map(\.line)) == ["GET /hook?q=domkl%20oster&lang=de&key=s3cret HTTP/1.1"])
        let headers = try #require(receiver.requests.first).headers
        #expect(Set(headers.keys) == ["host", "accept", "user-agent"])
        #expect(!app.server.logText.contains("s3cret") && !app.server.logText.lowercased().contains("domkl"))
    }

    @Test func `A key that the app may not use is not sent, and nothing else either`() throws {
        let folder = try TemporaryDirectory()
        let receiver = try WebhookReceiver { _ in .status(200, body: Self.answer.encoded) }
        for scope in ["{value: s3cret, apps: [other]}", "{value: s3cret, hosts: [geo.example]}"] {
            let app = try daemon(Self.settings(receiver, scope), in: folder)
            #expect(try places(app, "domkloster&type=address").isEmpty)
        }
        #expect(receiver.requests.isEmpty)
    }

    @Test func `A provider in the operator's networks is not asked, and one that fails is no failure`() throws {
        let folder = try TemporaryDirectory()
        let receiver = try WebhookReceiver { _ in .status(500, body: Array("{".utf8)) }
        let settings = Self.settings(receiver, "{value: s3cret}")
        let app = try daemon(settings, in: folder)
        var attempts = 0
        try waitUntil("the failure is told") {
            attempts += 1
            let found = try places(app, "domkloster&type=address")
            #expect(found.isEmpty)
            return app.server.logText.contains("status 500")
        }
        let asked = receiver.requests.count
        #expect(asked <= attempts)
        let other = try TemporaryDirectory()
        let closed = try daemon(settings.replacing("[127.0.0.0/8]", with: "[]"), in: other)
        #expect(try places(closed, "domkloster&type=address").isEmpty)
        #expect(receiver.requests.count == asked)
    }

    private static func settings(_ receiver: WebhookReceiver, _ secret: String) -> String {
        """
        webhooks: {allow_networks: [127.0.0.0/8], secrets: {geo: \(secret)}}
        locations:
          addresses:
            url: "\(receiver.url)?q={query}&lang={language}&key={key}"
            secret: geo
            properties: {formatted_address: formatted, city: city, postal_code: zip}

        """
    }
}
