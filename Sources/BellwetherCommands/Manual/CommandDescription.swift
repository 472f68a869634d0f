package import ArgumentParser
internal import BellwetherJSON

/// The description of a command and its subcommands, for manual pages.
package struct CommandDescription {
    package struct Argument {
        package enum Kind: String {
            case positional, option, flag
        }

        package let kind: Kind
        /// The names as the user types them, such as `--json`; for a positional argument, the name of its value.
        package let names: [String]
        package let valueName: String
        package let isOptional: Bool
        package let isRepeating: Bool
        package let defaultValue: String?
        package let choices: [String]
        package let help: String
    }

    /// The names of the command and its parents, such as `bellwether`, `token`, `create`.
    package let path: [String]
    package let abstract: String
    package let discussion: String
    package let arguments: [Argument]
    package let subcommands: [CommandDescription]

    /// The description of a command. It comes from the argument parser's dump of the command tree
    /// (`--experimental-dump-help`).
    package static func of(_ program: any ParsableCommand.Type) -> CommandDescription? {
        let dump = try? JSONValue(parsing: program._dumpHelp())
        return dump?.object?["command"]?.object.map { CommandDescription($0, below: []) }
    }

    private init(_ command: JSONObject, below parents: [String]) {
        path = parents + [command["commandName"]?.string ?? ""]
        abstract = command["abstract"]?.string ?? ""
        discussion = command["discussion"]?.string ?? ""
        arguments = Self.shown(command["arguments"]).compactMap(Argument.init)
        // The parser's own command `help` has the same output as --help.
        subcommands = Self.shown(command["subcommands"]).filter { $0["commandName"]?.string != "help" }
            .map { [path] in CommandDescription($0, below: path) }
    }

    private static func shown(_ list: JSONValue?) -> [JSONObject] {
        (list?.array ?? []).compactMap(\.object).filter { $0["shouldDisplay"]?.bool != false }
    }

    /// This command and all its subcommands; a command comes before its subcommands.
    package var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

    /// The subcommand with this path of names.
    package func command(_ names: ArraySlice<String>) -> CommandDescription? {
        guard let name = names.first else { return self }
        return subcommands.first { $0.path.last == name }?.command(names.dropFirst())
    }
}

extension CommandDescription.Argument {
    fileprivate init?(_ argument: JSONObject) {
        guard let kind = argument["kind"]?.string.flatMap(Kind.init) else { return nil }
        self.kind = kind
        valueName = argument["valueName"]?.string ?? ""
        names =
            kind == .positional
            ? [valueName]
            : (argument["names"]?.array ?? []).compactMap(\.object).map { name in
                (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
            }
        isOptional = argument["isOptional"]?.bool ?? false
        isRepeating = argument["isRepeating"]?.bool ?? false
        defaultValue = argument["defaultValue"]?.string
        choices = (argument["allValues"]?.array ?? []).compactMap(\.string)
        help = argument["abstract"]?.string ?? ""
    }
}
