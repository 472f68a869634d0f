internal import ArgumentParser
internal import BellwetherJSON

/// The options that select an app of the running daemon, for each command that uses one.
///
///     @OptionGroup var remote: RemoteAppOptions
///     …
///     let (daemon, app) = try remote.target()
struct RemoteAppOptions: ParsableArguments {
    @OptionGroup var remote: RemoteOptions

    @Option(help: "The app's name in the daemon. Default: the only one that the token may see.")
    var app: String?

    /// The daemon and the app's name. Invalid options, or options that do not determine the app, are a usage error.
    func target() throws -> (daemon: RemoteDaemon, app: String) {
        let daemon = try remote.daemon()
        return (daemon, try app ?? Self.onlyApp(of: daemon))
    }

    private static func onlyApp(of daemon: RemoteDaemon) throws -> String {
        let apps: [String]
        do throws(RemoteFailure) {
            apps = (try daemon.json(RemoteRequest("GET", "v1", "apps")).object?["apps"]?.array ?? [])
                .compactMap { $0.object?["app"]?.string }
        } catch {
            guard case .refused(let response) = error, response.status == 403 else { throw error }
            throw ValidationError("Give --app: the token may not ask which apps there are.")
        }
        guard let first = apps.first else { throw ValidationError("The daemon has no app that the token may see.") }
        guard apps.count == 1 else {
            throw ValidationError("Give --app, one of: \(apps.joined(separator: ", ").plain).")
        }
        return first
    }
}
