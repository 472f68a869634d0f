internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// The settings `sign_in` (docs/reference/sign-in.md#settings).
struct SignInReading {
    /// The settings of texts, by their names behind `sign_in.`.
    let texts: [String: String]
    let scopes: [String]
    let roles: [String: String]
    let publicURL: String?

    /// Adds errors to the faults. A fault never quotes the secret. Nil without `sign_in.issuer`.
    func settings(_ faults: inout [String]) -> SignInSettings? {
        let issuer = texts["issuer"] ?? ""
        guard !issuer.isEmpty else {
            let others = texts.filter { $0.key != "claim" && !$0.value.isEmpty }.map { "sign_in.\($0.key)" }.sorted()
            if let other = others.first ?? (roles.isEmpty ? nil : "sign_in.roles") {
                faults.append("\(other) has no use without sign_in.issuer")
            }
            return nil
        }
        if !Self.isSafe(issuer) || issuer.hasSuffix("/") && issuer.contains("?") {
            faults.append("sign_in.issuer is https, or http on loopback: \(issuer)")
        }
        guard let publicURL, Self.isSafe(publicURL) else {
            faults.append("sign_in needs http.public_url, of https or on loopback: people come back to it")
            return nil
        }
        let clientID = texts["client_id"] ?? ""
        if clientID.isEmpty { faults.append("sign_in.client_id is missing") }
        var settings = SignInSettings(
            issuer: issuer, clientID: clientID, clientSecret: secret(&faults), publicURL: publicURL)
        if let name = texts["name"], !name.isEmpty { settings.name = name }
        settings.claim = texts["claim"] ?? ""
        if !scopes.contains("openid") { faults.append("sign_in.scopes lacks openid") }
        settings.scopes = scopes
        for (group, text) in roles.sorted(by: { $0.key < $1.key }) {
            settings.roles[group] = Self.roles(text, group, &faults)
        }
        if roles.isEmpty { faults.append("sign_in.roles gives no group a role: nobody could sign in") }
        return settings
    }

    private func secret(_ faults: inout [String]) -> String {
        let (text, file) = (texts["client_secret"] ?? "", texts["client_secret_file"] ?? "")
        switch (text.isEmpty, file.isEmpty) {
        case (false, true): return text
        case (true, false):
            guard let data = FileManager.default.contents(atPath: file) else {
                faults.append("sign_in.client_secret_file cannot be read: \(file)")
                return ""
            }
            return String(decoding: data, as: UTF8.self).trimmed
        default:
            faults.append("sign_in needs client_secret_file or client_secret, and not both")
            return ""
        }
    }

    /// `owner:shop, reader:*`.
    private static func roles(_ text: String, _ group: String, _ faults: inout [String]) -> Roles? {
        var scopes: [Identifier: Scope] = [:]
        for part in text.split(separator: ",") {
            let parts = part.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, let scope = Scope(rawValue: parts[0]), Roles.ofPeople.contains(scope),
                parts[1].isIdentifier
            else {
                faults.append("sign_in.roles: \"\(text)\", of the group \(group), is not SCOPE:APP, SCOPE:APP")
                return nil
            }
            scopes[Identifier(parts[1])] = scope
        }
        return Roles(scopes)
    }

    private static func isSafe(_ address: String) -> Bool {
        guard let url = WebhookURL(address), url.shown == address else { return false }
        return address.hasPrefix("https://") || ["127.0.0.1", "localhost", "[::1]"].contains(url.name)
    }
}
