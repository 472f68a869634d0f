public import BellwetherCore
public import BellwetherJSON

/// The messages of an app for one client, in the variants of its branches. A message that is not served to the client
/// now is included as it was served last.
public struct ClientMessages {
    private let app: AppSnapshot
    private let branches: ClientBranches
    private let variants: ClientVariants

    public init(_ app: AppSnapshot, _ state: ClientState) {
        self.app = app
        branches = ClientBranches(app.experiments, state.enrollments)
        variants = branches.variants(of: app.catalog)
    }

    /// The facts of a message; nil for a key that was never published.
    public func facts(of key: Identifier) -> MessageFacts? {
        if let message = app.catalog.message(key, for: variants) { return message.facts }
        guard let facts = app.known.latest(key)?.facts else { return nil }
        return facts.enrolled(in: facts.experiment.flatMap { branches.branch(of: $0) })
    }

    /// The limits of a recipe's own offer, and of the message that presented it.
    func limits(of slug: Identifier, presentedBy message: Identifier?) -> [ResponseLimits] {
        let keys = message.map { $0 == slug ? [slug] : [slug, $0] } ?? [slug]
        return keys.compactMap { key in
            facts(of: key).flatMap { app.responseLimits.limits(of: key, $0.pacing) }
        }
    }

    /// The enrollment whose branch has a message that presents a recipe.
    func enrollment(presenting slug: Identifier) -> EnrolledBranch? {
        app.catalog.messages.lazy.filter { $0.definition.presents == slug }
            .compactMap { app.catalog.message($0.key, for: variants) }
            .first { $0.definition.presents == slug && $0.facts.enrollment != nil }?
            .facts.enrollment
    }

    /// Whether the client's variant of the message has an action from which no URL can be made.
    func hasBrokenAction(_ key: Identifier) -> Bool {
        guard let message = app.catalog.message(key, for: variants), message.action != nil, !message.facts.isControl
        else {
            return false
        }
        return ResolvedAction(message, manifest: app.manifest, value: { _ in nil }, uuid: { "uuid" }) == nil
    }

    /// The message against which an answer without a revision is checked. It is the one that the client has now,
    /// otherwise the one that was served last.
    func current(_ key: Identifier) -> KnownMessage? {
        let revision = app.catalog.message(key, for: variants)?.revision
        return revision.flatMap { app.known.message(key, revision: $0) } ?? app.known.latest(key)
    }

    /// The branch in which the client is exposed to a feature: the branch of the named recipe, if the client is
    /// enrolled in it now. Without a name it is the branch of the only experiment that has the feature
    /// (docs/reference/experiments.md#exposure).
    func exposure(to featureID: Identifier, experiment: Identifier?) -> EnrolledBranch? {
        guard let experiment else { return branches.onlyExperiment(with: featureID) }
        return branches.branch(of: experiment)
    }
}

extension AppSnapshot {
    /// The facts of a message in each of its variants; if it is no longer served, the facts that were served last.
    /// Empty if the message was never published.
    func everyVariant(of key: Identifier) -> [MessageFacts] {
        let live = catalog.variants(of: key)
        return live.isEmpty ? known.latest(key).map { [$0.facts] } ?? [] : live
    }
}
