/// The manual page of a command in mdoc(7), made from the command's description.
package struct ManualPage {
    private let command: CommandDescription
    private let program: CommandDescription

    package init(command: CommandDescription, program: CommandDescription) {
        (self.command, self.program) = (command, program)
    }

    /// The file's name, such as `bellwether-token-create.1`.
    package var fileName: String { Self.name(of: command) + ".1" }

    private static func name(of command: CommandDescription) -> String { command.path.joined(separator: "-") }

    package var text: String {
        var page = ManualText()
        let name = Self.name(of: command)
        page.macro("Dd", Version.date)
        page.macro("Dt", name.uppercased(), "1")
        page.macro("Os")
        page.macro("Sh", "NAME")
        page.macro("Nm", name)
        page.macro("Nd", ManualText.argument(Self.phrase(command.abstract)))
        addSynopsis(to: &page)
        addDescription(to: &page)
        addCommands(to: &page)
        addEnvironment(to: &page)
        addExitStatus(to: &page)
        addSeeAlso(to: &page)
        return page.lines.joined(separator: "\n") + "\n"
    }

    /// A sentence in the form for the text after a dash.
    private static func phrase(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private func addSynopsis(to page: inout ManualText) {
        page.macro("Sh", "SYNOPSIS")
        page.macro("Nm", "\"\(command.path.joined(separator: " "))\"")
        for argument in command.arguments where !Self.isCommon(argument) {
            if argument.isOptional {
                page.macro("Op", argument.macros)
            } else if argument.kind == .positional {
                page.macro("Ar", argument.valueText)
            } else {
                page.macro("Fl", String(argument.macros.dropFirst("Fl ".count)))
            }
        }
        if !command.subcommands.isEmpty { page.macro("Ar", "command") }
    }

    /// Whether the argument belongs to every command.
    private static func isCommon(_ argument: CommandDescription.Argument) -> Bool {
        argument.names.contains { ["--help", "--version"].contains($0) }
    }

    private func addDescription(to page: inout ManualText) {
        page.macro("Sh", "DESCRIPTION")
        page.prose(command.abstract)
        if !command.discussion.isEmpty {
            page.macro("Pp")
            page.prose(command.discussion)
        }
        guard !command.arguments.isEmpty else { return }
        page.macro("Bl", "-tag", "-width", "Ds")
        for argument in command.arguments {
            page.macro("It", argument.macros)
            page.prose(argument.sentences)
        }
        page.macro("El")
    }

    private func addCommands(to page: inout ManualText) {
        guard !command.subcommands.isEmpty else { return }
        page.macro("Sh", "COMMANDS")
        page.macro("Bl", "-tag", "-width", "Ds")
        for subcommand in command.subcommands {
            page.macro("It", "Xr", Self.name(of: subcommand), "1")
            page.prose(subcommand.abstract)
        }
        page.macro("El")
    }

    private func addEnvironment(to page: inout ManualText) {
        let variables = EnvironmentVariables.of(command)
        page.macro("Sh", "ENVIRONMENT")
        page.macro("Bl", "-tag", "-width", "Ds")
        for variable in variables {
            page.macro("It", "Ev", variable.name)
            page.prose(variable.help)
        }
        page.macro("El")
    }

    private func addExitStatus(to page: inout ManualText) {
        page.macro("Sh", "EXIT", "STATUS")
        page.macro("Bl", "-tag", "-width", "Ds")
        for (status, meaning) in [
            ("0", "All is well."), ("1", "Something was found, or refused."), ("64", "The command line is wrong."),
        ] {
            page.macro("It", status)
            page.prose(meaning)
        }
        page.macro("El")
    }

    private func addSeeAlso(to page: inout ManualText) {
        let parent = program.command(command.path.dropFirst().dropLast())
        let others = (command.path.count > 1 ? parent.map { [$0] } ?? [] : []) + command.subcommands
        guard !others.isEmpty else { return }
        page.macro("Sh", "SEE", "ALSO")
        let names = others.map(Self.name(of:)).sorted()
        for (index, name) in names.enumerated() {
            if index < names.count - 1 { page.macro("Xr", name, "1", ",") } else { page.macro("Xr", name, "1") }
        }
    }
}

extension CommandDescription.Argument {
    /// The name of the value, with `...` if it may be repeated.
    fileprivate var valueText: String { ManualText.argument(valueName) + (isRepeating ? " ..." : "") }

    /// The rest of a macro line, such as `Fl -limit Ar limit`.
    fileprivate var macros: String {
        guard kind != .positional else { return "Ar " + valueText }
        let names = names.map { "Fl " + ManualText.argument($0.dropFirst()) }.joined(separator: " , ")
        return kind == .flag ? names : names + " Ar " + valueText
    }

    fileprivate var sentences: String {
        var text = help
        if !choices.isEmpty { text += " One of \(choices.joined(separator: ", "))." }
        if let defaultValue, !defaultValue.isEmpty { text += " Default: \(defaultValue)." }
        return text
    }
}
