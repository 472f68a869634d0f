internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// A poll's query, split into who asks and what is asked: polls that differ only in the client share a context.
struct PollQuestion {
    let clientID: String
    /// The query without the client, and the accepted languages: what the context follows from.
    let key: String

    private static let parameter = Array("client_id=".utf8)
    private static let ampersand = UInt8(ascii: "&")

    init(query: ArraySlice<UInt8>?, request: Request) throws(APIError) {
        guard let query else { throw Self.missing }
        var key: [UInt8] = []
        key.reserveCapacity(query.count + 32)
        var client: ArraySlice<UInt8>?
        var rest = query
        while !rest.isEmpty {
            let end = rest.firstIndex(of: Self.ampersand) ?? rest.endIndex
            let item = rest[rest.startIndex..<end]
            if item.starts(with: Self.parameter) {
                guard client == nil else {
                    throw .badRequest("duplicate", "client_id is given twice", at: .parameter("client_id"))
                }
                client = item.dropFirst(Self.parameter.count)
            } else {
                key += item
                key.append(Self.ampersand)
            }
            rest = rest[min(end + 1, rest.endIndex)...]
        }
        guard let client else { throw Self.missing }
        clientID = try Self.clientID(client)
        if let languages = request.header(.acceptLanguage) {
            // Not part of any item: no query holds a line feed.
            key.append(0x0A)
            key += languages
        }
        // Text hashes several times quicker than an array of bytes.
        self.key = String(decoding: key, as: UTF8.self)
    }

    private static let missing = APIError.badRequest(
        "required", "the parameter client_id is missing", at: .parameter("client_id"))

    /// Ids are 1..128 printable characters (api.md 1).
    private static func clientID(_ raw: ArraySlice<UInt8>) throws(APIError) -> String {
        let text: String
        if raw.allSatisfy({ $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") }) {
            text = String(decoding: raw, as: UTF8.self)
        } else {
            do {
                text = try QueryItems.parse(Self.parameter + raw).first?.value ?? ""
            } catch {
                throw .badRequest("query", error.message, at: .parameter("client_id"))
            }
        }
        guard text.isIdentifier else { throw .identifier("client_id") }
        return text
    }
}

extension APIError {
    static func identifier(_ name: String) -> APIError {
        .badRequest("identifier", "\(name) is not 1 to 128 printable characters", at: .parameter(name))
    }
}

extension JSONPointer {
    /// A query parameter, as findings name it.
    static func parameter(_ name: String) -> JSONPointer { JSONPointer(tokens: [name]) }
}
