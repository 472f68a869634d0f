import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// One account on two devices: the same client over two connections, on any workers.
@Suite struct DeviceTests {
    @Test func `What one device reports the other's next poll knows, on any worker`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m", ["style": "TWICE"]))
        let client = "account"
        // There are more connections than workers, so several workers have some.
        let devices = try (0..<12).map { _ in try app.server.connect() }
        for (index, device) in devices.enumerated() {
            try device.send("GET", "\(app.path)/messages?client_id=\(client)&surface=card")
            let count = try device.receive().json["messages"][0]["display_count"].integer
            #expect(count == (index == 0 ? 0 : 1))
            guard index == 0 else { continue }
            let event: JSONValue = ["client_id": .string(client), "events": [Event.message("displayed", "m")]]
            try device.send("POST", "\(app.path)/events", body: event.encoded)
            #expect(try device.receive().json["accepted"] == 1)
        }
    }

    @Test func `A cap holds across devices and a restart`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"])
        var app = try TestApp(on: daemon)
        try app.publish("r", Sample.message("m", ["style": "TWICE"]))
        let (phone, tablet) = (try daemon.connect(), try daemon.connect())
        for device in [phone, tablet] {
            try device.send("GET", "\(app.path)/messages?client_id=c")
            #expect(try device.receive().json["messages"].strings("key") == ["m"])
            let event: JSONValue = ["client_id": "c", "events": [Event.message("displayed", "m")]]
            try device.send("POST", "\(app.path)/events", body: event.encoded)
            #expect(try device.receive().status == 200)
        }
        for device in [phone, tablet] {
            try device.send("GET", "\(app.path)/messages?client_id=c")
            #expect(try device.receive().json["messages"] == [])
        }
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        app = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        #expect(try app.keys("c") == [])
        #expect(try app.recorded().filter { $0 == "messaging.expired" }.count == 1)
    }

    @Test func `Displays of both devices at once are all counted`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        let devices = try (0..<8).map { _ in try app.server.connect() }
        let event: JSONValue = ["client_id": "c", "events": [Event.message("displayed", "m")]]
        for _ in 0..<10 {
            for device in devices { try device.send("POST", "\(app.path)/events", body: event.encoded) }
            for device in devices { #expect(try device.receive().json["accepted"] == 1) }
        }
        #expect(try app.poll("c").json["messages"][0]["display_count"] == 80)
    }

    @Test func `Ids are told apart byte for byte, though Unicode holds them for the same text`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let lines = [composed, decomposed, decomposed].map { client in
            JSONValue.object(["client_id": .string(client), "type": "behavior", "name": "visit"]).text + "\n"
        }
        _ = try app.server.send(
            "POST", "\(app.path)/events", headers: ["Content-Type": "application/x-ndjson"],
            body: Array(lines.joined().utf8))
        // All requests use one connection, and so one worker with its cache.
        let connection = try app.server.connect()
        func count(_ id: String) throws -> Int64? {
            try connection.send("GET", "\(app.path)/messages?client_id=\(id)")
            return try connection.receive().json["messages"][0]["display_count"].integer
        }
        for _ in 0..<2 { #expect(try (count("%C3%A9"), count("e%CC%81")) == (0, 0)) }
        try app.record(composed, Event.message("displayed", "m"))
        try app.record(decomposed, Event.behavior("visit"))
        for _ in 0..<2 { #expect(try (count("%C3%A9"), count("e%CC%81")) == (1, 0)) }
        try app.publish("s", Sample.message("three", ["surface": "notification", "trigger-if-all": ["THREE"]]))
        try app.publish("t", ["triggers": ["THREE": "'visit'|eventSum('Years', 4, 0) == 3"]])
        #expect(try app.keys("%C3%A9", "&surface=notification") == [])
        #expect(try app.keys("e%CC%81", "&surface=notification") == ["three"])
    }
}
