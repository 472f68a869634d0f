internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherService
internal import BellwetherSettings
internal import EventLoop

/// `bellwether serve`: the daemon (docs/reference/http-api.md#the-command-serve).
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve messages and surveys.",
        discussion: """
            Flags win over the environment (BELLWETHER_HTTP_PORT, …), the environment over the file. When the daemon is \
            ready it prints one line, "listening on http://HOST:PORT". SIGTERM drains, SIGHUP reads the configuration \
            and both folders again.
            """)

    @Option(
        help: ArgumentHelp("The configuration, YAML.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Ask for no token; listens on loopback only.")
    var dev = false

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: Int?

    @Option(help: "Threads that serve connections; 0: one for each processor.")
    var workers: Int?

    @Option(
        help: ArgumentHelp("The data directory: the database, and a lock.", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The store, where it is not the one of the data directory: sqlite:DIR or a postgresql: URI.",
            valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp("Apps: {app}/manifest.json, {app}/strings/{locale}.json.", valueName: "dir"),
        completion: .directory)
    var apps: String?

    @Option(help: ArgumentHelp("Recipes: {app}/*.json.", valueName: "dir"), completion: .directory)
    var recipes: String?

    @Flag(help: "Check the configuration and both folders, and stop.")
    var check = false

    func validate() throws {
        for (option, key, number) in [("--port", "http.port", port), ("--workers", "http.workers", workers)] {
            guard let number, let entry = SettingsTable.entry(key) else { continue }
            guard entry.range?.contains(number) == false else { continue }
            throw ValidationError("\(option) is not \(entry.kind).")
        }
    }

    func run() throws {
        do {
            try serve()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            StandardError.write(Self.sentence(error))
            throw ExitCode(1)
        }
    }

    private func serve() throws {
        let settings = try load()
        LogLevel.current = settings.logLevel
        LogLevel.bootstrap(settings.logFormat, node: settings.store.isShared ? settings.node : nil)
        if check {
            let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
            let report = CheckReport(files)
            try report.print(asJSON: false)
            throw report.hasFaults ? ExitCode(1) : ExitCode.success
        }
        let daemon = try Daemon(settings: settings, reading: load)
        try daemon.run()
    }

    private func load() throws(SettingsError) -> Settings {
        var flags = SettingsFlags()
        flags.isOpen = dev
        flags.set("http.host", host)
        flags.set("http.port", port)
        flags.set("http.workers", workers)
        flags.set("data", data)
        flags.set("store.url", store)
        flags.set("apps", apps)
        flags.set("recipes", recipes)
        return try Settings.load(flags: flags, file: config)
    }

    /// The reason why the daemon does not start.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as SettingsError: error.description
        case let error as ServerError: error.message
        case TokenRefusal.store(let error): error.sentence
        case let error as StoreError: error.sentence
        default: "\(error)"
        }
    }
}
