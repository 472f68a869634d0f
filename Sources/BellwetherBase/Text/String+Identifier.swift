extension String {
    /// An id: 1 to 128 characters (docs/reference/http-api.md#times-and-identifiers), counted in Unicode scalars, none
    /// of them a control character.
    public var isIdentifier: Bool {
        var count = 0
        for scalar in unicodeScalars {
            count += 1
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            guard count <= 128, !isControl else { return false }
        }
        return count > 0
    }

    /// Whether the text is `*`, which stands for all apps in a token. No app can have this name, because a token for it
    /// would be valid for all apps.
    public var meansAllApps: Bool { self == "*" }
}
