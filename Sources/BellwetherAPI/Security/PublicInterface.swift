/// The interfaces that existing clients speak without a token (docs/reference/http-api.md#public-interfaces). Closed
/// unless the setting `public` names it; `--dev` opens all of them. Where it is closed a client's token opens it.
public enum PublicInterface: String, Sendable, Hashable, CaseIterable {
    case glean
    case remoteSettings = "remote_settings"
    case cirrus
    /// Pages of questionnaires, surveys and flows (docs/web.md#the-hosted-page).
    case hosted
}
