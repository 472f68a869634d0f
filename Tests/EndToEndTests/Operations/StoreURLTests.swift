import Foundation
import TestSupport
import Testing

/// A store is opened by its URL (docs/reference/http-api.md#the-store).
@Suite struct StoreURLTests {
    private static let shared = "postgresql://bell:secret-words@db.invalid/bellwether"

    @Test func `A daemon and commands open a directory by its URL`() throws {
        let folder = try TemporaryDirectory()
        let url = "sqlite:\(folder.path)/data%2Bstore"
        let daemon = try Daemon(["--store", url])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data+store/bellwether.sqlite"))
        #expect(daemon.logText.contains("data+store"))
        let verdict = try Command.bellwether("audit", "verify", "--store", url)
        #expect(verdict.status == 0 && verdict.output.contains("whole"), "\(verdict.errors)")
        let absolute = "sqlite://\(folder.path)/data+store"
        let backup = try Command.bellwether("backup", "--store", absolute, folder.path + "/b")
        #expect(backup.status == 0, "\(backup.errors)")
    }

    @Test func `A database that cannot be reached is told of in a sentence without the password`() throws {
        let folder = try TemporaryDirectory()
        for arguments in [
            ["serve", "--port", "0", "--store", Self.shared], ["audit", "verify", "--store", Self.shared],
            ["export", "--app", "a", "--day", "2026-11-21", "--store", Self.shared],
        ] {
            let result = try Command.run([BellwetherProgram.path] + arguments)
            #expect(result.status == 1 && result.errors.contains("PostgreSQL cannot be reached"), "\(result.errors)")
            #expect(!result.errors.contains("secret-words"))
        }
        let backup = try Command.run([BellwetherProgram.path, "backup", "--store", Self.shared, folder.path + "/b"])
        #expect(backup.status == 1 && backup.errors.contains("pg_basebackup"), "\(backup.errors)")
        let malformed = ["serve", "--check", "--store", "postgresql://bell:secret-words@db/?nonsense=1"]
        let result = try Command.run([BellwetherProgram.path] + malformed)
        #expect(result.status == 1 && result.errors.contains("store.url: it is not written as postgresql://"))
        #expect(!result.errors.contains("secret-words"))
    }

    @Test(arguments: ["mysql:x", "x", "sqlite:", "sqlite://host/x", "sqlite:%zz"])
    func `Another URL is a fault of the settings`(_ url: String) throws {
        let result = try Command.bellwether("serve", "--check", "--store", url)
        #expect(result.status == 1 && result.errors.contains("store.url"), "\(result.errors)")
    }

    @Test func `A folder beside a shared store is a fault, but for development`() throws {
        let folder = try TemporaryDirectory()
        let arguments = ["serve", "--check", "--store", Self.shared, "--recipes", folder.path]
        #expect(try Command.run([BellwetherProgram.path] + arguments).errors.contains("recipes: a folder"))
        #expect(try !Command.run([BellwetherProgram.path] + arguments + ["--dev"]).errors.contains("recipes: a folder"))
    }
}
