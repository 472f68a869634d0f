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
    /// To make tokens, and to read the audit of all apps.
    case admin
}

/// The purpose of a token: a set of abilities (docs/reference/http-api.md#tokens-and-scopes).
public enum Scope: String, Sendable, Hashable, CaseIterable {
    case client, reader, translator, reviewer, support, owner, pipeline, admin

    public var abilities: Set<Ability> {
        switch self {
        case .client: [.participate]
        case .reader: [.read]
        case .translator: [.read, .texts]
        case .reviewer: [.read, .review]
        case .support: [.read, .respond]
        case .owner: [.read, .texts, .respond, .publish, .review]
        case .pipeline: [.log]
        case .admin: Set(Ability.allCases)
        }
    }
}
