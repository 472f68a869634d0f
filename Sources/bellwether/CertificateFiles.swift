internal import BellwetherAPI
internal import Dispatch
internal import EventLoop
internal import Logging
internal import Synchronization

/// The files of the certificates. Changed ones go to the server. Files that cannot be used change nothing: the log and
/// the heartbeat say why (docs/reference/tls.md#renewal).
final class CertificateFiles: Sendable {
    let state: CertificateState
    /// The certificates at the start.
    let credentials: TLSCredentials
    private let secret: [UInt8]
    private let logger: Logger
    private let current: Mutex<Current>

    private struct Current {
        var settings: TLSSettings
        /// The content that the server uses.
        var content: TLSSettings.Content
    }

    init(_ settings: TLSSettings, secret: [UInt8], logger: Logger) throws(SettingsError) {
        (self.secret, self.logger) = (secret, logger)
        let content = try settings.read()
        credentials = try content.credentials(secret: secret)
        state = CertificateState(CertificateState.Value(notAfter: credentials.notAfter))
        current = Mutex(Current(settings: settings, content: content))
    }

    /// Reads the files again.
    ///
    /// - Parameter settings: the settings of a reload; nil for those of before.
    func look(_ settings: TLSSettings?, _ server: Server) {
        current.withLock { current in
            if let settings { current.settings = settings }
            do throws(SettingsError) {
                let content = try current.settings.read()
                if content == current.content {
                    state.value.faults = []
                    return
                }
                let credentials = try content.credentials(secret: secret)
                server.follow(credentials)
                current.content = content
                state.value = CertificateState.Value(notAfter: credentials.notAfter)
                logger.notice("the certificates changed", metadata: ["not_after": "\(credentials.notAfter)"])
            } catch {
                guard state.value.faults != error.sentences else { return }
                state.value.faults = error.sentences
                let reason = error.sentences.joined(separator: "; ")
                logger.error("the certificates were not changed", metadata: ["reason": "\(reason)"])
            }
        }
    }
}

/// Looks at the files of the certificates each minute.
final class CertificateTimer {
    private static let seconds = 60
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.certificates"))

    init(_ files: CertificateFiles, _ server: Server) {
        source.schedule(deadline: .now() + .seconds(Self.seconds), repeating: .seconds(Self.seconds))
        source.setEventHandler { files.look(nil, server) }
        source.resume()
    }

    func cancel() { source.cancel() }
}
