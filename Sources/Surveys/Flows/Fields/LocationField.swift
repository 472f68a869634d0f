internal import BellwetherJSON

/// The type `location`: the result of a search for a city or an address.
struct LocationField: FieldType {
    static let textKeys = [
        "formatted_address", "city", "state", "state_code", "country", "country_code", "timezone", "postal_code",
    ]
    static let numberKeys = ["latitude", "longitude", "timezone_offset"]

    init(_ keys: FieldKeys) {
        for name in ["location_type", "bias_country", "language"] { _ = keys.key(name)?.string() }
        _ = keys.count("min_characters")
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let location = answer.object else { return check.fault(.type, .object) }
        for (key, value) in location where value != .null { Self.check(key, value, &check) }
    }

    private static func check(_ key: String, _ value: JSONValue, _ check: inout FieldCheck) {
        if textKeys.contains(key) {
            guard let text = value.string else { return check.fault(.type, .placeText, key) }
            if key == "country_code", text.utf8.count != 2 || !text.utf8.allSatisfy(\.isLetter) {
                check.fault(.pattern, .countryCode)
            }
        } else if numberKeys.contains(key) {
            guard let number = value.double else { return check.fault(.type, .placeNumber, key) }
            let bound: Double = key == "latitude" ? 90 : key == "longitude" ? 180 : 18 * 60
            if number.magnitude > bound { check.fault(.range, .placeBounds, key, "\(Int(bound))") }
        } else {
            check.fault(.unknownKey, .placeKey, key)
        }
    }

    /// A place that was not chosen from the suggestions has nothing but the text that was typed.
    func isNoAnswer(_ answer: JSONValue) -> Bool {
        answer.object?.allSatisfy { $0.key == "formatted_address" || $0.value == .null } ?? false
    }

    func missing(_ answer: JSONValue) -> FlowSentence? { answer.isEmptyAnswer ? nil : .place }
}

extension UInt8 {
    /// Whether the byte is `A` to `Z` or `a` to `z`.
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
