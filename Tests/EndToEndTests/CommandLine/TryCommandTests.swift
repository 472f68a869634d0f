import Foundation
import TestSupport
import Testing

/// `bellwether try` (docs/reference/http-api.md#the-command-try).
@Suite struct TryCommandTests {
    @Test func `The samples are served, the addresses are printed, and nothing is left behind`() throws {
        let folder = try TemporaryDirectory()
        let command = try RunningCommand(
            [BellwetherProgram.path, "try", "--port", "0"], environment: ["TMPDIR": folder.path])
        let line = try #require(command.readLine(seconds: 60), "\(command.errors)")
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        let samples = ["/console", "/sample/trail-notes", "/sample/firefox-ios"]
        for path in samples {
            let connection = try HTTPConnection(port: port)
            try connection.send("GET", path)
            #expect(try connection.receive().status == 200)
        }
        try waitUntil("the addresses are printed") {
            samples.allSatisfy { command.errors.contains("http://127.0.0.1:\(port)\($0)") }
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(made.count == 1 && made.first?.hasPrefix("bellwether-try.") == true)
        command.signal(SIGTERM)
        #expect(try command.wait() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `Data is kept in the folder of --data`() throws {
        let folder = try TemporaryDirectory()
        let command = try RunningCommand(
            [BellwetherProgram.path, "try", "--port", "0", "--data", folder.path + "/data"])
        _ = try #require(command.readLine(seconds: 60), "\(command.errors)")
        command.signal(SIGTERM)
        #expect(try command.wait() == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/bellwether.sqlite"))
    }
}
