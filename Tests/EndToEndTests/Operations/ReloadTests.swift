import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// SIGHUP: both folders and the configuration are read again (docs/reference/http-api.md#files-that-the-daemon-reads).
@Suite struct ReloadTests {
    private let folder: TemporaryDirectory
    private let config: String
    private let daemon: Daemon
    private let app: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try folder.write(Sample.message("m", ["text": "first"]).text, to: "recipes/filed/r.json")
        config = try folder.write("messages:\n  next_poll_seconds: 10\n", to: "c.yaml")
        daemon = try Daemon([
            "--dev", "--config", config, "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes",
        ])
        app = TestApp(on: daemon, named: "filed")
    }

    /// Sends the signal and waits for its effect.
    private func reload(_ times: Int = 1) throws {
        daemon.signal(SIGHUP)
        guard eventually({ daemon.reloads >= times }) else { throw Failure("never reloaded: \(daemon.logText)") }
    }

    private func text() throws -> String? { try app.poll().json["messages"][0]["text"].string }

    @Test func `A changed, a new and a vanished file are taken up`() throws {
        #expect(try text() == "first")
        try folder.write(Sample.message("m", ["text": "second"]).text, to: "recipes/filed/r.json")
        try folder.write(
            Sample.message("n", ["surface": "notification"]).text, to: "recipes/filed/new.json")
        try reload()
        #expect(try text() == "second")
        #expect(try Set(app.keys()) == ["m", "n"])
        #expect(try app.poll("c", "&surface=card").json["messages"][0]["revision"] == 2)
        try FileManager.default.removeItem(atPath: folder.path + "/recipes/filed/new.json")
        try reload(2)
        #expect(try app.keys() == ["m"])
        #expect(try daemon.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test(arguments: ["{", "[]", #"{"triggers": {"T": "1 +"}}"#, ""])
    func `A bad file is skipped, logged, and makes readiness degraded; the old one stays`(_ bad: String) throws {
        try folder.write(bad, to: "recipes/filed/r.json")
        try folder.write(Sample.message("n", ["surface": "notification"]).text, to: "recipes/filed/good.json")
        try reload()
        #expect(try text() == "first")
        #expect(try Set(app.keys()) == ["m", "n"])
        let heartbeat = try daemon.get("/__heartbeat__")
        #expect(heartbeat.status == 200)
        #expect(heartbeat.json["status"] == "degraded")
        #expect(heartbeat.json["checks"]["files"] == "degraded")
        #expect(daemon.logText.contains("recipes/filed/r.json"))
        try folder.write(Sample.message("m", ["text": "mended"]).text, to: "recipes/filed/r.json")
        try reload(2)
        #expect(try text() == "mended")
        #expect(try daemon.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test func `A folder that is gone does not count as an empty one`() throws {
        try FileManager.default.moveItem(atPath: folder.path + "/recipes", toPath: folder.path + "/elsewhere")
        try reload()
        #expect(try text() == "first")
        #expect(try daemon.get("/__heartbeat__").json["status"] == "degraded")
    }

    @Test func `Settings are read again, but for those of the start`() throws {
        #expect((9...11).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
        try folder.write("messages:\n  next_poll_seconds: 1000\nlimits:\n  body_bytes: 100\n", to: "c.yaml")
        try reload()
        #expect((900...1100).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
        let long = JSONValue.string(String(repeating: "c", count: 100))
        expectProblem(try daemon.post("\(app.path)/events", ["client_id": long, "events": []]), 413)
    }

    @Test func `A configuration that cannot be read changes nothing, and is told`() throws {
        try folder.write("messages:\n  next_poll_seconds: soon\nnonsense: 1\n", to: "c.yaml")
        try reload()
        #expect((9...11).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
        #expect(daemon.logText.contains("messages.next_poll_seconds"))
        #expect(daemon.logText.contains("nonsense"))
    }

    @Test func `A settings file with a fault changes nothing, and the heartbeat tells it until it is mended`() throws {
        let broken = [
            ("messages:\n  next_poll_seconds: {{ seconds }}\n", "c.yaml:2: messages.next_poll_seconds is not"),
            ("? [a]\n: b\n", "c.yaml:1: the name of a setting is a text"), ("a: [", "c.yaml:1: this is not YAML"),
        ]
        for (turn, (text, reason)) in broken.enumerated() {
            try folder.write(text, to: "c.yaml")
            try reload(turn + 1)
            let heartbeat = try daemon.get("/__heartbeat__")
            #expect(heartbeat.status == 200)
            #expect(heartbeat.json["status"] == "degraded")
            #expect(heartbeat.json["checks"]["settings"] == "degraded")
            #expect(heartbeat.json["reasons"]["settings"][0].string?.contains(reason) == true)
            #expect((9...11).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
        }
        // A publish in the meantime does not change this.
        try app.publish("api", Sample.message("n", ["surface": "notification"]))
        #expect(try daemon.get("/__heartbeat__").json["status"] == "degraded")
        try folder.write("messages:\n  next_poll_seconds: 1000\n", to: "c.yaml")
        try reload(broken.count + 1)
        let heartbeat = try daemon.get("/__heartbeat__").json
        #expect(heartbeat["status"] == "ok")
        #expect(heartbeat["reasons"] == .null)
        #expect((900...1100).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
    }

    @Test func `A bad file at the start is skipped, the others are served`() throws {
        let other = try TemporaryDirectory()
        try other.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try other.write("{", to: "apps/broken/manifest.json")
        try other.write("{", to: "recipes/filed/bad.json")
        try other.write(Sample.message("m").text, to: "recipes/filed/good.json")
        let daemon = try Daemon(["--dev", "--apps", other.path + "/apps", "--recipes", other.path + "/recipes"])
        #expect(try TestApp(on: daemon, named: "filed").keys() == ["m"])
        #expect(try daemon.get("/__heartbeat__").json["status"] == "degraded")
        #expect(daemon.logText.contains("recipes/filed/bad.json"))
        #expect(daemon.logText.contains("apps/broken/manifest.json"))
    }

    @Test func `What was published over the API stays through a reload`() throws {
        try app.publish("api", Sample.message("n", ["surface": "notification"]))
        try reload()
        #expect(try Set(app.keys()) == ["m", "n"])
    }

    @Test func `A file takes over nothing that was published over the API`() throws {
        try app.publish("api", Sample.message("n", ["surface": "notification", "text": "api"]))
        let file = "recipes/filed/api.json"
        try folder.write(Sample.message("n", ["surface": "notification", "text": "file"]).text, to: file)
        try reload()
        func texts() throws -> [String] { try app.poll("c", "&surface=notification").json["messages"].strings("text") }
        #expect(try texts() == ["api"])
        #expect(try daemon.get("/__heartbeat__").json["checks"]["files"] == "degraded")
        #expect(daemon.logText.contains(file) && daemon.logText.contains("published over the API"))
        #expect(try daemon.get("\(app.path)/recipes").json["recipes"][0]["read_only"] == false)
        try FileManager.default.removeItem(atPath: folder.path + "/" + file)
        try reload(2)
        #expect(try texts() == ["api"])
        #expect(try daemon.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test func `A file's recipe whose end has passed is ended, and logged`() throws {
        let over = NimbusRecipe.experiment("over", ["t": NimbusRecipe.survey("n")], ["endDate": "2020-02-01"])
        try folder.write(over.text, to: "recipes/filed/over.json")
        try reload()
        #expect(try daemon.get("\(app.path)/recipes").json["recipes"].strings("state") == ["ended", "live"])
        #expect(daemon.logText.contains("recipe=over") && daemon.logText.contains("recipe ended"))
        #expect(try daemon.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test func `A token that was taken out of the file is unknown after the signal`() throws {
        let folder = try TemporaryDirectory()
        func write(_ names: [String]) throws -> String {
            let lines = try names.map { "  - \($0):client:*:\(try GuardedDaemon.digest($0))\n" }
            return try folder.write("tokens:\n" + lines.joined(), to: "c.yaml")
        }
        let daemon = try Daemon(["--config", try write(["old", "kept"])])
        func status(_ token: String) throws -> Int {
            try daemon.get("/v1/apps/a/messages?client_id=c", headers: GuardedDaemon.bearer(token)).status
        }
        #expect(try (status("old"), status("kept"), status("new")) == (404, 404, 401))
        _ = try write(["kept", "new"])
        daemon.signal(SIGHUP)
        // When the folders have been read, every worker has the settings, too.
        #expect(eventually { daemon.reloads == 1 })
        #expect(try (status("old"), status("kept"), status("new")) == (401, 404, 404))
    }
}
