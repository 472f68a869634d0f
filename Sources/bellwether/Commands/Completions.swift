internal import ArgumentParser
internal import BellwetherCommands

/// `bellwether completions`: the script with which a shell completes the program's commands and options.
struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a completion script for a shell.",
        discussion: """
            bash: bellwether completions bash > ~/.local/share/bash-completion/completions/bellwether. \
            zsh: bellwether completions zsh > _bellwether, in a folder of $fpath. \
            fish: bellwether completions fish > ~/.config/fish/completions/bellwether.fish.
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        fileprivate var parsed: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run() throws { try StandardOutput.writeLine(Bellwether.completionScript(for: shell.parsed)) }
}
