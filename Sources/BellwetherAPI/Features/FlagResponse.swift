internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// The flags of one feature in one variation, as JSON text. There are many clients, but few variations.
final class RenderedFeature {
    /// All flags, with commas between them.
    let text: [UInt8]
    /// The range of each flag in the text.
    private let ranges: [Range<Int>]
    let digest: (UInt64, UInt64)
    /// Whether a cached response has counted this feature's bytes (`ResponseCache`).
    private var isCounted = false

    var size: Int { text.count }

    /// The size at the first call, then 0: many cached responses share one feature.
    func uncountedSize() -> Int {
        defer { isCounted = true }
        return isCounted ? 0 : size
    }

    init(_ evaluations: [FlagEvaluation], of feature: CompiledFeature) {
        var text: [UInt8] = []
        var ranges: [Range<Int>] = []
        for evaluation in evaluations {
            if !text.isEmpty { text.append(UInt8(ascii: ",")) }
            let start = text.count
            text.append(json: evaluation.json(feature: feature.id))
            ranges.append(start..<text.count)
        }
        self.text = text
        self.ranges = ranges
        let words = SHA256.hash(text).words
        digest = (words.0, words.1)
    }

    func flag(_ index: Int) -> [UInt8] { Array(text[ranges[index]]) }
}

extension FlagEvaluation {
    /// The evaluation in OFREP's form. `metadata` has the members that an exposure event must name.
    fileprivate func json(feature: Identifier) -> JSONValue {
        var members: JSONObject = ["key": .string(key)]
        if let value { members["value"] = value }
        members["reason"] = .string(reason.rawValue)
        members["variant"] = .string(variant)
        if let recipe { members["metadata"] = ["experiment": .string(recipe), "feature_id": .string(feature)] }
        return .object(members)
    }
}

/// The response to a request for flags. The entity tag of a bulk response covers its body: the same flags have the same
/// tag for every client.
struct FlagResponse {
    let features: [RenderedFeature]
    /// The index of the one requested flag; nil for all flags.
    private let flag: Int?
    private let tag: EntityTagBuilder
    /// The member `eventStreams` with the comma before it; empty if there is none.
    let eventStreams: [UInt8]

    private static let cacheControl = Array("\r\nCache-Control: private, no-cache\r\n".utf8)
    private static let contentType = Array("Content-Type: application/json\r\n".utf8)
    private static let opening = Array("{\"flags\":[".utf8)
    private static let closing = Array("]".utf8)

    /// - Parameter stream: the path and query of the client's stream; nil if it gets none.
    init(_ features: [RenderedFeature], flag: Int?, stream: String?) {
        self.features = features
        self.flag = flag
        let streams = stream.map { url -> JSONValue in
            let endpoint: JSONValue = ["requestUri": .string(url)]
            return [
                ["type": "sse", "endpoint": endpoint, "inactivityDelaySec": .integer(StreamRoutes.inactivitySeconds)]
            ]
        }
        eventStreams = streams.map { Array(",\"eventStreams\":\($0.text)".utf8) } ?? []
        var tag = EntityTagBuilder()
        for feature in features { tag.add(feature.digest, 0) }
        self.tag = tag
    }

    func response(to request: Request) -> Response {
        if let flag {
            var response = Response(200, headers: Self.contentType, body: .bytes(features[0].flag(flag)))
            response.add("Cache-Control", "private, no-cache")
            return response
        }
        var headers: [UInt8] = []
        headers.reserveCapacity(160)
        headers += "ETag: ".utf8
        let start = headers.count
        tag.append(to: &headers)
        let end = headers.count
        headers += Self.cacheControl
        // As OFREP requires, a POST gets a 304 too, unlike on other routes.
        if let known = request.header(.ifNoneMatch), EntityTag.matches(ifNoneMatch: known, etag: headers[start..<end]) {
            return Response(304, headers: headers)
        }
        headers += Self.contentType
        return Response(200, headers: headers, body: .bytes(body))
    }

    private var body: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(features.reduce(16 + eventStreams.count) { $0 + $1.size + 1 })
        output += Self.opening
        for (index, feature) in features.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += feature.text
        }
        output += Self.closing
        output += eventStreams
        output.append(UInt8(ascii: "}"))
        return output
    }
}
