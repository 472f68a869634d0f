internal import ArgumentParser
internal import BellwetherCommands
internal import FoundationEssentials
internal import Glibc

/// `bellwether try`: serves the samples (docs/reference/http-api.md#the-command-try).
struct Try: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the samples, to look at them in a browser.",
        discussion: """
            Starts the daemon for development, as `bellwether serve --dev` does, with the apps and recipes that came with \
            the program, and says which addresses to open. Ctrl-C ends it. Without --data nothing is kept.
            """)

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: Int?

    @Option(
        help: ArgumentHelp("The data directory. Default: a temporary one.", valueName: "dir"),
        completion: .directory)
    var data: String?

    func run() throws {
        guard let samples = Self.samples else {
            StandardError.write("The samples (config, recipes) are not beside the program, nor in share/bellwether.")
            throw ExitCode(1)
        }
        // The file of settings names these tables by paths of the samples' folder.
        for (name, file) in [("CITIES", "cities.tsv.gz"), ("REGIONS", "regions.tsv")] {
            setenv("BELLWETHER_LOCATIONS_\(name)", "\(samples)/config/locations/\(file)", 0)
        }
        var arguments = [
            "--dev", "--config", "\(samples)/config/bellwether.yaml", "--apps", "\(samples)/config/apps",
            "--recipes", "\(samples)/recipes",
        ]
        if let port { arguments += ["--port", "\(port)"] }
        let temporary = data == nil ? try Self.temporaryFolder() : nil
        defer { if let temporary { try? FileManager.default.removeItem(atPath: temporary) } }
        try Serve.parse(arguments + ["--data", data ?? temporary ?? ""]).run()
    }

    /// The folder with the samples: the program's own (an archive), that of a package, or the current one (a clone).
    private static var samples: String? {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
        return [folder, folder + "/../share/bellwether", "."].first {
            FileAccess.exists($0 + "/config/bellwether.yaml") && FileAccess.isFolder($0 + "/recipes")
        }
    }

    private static func temporaryFolder() throws -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((parent + "/bellwether-try.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            StandardError.write("A temporary directory cannot be made in \(parent); name one with --data.")
            throw ExitCode(1)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
