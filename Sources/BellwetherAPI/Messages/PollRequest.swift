internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// A poll's query, split into the client and the other parameters. Polls that differ only in the client share a
/// context.
struct PollRequest {
    let clientID: Identifier
    /// The key of the context: all parameters except the client.
    let key: Key

    /// How many parameters are not part of the key, because the manifest does not declare them.
    let ignoredAttributes: Int

    /// 128 bits of a hash that is seeded for each process, over the app, the rest of the query and the accepted
    /// languages.
    struct Key: Hashable {
        let first: UInt64
        let second: UInt64

        /// The digest already is a hash.
        func hash(into hasher: inout Hasher) { hasher.combine(first) }
    }

    /// `names` are the parameters that determine the context.
    init(_ request: Request, _ names: ParameterNames) throws(APIError) {
        // The session is not part of the key: polls of many sessions share a context.
        var sessions = 0
        let parts = request.split(apartFrom: "client_id", ordered: "surface", with: .acceptLanguage) { name in
            guard !name.equals("session_id") else {
                sessions += 1
                return false
            }
            return names.contains(name)
        }
        guard let client = parts.value else { throw Self.missing }
        guard !parts.isRepeated else { throw .badRequest([.repeated("client_id")]) }
        guard !client.contains(UInt8(ascii: "+")) else { throw .badRequest([.ambiguousPlus("client_id")]) }
        clientID = try Self.clientID(client)
        key = Key(first: parts.digest.0, second: parts.digest.1)
        ignoredAttributes = max(0, parts.ignored - sessions)
    }

    private static let missing = APIError.badRequest(
        "required", "the parameter client_id is missing", at: .parameter("client_id"))

    /// Reads an id of 1 to 128 printable characters (docs/reference/http-api.md#times-and-identifiers).
    private static func clientID(_ raw: ArraySlice<UInt8>) throws(APIError) -> Identifier {
        let text: String
        if !raw.contains(UInt8(ascii: "%")) {
            text = String(decoding: raw, as: UTF8.self)
        } else {
            do {
                text = try QueryItems.parse(Array("client_id=".utf8) + raw).first?.value ?? ""
            } catch {
                throw .badRequest("query", error.message, at: .parameter("client_id"))
            }
        }
        guard text.isIdentifier else { throw .identifier("client_id") }
        return Identifier(text)
    }
}

/// The parameters of a poll that determine its context: the attributes that the manifest declares, and the parameters
/// with a fixed meaning.
struct ParameterNames {
    /// The names by their number of bytes.
    private var names: [[[UInt8]]] = []

    init(_ attributes: some Sequence<String>) {
        for name in Array(attributes) + ["surface", "locale", "user_id"] {
            let bytes = Array(name.utf8)
            while names.count <= bytes.count { names.append([]) }
            names[bytes.count].append(bytes)
        }
    }

    func contains(_ name: Span<UInt8>) -> Bool {
        guard name.count < names.count else { return false }
        for known in names[name.count] where Self.areEqual(known.span, name) { return true }
        return false
    }

    /// Whether two spans of equal length have the same bytes.
    private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

extension APIError {
    static func identifier(_ name: String) -> APIError {
        .badRequest("identifier", "\(name) is not 1 to 128 printable characters", at: .parameter(name))
    }
}

extension JSONPointer {
    /// The pointer to a query parameter, for findings.
    static func parameter(_ name: String) -> JSONPointer { JSONPointer(tokens: [name]) }
}
