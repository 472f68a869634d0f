/// A right of a request. A route names abilities, one of which is enough
/// (docs/reference/http-api.md#tokens-and-scopes).
public enum Ability: String, Sendable, Hashable, CaseIterable {
    /// To poll, and to report what a client saw, did and answered.
    case participate
    /// To read documents and drafts, to check them, to ask for forecasts, and to read results without single answers.
    case read
    /// To write texts.
    case texts
    /// To read, triage, export and erase what respondents wrote.
    case respond
    /// To write recipes and manifests, and to put them live.
    case publish
    /// To put a draft of another person live, or to discard it (docs/reference/http-api.md#approval).
    case review
    /// To read telemetry, and to keep consumers' positions.
    case log
    /// To make tokens and accounts, and to read the audit of all apps.
    case admin
}

/// The purpose of a token: a set of abilities (docs/reference/http-api.md#tokens-and-scopes).
public enum Scope: String, Sendable, Hashable, CaseIterable {
    case client, reader, translator, reviewer, support, owner, pipeline, admin

    public var abilities: Set<Ability> { Set(Ability.allCases.filter(has)) }

    /// Whether it is one of the scope's abilities. Every request asks this, so it allocates nothing.
    public func has(_ ability: Ability) -> Bool {
        switch self {
        case .client: ability == .participate
        case .reader: ability == .read
        case .translator: ability == .read || ability == .texts
        case .reviewer: ability == .read || ability == .review
        case .support: ability == .read || ability == .respond
        case .owner: ability != .participate && ability != .log && ability != .admin
        case .pipeline: ability == .log
        case .admin: true
        }
    }
}
