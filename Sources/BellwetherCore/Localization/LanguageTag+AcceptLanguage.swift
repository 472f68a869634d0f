extension LanguageTag {
    /// The language that an `Accept-Language` field asks for most (RFC 9110 12.5.4): the greatest weight, and of equal
    /// ones the first. Nil where nothing usable is asked.
    ///
    /// `*` names no language and weight 0 means "not this one": both are passed over, as is every member that is not
    /// exactly what the grammar allows.
    public static func preferred(acceptLanguage: String) -> LanguageTag? {
        var best: (tag: LanguageTag, weight: Int)?
        for member in acceptLanguage.utf8.split(separator: UInt8(ascii: ",")) {
            guard let (tag, weight) = range(of: member), weight > best?.weight ?? 0 else { continue }
            best = (tag, weight)
        }
        return best?.tag
    }

    /// `language-range [OWS ";" OWS "q=" qvalue]`.
    private static func range(of member: Substring.UTF8View) -> (tag: LanguageTag, weight: Int)? {
        let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            .map(trimmed)
        guard let name = parts.first, isRange(name), let tag = LanguageTag(String(Substring(name))) else { return nil }
        guard parts.count > 1 else { return (tag, 1000) }
        return thousandths(ofWeight: parts[1]).map { (tag, $0) }
    }

    /// `1*8ALPHA *("-" 1*8alphanum)`; that the characters are letters and digits is known from `LanguageTag`.
    private static func isRange(_ name: Substring.UTF8View) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { 1...8 ~= $0.count }
            && parts.first?.allSatisfy { $0 > UInt8(ascii: "9") } == true
            && !name.contains(UInt8(ascii: "_"))
    }

    /// `q=` and 0 to 1 with at most three digits after the point; nil for anything else.
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
