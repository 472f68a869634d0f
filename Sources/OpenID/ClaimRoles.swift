public import BellwetherJSON

/// The values of a claim, such as a person's groups.
public enum ClaimValues {
    /// The texts at a path of names, separated by points (`realm_access.roles`). A claim whose own name has points
    /// comes first. Refuses claims that are only referred to, which some providers send for many groups.
    public static func values(of path: String, in claims: JSONObject) throws(SignInRefusal) -> [String] {
        let first = path.split(separator: ".").first.map(String.init) ?? path
        if let names = claims["_claim_names"]?.object, names[path] != nil || names[first] != nil {
            throw SignInRefusal("the provider sends an address in place of the claim \(path): let it send fewer groups")
        }
        var value = claims[path]
        if value == nil {
            value = .object(claims)
            for name in path.split(separator: ".") { value = value?.object?[String(name)] }
        }
        return value?.array?.compactMap(\.string) ?? value?.string.map { [$0] } ?? []
    }
}
