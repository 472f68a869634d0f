/// The headers that hooks may have (docs/reference/flows.md#headers).
public enum HookHeader {
    /// The daemon sets these headers itself, or they control the framing of the message or the connection.
    private static let reserved: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive", "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]
    private static let reservedPrefixes = ["proxy-", "webhook-"]
    private static let secretMark = "{{secret."

    /// The reason why a call cannot have a header with this name; nil if it can.
    public static func fault(of name: String) -> String? {
        guard isToken(name) else { return "a header's name has letters, digits and !#$%&'*+-.^_`|~ only" }
        let lowered = name.lowercased()
        let isReserved = reserved.contains(lowered) || reservedPrefixes.contains { lowered.hasPrefix($0) }
        return isReserved ? "the daemon sets the header \(name) itself" : nil
    }

    /// Words in the names of headers that contain secrets, and prefixes of secrets.
    private static let secretWords = [
        "authorization", "api-key", "apikey", "access-key", "token", "secret", "password", "cookie", "credential",
    ]
    private static let secretPrefixes = [
        "Bearer ", "sk_", "sk-", "ghp_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ",
    ]

    /// Whether a header seems to contain a secret as plain text. A value from a template is no secret.
    static func hasOpenSecret(_ name: String, _ text: String) -> Bool {
        let name = name.lowercased()
        guard secretNames(in: text).isEmpty, !text.isBlank else { return false }
        if name == "authorization" { return true }
        guard !text.contains("{{") else { return false }
        return secretWords.contains { name.contains($0) } || secretPrefixes.contains { text.hasPrefix($0) }
    }

    /// Whether a name is a token of RFC 9110.
    public static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// The names of the secrets in a value, from `{{secret.NAME}}`, in their order.
    public static func secretNames(in text: String) -> [String] { parts(of: text).compactMap(\.secret) }

    /// The parts of a text without secrets, each with the name of the secret after it.
    static func parts(of text: String) -> [(text: Substring, secret: String?)] {
        var (parts, rest): ([(Substring, String?)], Substring) = ([], text[...])
        while let open = rest.range(of: secretMark), let close = rest[open.upperBound...].range(of: "}}") {
            parts.append((rest[..<open.lowerBound], String(rest[open.upperBound..<close.lowerBound].trimmed)))
            rest = rest[close.upperBound...]
        }
        return parts + [(rest, nil)]
    }
}

extension FlowRun {
    /// A hook's header with its templates expanded. Line breaks and other control characters of answers become spaces.
    /// The value for `{{secret.NAME}}` is requested, and not expanded again.
    ///
    /// - Parameter secret: returns the secret, or throws the reason why the header cannot be sent.
    public func header<Failure: Error>(
        _ text: String, secret: (_ name: String) throws(Failure) -> String
    ) throws(Failure) -> String {
        let template = FlowTemplate(self)
        var output = ""
        for part in HookHeader.parts(of: text) {
            output += template.expand(String(part.text)).withoutControls
            if let name = part.secret { output += try secret(name) }
        }
        return output
    }
}

extension String {
    fileprivate var withoutControls: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0 == "\u{7F}" ? " " : $0 }))
    }
}
