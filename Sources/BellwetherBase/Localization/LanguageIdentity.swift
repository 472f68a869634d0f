/// The parts of a language tag in one form, so that tags which mean the same are equal: `iw-IL` and `he-IL`, `zh-TW`
/// and `zh-Hant-TW` (docs/reference/messaging.md#languages). All parts are in lower case.
package struct LanguageIdentity: Sendable, Hashable {
    package let language: String
    /// The script; empty if it is not known.
    package let script: String
    /// The region; empty if it is not known.
    let region: String
    /// Variants and the private part: `1996`, `x-phone`.
    let variants: [String]
    /// The parts that the tag names, with present codes in the place of former ones: `he-il` for `iw_IL`.
    package let canonical: String

    /// The identity of a tag. A script or region that the tag does not name is the usual one (CLDR's likely subtags).
    package init(_ tag: LanguageTag) {
        let named = Named(LanguageTag.folded(tag.text))
        self.init(named.language, named.script, named.region, named.variants, canonical: named.text)
    }

    private init(
        _ language: String, _ script: String?, _ region: String?, _ variants: [String] = [], canonical: String
    ) {
        let usual = Self.usual(language, script, region)
        self.language = language
        self.script = script ?? usual.script
        self.region = region ?? usual.region
        self.variants = variants
        self.canonical = canonical
    }

    package static func == (left: LanguageIdentity, right: LanguageIdentity) -> Bool {
        left.language == right.language && left.script == right.script && left.region == right.region
            && left.variants == right.variants
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(language)
        hasher.combine(script)
        hasher.combine(region)
        hasher.combine(variants)
    }

    /// Whether both are one language in one script, in whatever region.
    package func isRead(with other: LanguageIdentity) -> Bool {
        language == other.language && script == other.script
    }

    /// The identities whose texts a reader of this one reads, the nearest first: `zh-hk`, `zh-hant`; `es-mx`, `es-419`,
    /// `es`. The last ones are those of the language in the same script, because a reader of one script does not
    /// read another one.
    var chain: [LanguageIdentity] {
        var chain = variants.isEmpty ? [] : [self]
        var next: LanguageIdentity? = LanguageIdentity(language, script, region, canonical: canonical)
        while let one = next, !chain.contains(one) {
            chain.append(one)
            next = one.parent
        }
        return chain
    }

    private var parent: LanguageIdentity? {
        let isUsualScript = script == Self.usual(language, nil, nil).script
        let tags = ["\(language)-\(script)-\(region)"] + (isUsualScript ? ["\(language)-\(region)"] : [])
        if let name = tags.lazy.compactMap({ Self.parents[$0] }).first { return Self.parent(name, script: script) }
        let ofScript = LanguageIdentity(language, script.isEmpty ? nil : script, nil, canonical: canonical)
        if ofScript != self { return ofScript }
        let name = Self.parents["\(language)-\(script)"] ?? (isUsualScript ? Self.parents[language] : nil)
        return name.map { Self.parent($0, script: nil) }
    }

    private static func parent(_ name: String, script: String?) -> LanguageIdentity {
        let named = Named(name)
        return LanguageIdentity(named.language, named.script ?? script, named.region, canonical: named.text)
    }

    /// The usual script and region, empty where CLDR has none.
    private static func usual(
        _ language: String, _ script: String?, _ region: String?
    ) -> (script: String, region: String) {
        let keys = [script.map { "\(language)-\($0)" }, region.map { "\(language)-\($0)" }, language]
        guard let likely = keys.lazy.compactMap({ $0.flatMap { likely[$0] } }).first else { return ("", "") }
        let parts = likely.split(separator: "-").map(String.init)
        return (parts.first ?? "", parts.last ?? "")
    }

    private static let likely = words(LanguageData.likely)
    private static let parents = words(LanguageData.parents)
    fileprivate static let aliases = words(LanguageData.aliases)
    fileprivate static let regions = words(LanguageData.regions)

    private static func words(_ text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ">").map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
    }
}

/// The parts that a folded tag names, without those that it does not.
private struct Named {
    var language = ""
    var script: String?
    var region: String?
    var variants: [String] = []

    init(_ text: String) {
        var parts = text.split(separator: "-").map(String.init)
        // An alias can name another former tag: `nob` is `nb`, which is read as `no`.
        for _ in 0..<3 {
            guard let length = (1...3).last(where: { Self.alias(of: parts, $0) != nil }) else { break }
            let replacement = Self.alias(of: parts, length)?.split(separator: "-").map(String.init) ?? []
            parts.replaceSubrange(..<length, with: replacement)
        }
        language = parts.first ?? ""
        for (index, part) in parts.enumerated().dropFirst() {
            if part.utf8.count == 1 {
                variants.append(parts[index...].joined(separator: "-"))
                break
            }
            add(part)
        }
    }

    private static func alias(of parts: [String], _ length: Int) -> String? {
        parts.count < length ? nil : LanguageIdentity.aliases[parts.prefix(length).joined(separator: "-")]
    }

    /// Adds a part. A script or region of the tag replaces that of an alias: `sh-cyrl` is `sr-latn-cyrl` at first.
    private mutating func add(_ part: String) {
        let beginsWithDigit = part.utf8.first.map { $0 <= UInt8(ascii: "9") } ?? false
        switch (part.utf8.count, beginsWithDigit) {
        case (2, _), (3, true): region = LanguageIdentity.regions[part] ?? part
        case (4, false): script = part
        default: variants.append(part)
        }
    }

    var text: String { ([language, script, region].compactMap(\.self) + variants).joined(separator: "-") }
}

extension LanguageTag {
    /// Whether text in this language runs from right to left. The script decides that the tag names (`az-Arab`,
    /// `ur-Latn`), else the usual one of the language.
    public var isRightToLeft: Bool { Self.rightToLeftScripts.contains(LanguageIdentity(self).script) }

    private static let rightToLeftScripts: Set<String> = [
        "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa", "yezi",
    ]

    /// Whether this locale is within another one, as `fr-CA` is within `fr`, and `iw-IL` within `he`.
    public func isWithin(_ other: LanguageTag) -> Bool {
        let (own, wanted) = (LanguageIdentity(self).canonical, LanguageIdentity(other).canonical)
        return (own + "-").utf8.starts(with: (wanted + "-").utf8)
    }
}
