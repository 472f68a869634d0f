/// What existing clients speak without a token (api.md 2.7). Closed unless the setting `public` names it; `--dev` opens
/// all of them. Where it is closed a client's token opens it.
public enum PublicInterface: String, Sendable, Hashable, CaseIterable {
    case glean
    case remoteSettings = "remote_settings"
    case cirrus
}
