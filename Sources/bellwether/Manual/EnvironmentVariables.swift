/// What a command reads out of the environment, for its manual page.
enum EnvironmentVariables {
    struct Variable {
        let name: String
        let help: String
    }

    static func of(_ command: CommandDescription) -> [Variable] {
        var variables: [Variable] = []
        if command.arguments.contains(where: { $0.names.contains("--token-file") }) {
            variables += [
                Variable(name: "BELLWETHER_TOKEN", help: "The token, where no --token-file names one."),
                Variable(name: "BELLWETHER_URL", help: "The daemon, where no --url names one."),
            ]
        }
        if command.path == ["bellwether", "serve"] { variables += settings }
        return variables + [Variable(name: "NO_COLOR", help: "Where it is set and not empty, nothing is coloured.")]
    }

    /// Every setting has one; the configuration that comes with the program says what each means.
    private static let settings = SettingsTable.entries.map { entry in
        let name = entry.key.uppercased().map { $0 == "." ? "_" : $0 }
        return Variable(name: "BELLWETHER_" + String(name), help: "The setting \(entry.key).")
    }
}
