internal import CPostgres

/// The address of a database: a `postgresql:` URI in the syntax of libpq, with one host or several. It may contain a
/// password, so the program never writes it anywhere.
public struct PostgresAddress: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let uri: String
    /// The parts of the address by libpq's names, without the password.
    public let parameters: [String: String]

    public init(_ uri: String) throws(PostgresError) {
        guard Self.namesHostsPlainly(uri) else {
            throw .malformed("an @ or / of a user or password in it has to be written as %40 or %2F")
        }
        if let fault = bellwether_load_libpq() {
            throw .malformed("libpq cannot be loaded (Debian's package libpq5): \(String(cString: fault))")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(uri, &message) else {
            // libpq's message may repeat the URI.
            PQfreemem(message)
            throw .malformed("it is not written as postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full")
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if let value = option.pointee.val, !Self.secrets.contains(name) {
                parameters[name] = String(cString: value)
            }
            option += 1
        }
        self.uri = uri
        self.parameters = parameters
    }

    /// Whether no part of a password can be mistaken for a host, a port or a database, which messages name. Before its
    /// parameters the URI may have one `@` at most, and only in front of the first `/`.
    private static func namesHostsPlainly(_ uri: String) -> Bool {
        let start = uri.firstRange(of: "://")?.upperBound ?? uri.startIndex
        let address = uri[start...].prefix { $0 != "?" }
        let authority = address.prefix { $0 != "/" }
        return authority.count { $0 == "@" } <= 1 && !address.dropFirst(authority.count).contains("@")
    }

    private static let secrets: Set<String> = ["password", "sslpassword"]

    public var description: String { text }
    public var debugDescription: String { text }
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The hosts and the database, in a form for people.
    public var text: String {
        let hosts = parameters["host"] ?? parameters["hostaddr"] ?? ""
        return "postgresql://\(hosts)/\(parameters["dbname"] ?? "")"
    }
}
