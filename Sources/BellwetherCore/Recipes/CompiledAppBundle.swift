public import BellwetherBase
public import BellwetherJSON

/// An app's compiled app as a device gets it: the body of `GET /v1/apps/{app}/bundle`, read
/// (docs/reference/http-api.md#the-bundle).
///
/// Whoever decides from it decides as the daemon that wrote it, as long as the state of the client is the same.
public struct CompiledAppBundle: Sendable {
    public let compiledApp: CompiledApp
    /// When the daemon published it.
    public let generatedAt: Timestamp

    /// Grows with every publish in the app.
    public var revision: UInt64 { compiledApp.catalog.revision }
}

extension JSONLimits {
    /// All documents of an app together, two levels deeper than each stands by itself. A daemon that was set to accept
    /// deeper ones needs readers with a greater limit.
    public static let bundle = JSONLimits(depth: 66, bytes: 256 << 20, values: 16_000_000)
}
