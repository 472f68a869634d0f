import Foundation

/// The daemon with its own data directory. It has one worker by default and serves the sample app with the benchmark's
/// recipes.
final class BellwetherServer: RunningServer {
    let port: Int
    private let child: Child
    var pid: pid_t { child.pid }

    /// Starts the daemon on a new folder of the work directory, with its own recipes.
    convenience init(
        named name: String, recipes: Int, of kind: SampleRecipe.Kind = .messages, settings: [String: String] = [:],
        bench: Workbench
    ) throws {
        let folder = "\(bench.directory)/\(name)"
        try SampleApp(recipes: recipes, kind: kind).write(to: folder, from: bench.app)
        try self.init(on: folder, settings: settings, bench: bench)
    }

    /// Starts the daemon on a folder that ``SampleApp`` has written, and on the data in that folder.
    /// - Parameter settings: the settings that differ from the defaults, by their names in the environment.
    init(on folder: String, workers: Int = 1, settings: [String: String] = [:], bench: Workbench) throws {
        let command = try Self.command(on: folder, workers: workers, settings: settings, bench: bench)
        child = try Child(command, core: bench.serverCore, log: "\(folder)/log")
        // The daemon writes and flushes this line when it is ready (docs/reference/http-api.md#the-command-serve).
        let prefix = "listening on http://127.0.0.1:"
        var found: Int?
        let child = self.child
        try child.waitUntil("line «\(prefix)PORT»", within: 300) {
            let line = child.text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
            guard line.hasPrefix(prefix), child.text.contains("\n") else { return false }
            found = Int(line.dropFirst(prefix.count))
            return true
        }
        guard let found else { throw Failure("the daemon printed \(child.text)") }
        port = found
    }

    func stop() { child.stop() }

    static func command(
        on folder: String, workers: Int = 1, port: Int = 0, settings: [String: String] = [:], bench: Workbench
    ) throws -> [String] {
        guard FileManager.default.isExecutableFile(atPath: bench.program) else {
            throw Failure("\(bench.program) is not there: make release")
        }
        return ["env"] + settings.map { "BELLWETHER_\($0.key)=\($0.value)" } + [
            bench.program, "serve", "--dev", "--workers", "\(workers)", "--port", "\(port)",
            "--data", "\(folder)/data", "--apps", "\(folder)/apps", "--recipes", "\(folder)/recipes",
        ]
    }
}
