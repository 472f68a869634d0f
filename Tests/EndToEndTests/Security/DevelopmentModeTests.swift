import BellwetherJSON
import TestSupport
import Testing

/// `--dev` (docs/reference/http-api.md#development-mode).
@Suite struct DevelopmentModeTests {
    @Test func `It asks for no token, and says so loudly`() throws {
        let daemon = try Daemon()
        #expect(try daemon.get("/v1/apps").json == ["apps": []])
        #expect(daemon.logText.contains("warning"))
        #expect(daemon.logText.contains("no token is asked for"))
    }

    @Test func `A page of another site reaches nothing that asks for no token`() throws {
        let daemon = try Servers.shared()
        let body = Array(#"{"scope": "admin", "app": "*"}"#.utf8)
        for headers in [
            ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"],
            ["Host": "evil.example:\(daemon.port)"],
        ] {
            let answer = try daemon.send("POST", "/v1/tokens", headers: headers, body: body)
            #expect(expectProblem(answer, 403).count == 1)
        }
        let typeless = try daemon.send("POST", "/v1/tokens", headers: ["Content-Type": "text/plain"], body: body)
        expectProblem(typeless, 415)
        #expect(typeless.json["detail"].string?.contains("curl --json") == true)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "example.org"])
    func `It refuses any address but loopback`(_ host: String) throws {
        let folder = try TemporaryDirectory()
        let result = try Command.bellwether(
            "serve", "--dev", "--host", host, "--port", "0", "--data", folder.path + "/d")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("loopback"))
        #expect(result.errors.contains(host))
    }

    @Test func `No file and no variable can switch it on`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("dev: true\n", to: "c.yaml")
        #expect(try Command.bellwether("serve", "--config", file, "--check").status == 1)
        let result = try Command.bellwether("serve", "--check", environment: ["BELLWETHER_DEV": "true"])
        #expect(result.status == 1 && result.errors.contains("BELLWETHER_DEV: there is no such setting"))
    }
}
