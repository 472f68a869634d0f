internal import ArgumentParser
internal import BellwetherBase
internal import BellwetherService
internal import Foundation

/// `bellwether audit digest`: what the audit's records of erasures and exports call a client or a user.
struct AuditDigest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Print what the audit calls a client or a user.",
        discussion: """
            Records of erasures and exports have no id, but an HMAC of it under the secret of the data directory. Who has \
            the id finds with it whether, when and by whom the client was erased: \
            bellwether audit list --json | grep "$(bellwether audit digest --data DIR --app APP ID)"
            """)

    @Option(help: ArgumentHelp("The daemon's data directory, or a backup.", valueName: "dir"))
    var data: String

    @Option(help: "The app.")
    var app: String

    @Flag(help: "The id is a user's.")
    var user = false

    @Argument(help: ArgumentHelp("The client's id, or with --user the user's.", valueName: "client"))
    var id: String

    func run() throws {
        // Reading it where there is none would make one.
        guard FileManager.default.fileExists(atPath: data + "/secret") else {
            StandardError.write("\(data)/secret: there is none; the daemon makes it at its first start")
            throw ExitCode(1)
        }
        do {
            let secret = try InstallationSecret.read(in: data)
            let person: Person =
                user ? .user(UserReference(app: app, id: id)) : .client(ClientReference(app: app, id: id))
            let digest = ClientDigest.make(person, secret: secret)
            try StandardOutput.writeLine(Digest.hex(digest))
        } catch {
            StandardError.write("\(error)")
            throw ExitCode(1)
        }
    }
}
