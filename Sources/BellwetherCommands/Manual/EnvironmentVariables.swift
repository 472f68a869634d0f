internal import BellwetherSettings

/// The environment variables that commands read.
package enum EnvironmentVariables {
    package struct Variable {
        package let name: String
        package let help: String
    }

    /// The variables of the commands that use a running daemon.
    package static let remote = [
        Variable(name: "BELLWETHER_TOKEN", help: "The token, where no --token-file names one."),
        Variable(name: "BELLWETHER_URL", help: "The daemon, where no --url names one."),
    ]

    /// The variables for a command's manual page.
    package static func of(_ command: CommandDescription) -> [Variable] {
        var variables: [Variable] = []
        if command.arguments.contains(where: { $0.names.contains("--token-file") }) {
            variables += remote
        }
        if command.path == ["bellwether", "serve"] { variables += settings }
        return variables + [Variable(name: "NO_COLOR", help: "Where it is set and not empty, nothing is coloured.")]
    }

    /// The variables of all settings. The configuration file in the distribution explains each setting.
    private static let settings = SettingsTable.entries.map {
        Variable(name: $0.variable, help: "The setting \($0.key).")
    }

    /// The names with Bellwether's prefix that nothing reads, which probably are misspelled settings.
    package static func unknown(in environment: [String: String]) -> [String] {
        let known = Set((settings + remote).map(\.name))
        return environment.filter { name, value in
            name.hasPrefix("BELLWETHER_") && !known.contains(name) && !isOfKubernetes(name, value)
        }.keys.sorted()
    }

    /// Whether Kubernetes sets the variable. It does so in each container, for a service whose name begins with
    /// bellwether (Pod, `enableServiceLinks`).
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        name.contains(/_SERVICE_(HOST|PORT)/) || name.contains(/_PORT_[0-9]+_(TCP|UDP|SCTP)/)
            || name.hasSuffix("_PORT") && value.contains("://")
    }
}
