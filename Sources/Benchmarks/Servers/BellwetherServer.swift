import Foundation

/// The daemon with one worker on its own data directory, serving the sample app with the benchmark's recipes.
final class BellwetherServer: RunningServer {
    let port: Int
    private let child: Child
    var pid: pid_t { child.pid }

    init(named name: String, recipes: Int, of kind: SampleRecipe.Kind = .messages, bench: Workbench)
        throws
    {
        guard FileManager.default.isExecutableFile(atPath: bench.program) else {
            throw Failure("\(bench.program) is not there: make release")
        }
        let folder = "\(bench.directory)/\(name)"
        try SampleApp(recipes: recipes, kind: kind).write(to: folder, from: bench.app)
        let arguments = [
            "serve", "--dev", "--workers", "1", "--port", "0",
            "--data", "\(folder)/data", "--apps", "\(folder)/apps", "--recipes", "\(folder)/recipes",
        ]
        child = try Child([bench.program] + arguments, core: bench.serverCore, log: "\(bench.directory)/\(name)-log")
        // api.md 5: this one line, flushed, when it is ready.
        let prefix = "listening on http://127.0.0.1:"
        var found: Int?
        let child = self.child
        try child.waitUntil("line «\(prefix)PORT»", within: 20) {
            let line = child.text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
            guard line.hasPrefix(prefix), child.text.contains("\n") else { return false }
            found = Int(line.dropFirst(prefix.count))
            return true
        }
        guard let found else { throw Failure("the daemon printed \(child.text)") }
        port = found
    }

    func stop() { child.stop() }
}
