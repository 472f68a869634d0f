/// The languages of an `Accept-Language` field (RFC 9110 12.5.4), by falling weight. Languages with the same weight
/// keep the order of the field.
///
/// `*` is any other language, so languages with a lower weight than `*` are left out. Weight 0 means "not this one".
/// Members that do not match the grammar exactly are ignored.
public struct AcceptLanguage: Sendable, Hashable {
    public let tags: [LanguageTag]

    public init(_ field: String) {
        let ranges = field.utf8.split(separator: UInt8(ascii: ",")).compactMap { Self.range(of: $0) }
            .filter { $0.weight > 0 }
        // Swift does not guarantee that the sort is stable.
        let order = ranges.indices.sorted { (-ranges[$0].weight, $0) < (-ranges[$1].weight, $1) }
        tags = order.map { ranges[$0].tag }.prefix { $0 != nil }.compactMap(\.self)
    }

    /// Parses `language-range [OWS ";" OWS "q=" qvalue]`. The tag is nil for `*`.
    private static func range(of member: Substring.UTF8View) -> (tag: LanguageTag?, weight: Int)? {
        let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            .map(trimmed)
        guard let name = parts.first else { return nil }
        let tag = isRange(name) ? LanguageTag(String(Substring(name))) : nil
        guard tag != nil || name.elementsEqual("*".utf8) else { return nil }
        guard parts.count > 1 else { return (tag, 1000) }
        return thousandths(ofWeight: parts[1]).map { (tag, $0) }
    }

    /// Whether a text matches `1*8ALPHA *("-" 1*8alphanum)`. `LanguageTag` has already checked that all characters are
    /// letters or digits.
    private static func isRange(_ name: Substring.UTF8View) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { 1...8 ~= $0.count }
            && parts.first?.allSatisfy { $0 > UInt8(ascii: "9") } == true
            && !name.contains(UInt8(ascii: "_"))
    }

    /// Parses `q=` and a number from 0 to 1 with at most three digits after the point; nil for any other text.
    private static func thousandths(ofWeight weight: Substring.UTF8View) -> Int? {
        var rest = weight
        guard let name = rest.popFirst(), name | 0x20 == UInt8(ascii: "q"), rest.popFirst() == UInt8(ascii: "="),
            let whole = rest.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
        else { return nil }
        var value = Int(whole - UInt8(ascii: "0"))
        guard let point = rest.popFirst() else { return value * 1000 }
        guard point == UInt8(ascii: "."), rest.count <= 3 else { return nil }
        for position in 0..<3 {
            let digit =
                position < rest.count ? rest[rest.index(rest.startIndex, offsetBy: position)] : UInt8(ascii: "0")
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value <= 1000 ? value : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var rest = text
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }
}
