import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// One account on two devices: the same client over two connections, whichever workers have them.
@Suite struct DeviceTests {
    @Test func `What one device reports the other's next poll knows, on any worker`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m", ["style": "TWICE"]))
        let client = "account"
        // More connections than workers: they stand on several.
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
}
