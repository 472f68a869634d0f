internal import ArgumentParser
internal import BellwetherJSON

/// The description of a command and its subcommands, for manual pages.
struct CommandDescription {
    struct Argument {
        enum Kind: String {
            case positional, option, flag
        }

        let kind: Kind
        /// The names as the user types them, such as `--json`; for a positional argument, the name of its value.
        let names: [String]
        let valueName: String
        let isOptional: Bool
        let isRepeating: Bool
        let defaultValue: String?
        let choices: [String]
        let help: String
    }

    /// The names of the command and its parents, such as `bellwether`, `token`, `create`.
    let path: [String]
    let abstract: String
    let discussion: String
    let arguments: [Argument]
    let subcommands: [CommandDescription]

    /// The description of the whole program. It comes from the argument parser's dump of the command tree
    /// (`--experimental-dump-help`).
    static func program() -> CommandDescription? {
        let dump = try? JSONValue(parsing: Bellwether._dumpHelp())
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
    var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

    /// The subcommand with this path of names.
    func command(_ names: ArraySlice<String>) -> CommandDescription? {
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
