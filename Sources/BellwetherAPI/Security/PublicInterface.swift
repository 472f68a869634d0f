/// The interfaces that existing clients use without a token (docs/reference/http-api.md#public-interfaces). An
/// interface is closed unless the setting `public` names it; `--dev` opens all. A client's token opens a closed
/// interface.
public enum PublicInterface: String, Sendable, Hashable, CaseIterable {
    case glean
    case remoteSettings = "remote_settings"
    case cirrus
    /// Pages of questionnaires, surveys and flows (docs/web.md#the-hosted-page).
    case hosted
}
