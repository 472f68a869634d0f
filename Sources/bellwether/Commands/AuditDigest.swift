internal import ArgumentParser
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether audit digest`: the name of a client or a user in the audit's records of erasures and exports.
struct AuditDigest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Print what the audit calls a client or a user.",
        discussion: """
            Records of erasures and exports have no id, but an HMAC of it under the secret of the data directory. Who has \
            the id finds with it whether, when and by whom the client was erased: \
            bellwether audit list --json | grep "$(bellwether audit digest --data DIR --app APP ID)"
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "The app.")
    var app: String

    @Flag(help: "The id is a user's.")
    var user = false

    @Argument(help: ArgumentHelp("The client's id, or with --user the user's.", valueName: "client"))
    var id: String

    func run() throws {
        let location = try store.location()
        let (app, id) = (Identifier(app), Identifier(id))
        let text: String
        do throws(StoreError) {
            let secret = try location.secret()
            let person: Person =
                user ? .user(UserReference(app: app, id: id)) : .client(ClientReference(app: app, id: id))
            text = Digest.hex(ClientDigest.make(person, secret: secret))
        } catch {
            StandardError.write(error.sentence)
            throw ExitCode(1)
        }
        try StandardOutput.writeLine(text)
    }
}
