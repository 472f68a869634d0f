internal import BellwetherBase

/// Where objects are kept: a bucket, a prefix in it, and the server with its region. Keys are relative to the prefix.
public struct ObjectStoreAddress: Sendable, Hashable {
    public let bucket: String
    /// The text before each key, without a slash at its ends; empty for the whole bucket.
    public let prefix: String
    public let region: String
    /// `https://host` or `http://host:port`, in lower case and without the default port of the scheme. For addresses
    /// in the style of virtual hosts, the bucket is a part of the host.
    let origin: String
    /// Whether the bucket is the first segment of the path, and not a part of the host.
    public let isPathStyle: Bool

    /// The reason why a text is no address.
    public struct Fault: Error, Sendable, Hashable {
        public let sentence: String
    }

    /// Nil for the texts for which `init(reading:endpoint:region:isPathStyle:)` has a fault.
    public init?(_ text: String, endpoint: String?, region: String, isPathStyle: Bool?) {
        guard let address = try? Self(reading: text, endpoint: endpoint, region: region, isPathStyle: isPathStyle)
        else { return nil }
        self = address
    }

    /// Reads `s3://bucket/prefix`. An empty endpoint is none: the server is that of AWS in the region.
    ///
    /// The style of paths is the default for an own endpoint. Without one, the bucket is a part of the host, unless its
    /// name has a dot, because the certificate of AWS covers one label only.
    public init(
        reading text: String, endpoint: String?, region: String, isPathStyle: Bool?
    ) throws(Fault) {
        guard text.hasPrefix("s3://") else { throw Fault(sentence: "the address does not begin with s3://") }
        let path = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = path.first.map(String.init) ?? ""
        guard Self.isBucket(bucket) else {
            throw Fault(
                sentence: "a bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or"
                    + " a digit at its ends")
        }
        var prefix = path.count > 1 ? path[1] : ""
        if prefix.hasSuffix("/") { prefix.removeLast() }
        guard prefix.isEmpty || ObjectKey.isProper(String(prefix)), prefix.utf8.count <= Self.maximumPrefix else {
            throw Fault(
                sentence: "the prefix has an empty segment, a dot as a segment, a control character, or more than"
                    + " \(Self.maximumPrefix) bytes")
        }
        self.prefix = String(prefix)
        guard !region.isEmpty, region.utf8.count <= 64, region.utf8.allSatisfy(Self.regionSet.contains) else {
            throw Fault(sentence: "a region has letters, digits, hyphens and underscores, such as eu-central-1")
        }
        self.region = region
        let endpoint = endpoint.flatMap { $0.isEmpty ? nil : $0 }
        self.isPathStyle = isPathStyle ?? (endpoint != nil || bucket.utf8.contains(UInt8(ascii: ".")))
        let server = try Self.server(endpoint ?? "https://s3.\(region).\(Self.domain(of: region))")
        origin = server.scheme + (self.isPathStyle ? "" : bucket + ".") + server.authority
    }

    /// A key may have 1024 bytes, so that this leaves half of them to what follows the prefix.
    private static let maximumPrefix = 512
    private static let regionSet = ASCIISet.base64URL

    private static func domain(of region: String) -> String {
        region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    }

    private static func isBucket(_ text: String) -> Bool {
        let inner = ASCIISet.lowerCase.union(.digits).union(ASCIISet("-."))
        let ends = ASCIISet.lowerCase.union(.digits)
        guard 3...63 ~= text.utf8.count, let first = text.utf8.first, let last = text.utf8.last else { return false }
        return ends.contains(first) && ends.contains(last) && text.utf8.allSatisfy(inner.contains)
            && !text.contains("..")
    }

    /// The parts of an endpoint: `https://` or `http://`, and the host with the port unless it is the default.
    private static func server(_ text: String) throws(Fault) -> (scheme: String, authority: String) {
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else {
            throw Fault(sentence: "the endpoint does not begin with https:// or http://")
        }
        var authority = text.dropFirst(scheme.utf8.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        let standard = scheme == "https://" ? ":443" : ":80"
        if authority.hasSuffix(standard), !authority.dropLast(standard.utf8.count).hasSuffix(":") {
            authority.removeLast(standard.utf8.count)
        }
        let allowed = ASCIISet.lowerCase.union(.digits).union(ASCIISet("-._:[]"))
        guard let first = authority.utf8.first, first != UInt8(ascii: ":"), authority.utf8.count <= 255,
            authority.utf8.allSatisfy(allowed.contains)
        else { throw Fault(sentence: "the endpoint is a host with an optional port, without a path, user or query") }
        return (scheme, String(authority))
    }
}

extension ObjectStoreAddress {
    /// `host[:port]`: the value of the header `Host`, which is signed.
    var authority: String { String(origin[origin.index(origin.startIndex, offsetBy: isTLS ? 8 : 7)...]) }

    var isTLS: Bool { origin.hasPrefix("https://") }

    /// The encoded path of the bucket.
    var bucketPath: String { isPathStyle ? "/" + bucket : "/" }

    /// The encoded path of an object. It is encoded once, and signed and sent as it is.
    func path(of key: ObjectKey) -> String {
        (isPathStyle ? "/" + bucket : "") + "/" + PercentEncoding.path(key.name(under: prefix))
    }
}

/// The key of an object, relative to the prefix of an address.
struct ObjectKey: Sendable, Hashable {
    let text: String

    init(_ text: String, under prefix: String) throws(ObjectStoreFault) {
        self.text = text
        guard Self.isProper(text), name(under: prefix).utf8.count <= 1024 else { throw .improperKey }
    }

    /// The name of the object in the bucket.
    func name(under prefix: String) -> String { prefix.isEmpty ? text : prefix + "/" + text }

    /// Whether a text has no empty segment, no segment of dots, which some servers would resolve, and no control
    /// character, which XML could not list.
    static func isProper(_ text: String) -> Bool {
        let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return segments.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
