import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Flags override the environment, which overrides the file; every fault is named
/// (docs/reference/http-api.md#the-command-serve).
@Suite struct ConfigurationTests {
    private func check(
        _ yaml: String?, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Command {
        let folder = try TemporaryDirectory()
        let file = try yaml.map { ["--config", try folder.write($0, to: "c.yaml")] } ?? []
        return try Command.run(
            [BellwetherProgram.path, "serve", "--check"] + file + arguments, environment: environment)
    }

    @Test func `Flags win over the environment, the environment over the file`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("data: \(folder.path)/file\nmessages: {next_poll_seconds: 10}\n", to: "c.yaml")
        func daemon(_ arguments: [String], _ environment: [String: String]) throws -> Daemon {
            try Daemon(["--dev", "--config", file] + arguments, environment: environment)
        }
        func seconds(_ daemon: Daemon) throws -> Int64 {
            try TestApp(on: daemon).poll().json["next_poll_seconds"].integer ?? 0
        }
        #expect((9...11).contains(try seconds(try daemon([], [:]))))
        #expect((90...110).contains(try seconds(try daemon([], ["BELLWETHER_MESSAGES_NEXT_POLL_SECONDS": "100"]))))
        // Every test daemon has a flag for its data directory, which overrides the file's setting.
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/file"))
        let flagged = try daemon(["--workers", "2"], ["BELLWETHER_HTTP_WORKERS": "1"])
        #expect(flagged.logText.contains("workers=2"))
    }

    /// A file, and the name in its one error.
    @Test(
        arguments: [
            ("nonsense: 1", "nonsense"), ("http: {prot: 8080}", "http.prot"), ("http: {port: many}", "http.port"),
            ("http: {port: 70000}", "http.port"), ("http: 8080", "http"), ("tokens: secret", "tokens"),
            ("tokens: [a:b:c]", "tokens"), ("tokens: [\"a:root:*:\(String(repeating: "0", count: 64))\"]", "scope"),
            ("tokens: [\"a:client:*:0123\"]", "digest"),
            ("tokens: [\"a:client:*:\(String(repeating: "0", count: 64)):tomorrow\"]", "expiry"),
            ("telemetry: {behavior: sometimes}", "telemetry.behavior"), ("log: {level: loud}", "log.level"),
            ("sinks: {lake: {to: /srv}}", "sinks.lake.to begins with none of file:, s3:// and kafka://"),
            ("sinks: {lake: {to: 'file:srv'}}", "sinks.lake.to: a folder is file: and an absolute path"),
            ("sinks: {lake: {too: x}}", "there is no setting sinks.lake.too"),
            ("sinks: {lake: {to: 'file:/x', tables: [runs]}}", "\"runs\" is none of events, responses, answers"),
            ("sinks: {lake: {to: 'file:/x', every_seconds: 1}}", "sinks.lake.every_seconds"),
            ("sinks: {LAKE: {to: 'file:/x'}}", "sinks.LAKE: a name has"),
            ("sinks: {lake: {to: 's3://b/x', credentials_file: /none}}", "a bucket's name has"),
            ("sinks: {lake: {to: 'kafka://b:1', options: {acks: '1'}}}", "the option acks cannot be changed"),
            ("log: {format: xml}", "log.format is text or json"),
            ("events: {dedup_days: 0}", "events.dedup_days"), ("cors: {origins: 7}", "cors.origins"),
            ("cors: {origins: ['*']}", "cors.origins: \"*\""),
            ("cors: {origins: ['https://a.example', 'https://a.example/admin']}", "https://a.example/admin"),
            ("public: [glean, telnet]", "public"), ("cirrus: {app: [a]}", "cirrus.app"),
            ("[1, 2]", "mapping"), ("a: [", "c.yaml"), ("limits: {events: -1}", "limits.events"),
            ("limits: {json_depth: 100000}", "limits.json_depth"),
            ("messages: {next_poll_seconds: 0}", "messages.next_poll_seconds"),
            ("http:\n  port: {{ http_port }}", "c.yaml:2: http.port is not a whole number from 0 to 65535"),
            ("data: x\n[a]: b", "c.yaml:2: the name of a setting is a text, not a list"),
            ("http: {port: 1:00:00:00:00:00:00:00:00:00:00:00}", "c.yaml:1: http.port"),
            ("cirrus: {app: \"*\"}", "cirrus.app"), ("node: {name: a b}", "node.name is not 1 to 64 letters"),
            ("node: {name: '-a'}", "node.name"), ("node: {name: \(String(repeating: "a", count: 65))}", "node.name"),
        ])
    func `A fault of the file is named, and the exit is 1`(_ yaml: String, _ name: String) throws {
        let result = try check(yaml)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
    }

    @Test func `All faults are named at once`() throws {
        let result = try check(
            "nonsense: 1\nhttp: {port: many, host: 7}\nlog: {level: loud}\n",
            environment: ["BELLWETHER_LIMITS_EVENTS": "none", "BELLWETHER_TELEMETRY_BEHAVIOR": "perhaps"])
        #expect(result.status == 1)
        for name in ["nonsense", "http.port", "http.host", "log.level", "limits.events", "telemetry.behavior"] {
            #expect(result.errors.contains(name), "\(name): \(result.errors)")
        }
    }

    @Test func `A name and a digest are one token's, and each token that shares one is named`() throws {
        func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }
        let result = try check(
            """
            tokens:
              - a:client:*:\(digest("1"))
              - b:owner:*:\(digest("1"))
              - a:pipeline:*:\(digest("2"))
              - c:client:*:\(digest("3"))
              - c:client:*:\(digest("3"))
              - nonsense
              - caf\u{E9}:client:*:\(digest("4"))
              - cafe\u{301}:client:*:\(digest("5"))
            """)
        #expect(result.status == 1)
        #expect(
            result.errors.split(separator: "\n").map { $0.prefix(46) } == [
                "tokens: number 2 has the digest of number 1", "tokens: number 3 has the name of number 1",
                "tokens: number 5 has the name of number 4", "tokens: number 5 has the digest of number 4",
                "tokens: number 6 is not readable: it is not NA", "tokens: number 8 has the name of number 7",
            ])
        #expect(!result.errors.contains("111"))
    }

    @Test func `A name that nothing reads is a fault, what others set is none`() throws {
        let misspelled = ["BELLWETHER_HTTP_PROT": "1", "BELLWETHER_PORT": "9000", "BELLWETHER_LOG_LEVEL": "debug"]
        let result = try check(nil, environment: misspelled)
        #expect(result.status == 1)
        #expect(
            result.errors == """
                BELLWETHER_HTTP_PROT: there is no such setting
                BELLWETHER_PORT: there is no such setting

                """)
        let fine = [
            "BELLWETHER_TOKEN": "t", "BELLWETHER_URL": "http://127.0.0.1:1", "bellwether_http_prot": "1",
            // The variables that Kubernetes sets for a service of this name.
            "BELLWETHER_SERVICE_HOST": "10.0.0.1", "BELLWETHER_SERVICE_PORT_HTTP": "80",
            "BELLWETHER_PORT": "tcp://10.0.0.1:80", "BELLWETHER_PORT_80_TCP_ADDR": "10.0.0.1",
        ]
        #expect(try check(nil, environment: fine).status == 0)
    }

    @Test func `A file that is not there is told`() throws {
        let result = try Command.bellwether("serve", "--check", "--config", "/nowhere/c.yaml")
        #expect(result.status == 1)
        #expect(result.errors.contains("/nowhere/c.yaml"))
    }

    @Test func `The annotated file says the defaults`() throws {
        #expect(
            try check(
                try String(contentsOfFile: Repository.path + "/config/bellwether.yaml", encoding: .utf8),
                ["--apps", "", "--recipes", ""]
            ).status == 0)
        #expect(try check("").status == 0)
        #expect(try check("http:\n  port:\n").status == 0)
    }

    @Test(
        arguments: [
            ([], 64), (["nonsense"], 64), (["serve", "--prot", "1"], 64), (["serve", "--port", "x"], 64),
            (["serve", "--port", "65536"], 64), (["serve", "--workers", "-1"], 64), (["check"], 64), (["bucket"], 64),
            (["--help"], 0), (["--version"], 0), (["serve", "--help"], 0), (["check", "--help"], 0),
            (["jexl", "--help"], 0), (["bucket", "--help"], 0), (["help"], 0),
        ] as [([String], Int32)])
    func `Usage is 64, help is 0 and on standard output`(_ arguments: [String], _ status: Int32) throws {
        let result = try Command.run([BellwetherProgram.path] + arguments)
        #expect(result.status == (arguments.isEmpty ? result.status : status))
        #expect(result.output.isEmpty == (status != 0 && !arguments.isEmpty))
    }
}
