internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The second of the three caches: the contexts of apps, the messages rendered for a language, and the features
/// rendered for a variation.
///
/// Key: 128 bits of a hash over the relevant parameters, in any order (see `PollRequest.Key`). Bound: number and bytes;
/// a full cache starts empty again. Owner: one worker's thread. Invalidation: every publish empties it. It never
/// changes a response, because a context follows from the request and the snapshot.
final class ContextCache {
    private var contexts: BoundedCache<PollRequest.Key, PollContext>
    private var messages: BoundedCache<RenderedKey, RenderedMessage>
    private var features: BoundedCache<FeatureKey, RenderedFeature>
    /// The names by the app's name.
    private var names: [Identifier: ParameterNames] = [:]

    private struct RenderedKey: Hashable {
        let message: ObjectIdentifier
        /// The requested language, which is part of the privacy link.
        let locale: String?
    }

    private struct FeatureKey: Hashable {
        let feature: ObjectIdentifier
        let variation: FeatureVariation
    }

    init(capacity: Int, contextBytes: Int, messageBytes: Int) {
        contexts = BoundedCache(capacity: capacity, bytes: contextBytes)
        messages = BoundedCache(capacity: capacity, bytes: messageBytes)
        features = BoundedCache(capacity: capacity, bytes: messageBytes)
    }

    var count: Int { contexts.count }

    func removeAll() {
        contexts.removeAll()
        messages.removeAll()
        features.removeAll()
        names.removeAll()
    }

    /// The parameters that determine the contexts of an app.
    func names(of app: AppSnapshot) -> ParameterNames {
        if let known = names[app.name] { return known }
        let made = ParameterNames(app.manifest.attributes.keys)
        names[app.name] = made
        return made
    }

    /// The context of a poll. It is read from the request if it is not in the cache.
    func context(for poll: PollRequest, app: AppSnapshot, call: Call) throws(APIError) -> PollContext {
        if let known = contexts[poll.key] { return known }
        let reading = try ContextReading(app: app, call: call).readQuery()
        let context = PollContext(
            reading.context, surfaces: reading.surfaces,
            ignoredAttributes: reading.ignored - poll.ignoredAttributes, app: app)
        contexts.keep(context, size: context.size + call.contentBytes, for: poll.key)
        return context
    }

    /// A message as bytes. `render` is called if the message contains data of the client or of its context, or if the
    /// message is not in the cache.
    func rendered(_ message: Message, locale: String?, render: () -> RenderedMessage) -> RenderedMessage {
        guard !ResolvedAction.isPersonal(message) else { return render() }
        let key = RenderedKey(message: ObjectIdentifier(message), locale: locale)
        if let known = messages[key] { return known }
        let rendered = render()
        messages.keep(rendered, size: rendered.size, for: key)
        return rendered
    }

    /// A feature's flags as bytes, for the clients of a variation.
    func rendered(_ feature: CompiledFeature, _ variation: FeatureVariation) -> RenderedFeature {
        let key = FeatureKey(feature: ObjectIdentifier(feature), variation: variation)
        if let known = features[key] { return known }
        let rendered = RenderedFeature(feature.evaluations(in: variation), of: feature)
        features.keep(rendered, size: rendered.size, for: key)
        return rendered
    }
}

/// The context of one kind of client for a published app, and the decisions that depend only on the context's
/// attributes.
final class PollContext {
    let targeting: TargetingContext
    let surfaces: [Identifier]
    /// How many attributes of the context, the same for every request, are not declared in the manifest.
    let ignoredAttributes: Int
    let app: AppSnapshot
    let memo: ContextMemo
    private(set) lazy var basis = EnrollmentBasis(app, targeting)
    private(set) lazy var localizer = app.strings.localizer(for: targeting.requestedLocale)

    init(
        _ targeting: TargetingContext, surfaces: [Identifier], ignoredAttributes: Int, app: AppSnapshot
    ) {
        self.targeting = targeting
        self.surfaces = surfaces
        self.ignoredAttributes = ignoredAttributes
        self.app = app
        memo = ContextMemo(for: app.catalog)
    }

    /// The approximate bytes: some hundred for the object and for each attribute.
    var size: Int { 512 + memo.size + 128 * targeting.attributes.count }
}
