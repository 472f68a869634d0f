internal import ArgumentParser
internal import BellwetherJSON

/// A command as it describes itself, with all that are below it: what manual pages are made of.
struct CommandDescription {
    struct Argument {
        enum Kind: String {
            case positional, option, flag
        }

        let kind: Kind
        /// As it is typed, `--json`; of a positional one, its value's name.
        let names: [String]
        let valueName: String
        let isOptional: Bool
        let isRepeating: Bool
        let defaultValue: String?
        let choices: [String]
        let help: String
    }

    /// `bellwether`, `token`, `create`.
    let path: [String]
    let abstract: String
    let discussion: String
    let arguments: [Argument]
    let subcommands: [CommandDescription]

    /// The whole program. The dump of the argument parser (`--experimental-dump-help`) is the command tree itself.
    static func program() -> CommandDescription? {
        let dump = try? JSONValue(parsing: Bellwether._dumpHelp())
        return dump?.object?["command"]?.object.map { CommandDescription($0, below: []) }
    }

    private init(_ command: JSONObject, below parents: [String]) {
        path = parents + [command["commandName"]?.string ?? ""]
        abstract = command["abstract"]?.string ?? ""
        discussion = command["discussion"]?.string ?? ""
        arguments = Self.shown(command["arguments"]).compactMap(Argument.init)
        // The parser's own `help` says what --help says.
        subcommands = Self.shown(command["subcommands"]).filter { $0["commandName"]?.string != "help" }
            .map { [path] in CommandDescription($0, below: path) }
    }

    private static func shown(_ list: JSONValue?) -> [JSONObject] {
        (list?.array ?? []).compactMap(\.object).filter { $0["shouldDisplay"]?.bool != false }
    }

    /// This one and all below it, those above first.
    var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

    /// The command of these names below this one.
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
