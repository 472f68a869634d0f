internal import ArgumentParser

/// `bellwether check`: reports every fault of manifests, strings and recipes, with file, pointer and line
/// (docs/reference/http-api.md#the-command-check).
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check manifests, strings and recipes.",
        discussion: """
            A path is a file, or a folder laid out as `serve` reads it: {app}/manifest.json, {app}/strings/{locale}.json \
            and {app}/*.json. A file may also hold {"data": [recipe, …]}. A recipe is checked under the manifest of its \
            app among the paths or in --apps; without one, as far as that goes. Exits with 1 if there is a fault.
            """)

    @Option(
        help: ArgumentHelp("Where manifests are that are not among the paths.", valueName: "dir"),
        completion: .directory)
    var apps: String?

    @Flag(help: "Every warning is a fault.")
    var strict = false

    @Flag(help: "One JSON object a finding, a line each.")
    var json = false

    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    func run() throws {
        let report = CheckReport(PathReading(paths, apps: apps), isStrict: strict)
        try report.print(asJSON: json)
        if report.hasFaults { throw ExitCode(1) }
    }
}
