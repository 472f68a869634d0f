internal import BellwetherBase
public import BellwetherJSON

/// The request to a provider of addresses, and the rules for reading its responses (docs/reference/flows.md#addresses).
public struct AddressTemplate: Sendable, Hashable {
    /// The names in the address of a provider. The query is required.
    private static let names = ["query", "key", "language", "country", "limit"]
    /// The members of a place in a provider's response.
    public static let members = [
        "formatted_address", "city", "state", "state_code", "country", "country_code", "latitude", "longitude",
        "timezone", "postal_code",
    ]
    /// The maximum length of a text in a response. A longer text is left out.
    private static let textBound = 300

    private let url: String
    /// The name of the provider's property, by member.
    private let properties: [String: String]

    /// A fault of the settings.
    public struct Fault: Error, Sendable, Hashable {
        public let setting: String
        public let reason: String

        public init(setting: String, reason: String) { (self.setting, self.reason) = (setting, reason) }
    }

    /// - Parameters:
    ///   - url: the address, with `{query}` and, if there is a key, `{key}` after the host.
    ///   - properties: the name of the GeoJSON property for each member of a suggestion.
    public init(_ url: String, hasKey: Bool, properties: [String: String]) throws(Fault) {
        (self.url, self.properties) = (url, properties)
        var rest = url[...]
        var found: Set<String> = []
        while let start = rest.firstIndex(of: "{") {
            guard let end = rest[start...].firstIndex(of: "}") else { break }
            found.insert(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        for name in found.sorted() where !Self.names.contains(name) {
            throw Fault(setting: "url", reason: "{\(name)} is none of \(Self.names.joined(separator: ", "))")
        }
        guard found.contains("query"), found.contains("key") == hasKey else {
            throw Fault(setting: "url", reason: "it has {query}, and {key} if and only if a secret is named")
        }
        let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last?
            .prefix { !"/?#".contains($0) }
        guard authority?.contains("{") == false else {
            throw Fault(setting: "url", reason: "its host is the same for all queries")
        }
        for member in properties.keys.sorted() where !Self.members.contains(member) {
            throw Fault(setting: "properties", reason: "\(member) is none of \(Self.members.joined(separator: ", "))")
        }
        guard properties.values.contains(where: { !$0.isEmpty }) else {
            throw Fault(setting: "properties", reason: "it names the property of no member")
        }
    }

    /// The address of a request, with the percent-encoded values of the query.
    public func url(for query: LocationQuery, key: String?) -> String {
        let values = [
            "query": query.text, "key": key ?? "", "language": query.language ?? "en",
            "country": query.biasCountry ?? "", "limit": "\(query.limit)",
        ]
        var (filled, rest) = ("", url[...])
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            filled += Self.encoded(values[String(rest[rest.index(after: start)..<end])] ?? "")
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }

    /// Percent-encodes all characters except the unreserved ones of RFC 3986.
    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }

    /// The places of a GeoJSON `FeatureCollection`; nil if the response is none. A feature without a text to show is
    /// left out.
    public func suggestions(
        in answer: JSONValue, limit: Int, offset: (_ timeZone: String) -> Int?
    ) -> [LocationSuggestion]? {
        guard let collection = answer.object, collection["type"]?.string == "FeatureCollection",
            let features = collection["features"]?.array
        else { return nil }
        var found: [LocationSuggestion] = []
        for feature in features where found.count < limit {
            if let suggestion = suggestion(of: feature.object, offset) { found.append(suggestion) }
        }
        return found
    }

    private func suggestion(of feature: JSONObject?, _ offset: (String) -> Int?) -> LocationSuggestion? {
        guard let feature, let known = feature["properties"]?.object else { return nil }
        func text(_ member: String) -> String? {
            guard let name = properties[member], let text = known[name]?.string, !text.isEmpty,
                text.utf8.count <= Self.textBound
            else { return nil }
            return text
        }
        var suggestion = LocationSuggestion(
            city: text("city"), state: text("state"), stateCode: text("state_code"), country: text("country"),
            countryCode: text("country_code")?.uppercased(), timeZone: text("timezone"))
        suggestion.postalCode = text("postal_code")
        suggestion.address = text("formatted_address")
        suggestion.offset = suggestion.timeZone.flatMap(offset)
        let point = feature["geometry"]?.object?["coordinates"]?.array ?? []
        func degrees(_ member: String, _ position: Int, within bound: Double) -> Double? {
            let named = properties[member].flatMap { known[$0]?.double }
            guard let value = named ?? (point.count > position ? point[position].double : nil) else { return nil }
            return abs(value) <= bound ? value : nil
        }
        // In GeoJSON the longitude is first.
        if let latitude = degrees("latitude", 1, within: 90), let longitude = degrees("longitude", 0, within: 180) {
            suggestion.coordinates = LocationSuggestion.Coordinates(latitude: latitude, longitude: longitude)
        }
        return suggestion.address ?? suggestion.city ?? suggestion.state ?? suggestion.country == nil ? nil : suggestion
    }
}
