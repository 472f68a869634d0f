public import BellwetherBase
public import BellwetherJSON

/// An app as its owner declares it: what Nimbus calls the feature manifest (docs/reference/http-api.md#manifest).
public struct Manifest: Sendable {
    public let appName: String
    public let channel: String?
    /// The text that replaces `%@`; the app's name when the manifest gives none.
    public let shortName: String
    /// Prefixed to action URLs that start with `://`.
    public let deepLinkScheme: String?
    public let defaultLocale: String
    public let dialect: Dialect
    /// Declared attributes over the SDK's own.
    public let attributes: [String: AttributeType]
    public let surfaces: [String]
    public let privacy: PrivacyLink?
    /// The `messaging` feature's defaults, aliases normalised: built-ins not yet merged in.
    public let messaging: JSONObject
    /// The features that are remote configuration, in the order of the document.
    public let features: [FeatureDeclaration]
    /// The pacing that holds over all messages.
    public let pacing: AppPacing?
    public let identity: AppIdentity
    public let web: WebPolicy
    public let theme: Theme?
    public let document: JSONValue
    public let vocabulary: MessagingVocabulary
    /// Built-ins with the manifest's messaging over them, as the SDK reads it: the lowest layer, over which recipes are
    /// merged.
    public let baseMessaging: JSONObject

    public func feature(_ id: String) -> FeatureDeclaration? { features.first { $0.id.hasSameBytes(as: id) } }
}

/// How an app is known to systems that poll already (docs/reference/http-api.md#drop-in-interfaces).
public struct AppIdentity: Sendable, Hashable {
    public let appID: String?
    public let applicationIDs: [String]
    public let collections: [String]
}

/// The permissions of web pages for an app: the manifest's `web` (docs/reference/http-api.md#browsers).
public struct WebPolicy: Sendable, Hashable {
    /// Where pages stand that may call clients' routes.
    public var origins: [BrowserOrigin] = []
    /// Where the hosted page may load images and videos from.
    public var mediaOrigins: [BrowserOrigin] = []

    public init() {}
}
