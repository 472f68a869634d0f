import TestSupport
import Testing

/// `bellwether completions`, run in the shell.
@Suite struct CompletionsCommandTests {
    /// The completions that bash offers for the last word when Tab is pressed.
    private static func offers(_ words: String..., in folder: String = "/") throws -> [String] {
        let script = """
            source <("$1" completions bash) || exit 9
            cd "$2"; shift 2
            function=$(complete -p bellwether | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            COMP_WORDS=(bellwether "$@"); COMP_CWORD=$#
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            "$function" bellwether "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Command.run(["bash", "-c", script, "bash", BellwetherProgram.path, folder] + words)
        #expect(result.status == 0 && result.errors == "")
        return result.lines.sorted()
    }

    @Test func `Commands, options and values are offered`() throws {
        #expect(try Self.offers("pu") == ["push"])
        #expect(try Self.offers("token", "").contains("create"))
        #expect(try Self.offers("token", "li") == ["list"])
        #expect(try Self.offers("tail", "--from") == ["--from-start"])
        #expect(try Self.offers("push", "--app", "a", "--dr") == ["--draft", "--dry-run"])
        #expect(try Self.offers("token", "create", "--scope", "o") == ["owner"])
        #expect(try Self.offers("export", "--format", "") == ["csv", "ndjson", "parquet"])
        #expect(try Self.offers("completions", "") == ["bash", "fish", "zsh"])
        let commands = ProgramCommands.all.filter { $0.path.count == 1 }.compactMap(\.path.first)
        #expect(try Set(Self.offers("")).isSuperset(of: commands))
    }

    @Test func `Files and folders are offered where they are wanted`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("{}", to: "recipes/one.json")
        try folder.write("", to: "bellwether.yaml")
        #expect(try Self.offers("push", "recipes/", in: folder.path) == ["recipes/one.json"])
        #expect(try Self.offers("check", "--apps", "", in: folder.path) == ["recipes"])
        #expect(try Self.offers("serve", "--config", "b", in: folder.path) == ["bellwether.yaml"])
    }

    @Test(arguments: [("bash", "complete "), ("zsh", "#compdef bellwether"), ("fish", "complete -c 'bellwether'")])
    func `There is a script for each shell`(_ shell: String, _ part: String) throws {
        let result = try Command.bellwether("completions", shell)
        #expect(result.status == 0 && result.output.contains(part))
        #expect(try Command.bellwether("--generate-completion-script", shell).output == result.output)
    }

    @Test func `Another shell is a wrong use`() throws {
        #expect(try Command.bellwether("completions", "csh").status == 64)
        #expect(try Command.bellwether("completions").status == 64)
    }
}
