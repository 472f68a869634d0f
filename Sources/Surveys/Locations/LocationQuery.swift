public import BellwetherJSON

/// The text that a respondent has typed so far, for which places are suggested (docs/reference/flows.md#locations).
public struct LocationQuery: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case city, address, region, country
    }

    public var text: String
    public var kind: Kind
    /// The country whose places come first; ISO 3166-1, two letters.
    public var biasCountry: String?
    /// The language of country names; BCP 47.
    public var language: String?
    public var limit: Int

    public init(
        _ text: String, kind: Kind = .city, biasCountry: String? = nil, language: String? = nil, limit: Int = 5
    ) {
        (self.text, self.kind, self.biasCountry) = (text, kind, biasCountry)
        (self.language, self.limit) = (language, limit)
    }

    /// The minimum number of characters for suggestions.
    public static let minimumCharacters = 2

    public var hasEnough: Bool { text.count >= Self.minimumCharacters }
}

/// A place, with the members of AppDNA's location fields.
public struct LocationSuggestion: Sendable, Hashable {
    public var city: String?
    public var state: String?
    public var stateCode: String?
    public var country: String?
    /// The country's code; ISO 3166-1, two letters.
    public var countryCode: String?
    /// The coordinates in degrees; nil if the place is no point.
    public var coordinates: Coordinates?
    /// A name of the time zone database.
    public var timeZone: String?
    /// The offset in minutes east of UTC, in standard time.
    public var offset: Int?
    public var postalCode: String?
    /// The address as the provider writes it; nil: it is built from city, state and country, as far as they are known.
    public var address: String?

    public init(
        city: String? = nil, state: String? = nil, stateCode: String? = nil, country: String? = nil,
        countryCode: String? = nil, coordinates: Coordinates? = nil, timeZone: String? = nil, offset: Int? = nil
    ) {
        (self.city, self.state, self.stateCode) = (city, state, stateCode)
        (self.country, self.countryCode, self.coordinates) = (country, countryCode, coordinates)
        (self.timeZone, self.offset) = (timeZone, offset)
    }

    public struct Coordinates: Sendable, Hashable {
        public var latitude: Double
        public var longitude: Double
    }

    public var json: JSONObject {
        let address = address ?? [city, state, country].compactMap(\.self).joined(separator: ", ")
        return [
            "formatted_address": .string(address), "city": text(city), "state": text(state),
            "state_code": text(stateCode), "country": text(country), "country_code": text(countryCode),
            "latitude": coordinates.map { .number($0.latitude) } ?? .null,
            "longitude": coordinates.map { .number($0.longitude) } ?? .null, "timezone": text(timeZone),
            "timezone_offset": offset.map { .integer(Int64($0)) } ?? .null, "postal_code": text(postalCode),
        ]
    }

    private func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}

/// The names of countries and the offsets of time zones, which a table does not contain.
public struct LocationNames: Sendable {
    /// The name of a country by ISO 3166-1 code and BCP 47 language; nil for a code of no country.
    public var country: @Sendable (_ code: String, _ language: String) -> String?
    /// The offset in minutes east of UTC in standard time; nil for an unknown time zone.
    public var offset: @Sendable (_ timeZone: String) -> Int?

    public init(
        country: @escaping @Sendable (_ code: String, _ language: String) -> String?,
        offset: @escaping @Sendable (_ timeZone: String) -> Int?
    ) {
        (self.country, self.offset) = (country, offset)
    }
}
