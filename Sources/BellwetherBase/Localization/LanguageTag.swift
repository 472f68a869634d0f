public import BellwetherJSON

/// A language tag as a client or an owner wrote it: `en-US`, `zh-Hant-TW`, `pt_BR`.
///
/// It has 1…35 letters and digits in parts that are separated by `-` or `_`, and no part is empty. It need not be
/// registered. RFC 5646 4.4.1 requires implementations to accept 35 characters. Extensions are not part of it
/// (docs/reference/messaging.md#languages).
public struct LanguageTag: Sendable, Hashable {
    /// The text as it was requested, with any `_`, and without extensions. Links use this spelling.
    public let text: String

    private static let maximumBytes = 35
    private static let maximumBytesWithExtensions = 255

    /// Reads a tag. An extension of BCP 47 (`-u-ca-gregory`) and the keywords of an ICU identifier (`en_US@rg=gbzzzz`)
    /// are left out. An identifier with keywords has the separator `_`, which becomes `-`.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytesWithExtensions else { return nil }
        let at = text.utf8.firstIndex(of: UInt8(ascii: "@"))
        guard at == nil || text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let name = at.map { String(text[..<$0]).replacing("_", with: "-") } ?? text
        guard Self.isWellFormed(name) else { return nil }
        let tag = Self.withoutExtensions(name)
        guard tag.utf8.count <= Self.maximumBytes else { return nil }
        self.text = tag
    }

    /// Reads the name of a table of texts, which has no extensions.
    public init?(tableName text: String) {
        self.init(text)
        guard text.utf8.elementsEqual(self.text.utf8) else { return nil }
    }

    private static func isWellFormed(_ text: String) -> Bool {
        var partIsEmpty = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                partIsEmpty = false
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard !partIsEmpty else { return false }
                partIsEmpty = true
            default: return false
            }
        }
        return !partIsEmpty
    }

    /// The text before the first part of one character, which begins an extension. `x` begins the private part, which
    /// stays.
    private static func withoutExtensions(_ text: String) -> String {
        var start = text.utf8.startIndex
        while let end = text.utf8[start...].firstIndex(where: isSeparator) {
            start = text.utf8.index(after: end)
            let part = text.utf8[start...].prefix { !isSeparator($0) }
            guard part.count == 1, let letter = part.first else { continue }
            return letter | 0x20 == UInt8(ascii: "x") ? text : String(text[..<end])
        }
        return text
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }

    /// The reason why a text is no tag, as a sentence for people.
    public static func refusal(of text: String) -> String { "\"\(text)\" is not a language tag such as en-US" }

    /// The targeting attribute `language`: the part before the first `-`
    /// (docs/reference/expressions.md#targeting-context). `_` is not a separator here, as in the SDK.
    public var language: String? { dashedPart(0) }

    /// The targeting attribute `region`: the second part between `-`, whatever it is (`Hant` in `zh-Hant-TW`).
    public var region: String? { dashedPart(1) }

    /// The country that the tag names, by ISO 3166-1 in upper case; nil for a tag without one (`de`, `es-419`).
    public var country: String? {
        let parts = Self.folded(text).split(separator: "-").dropFirst()
        // Extensions and private parts begin with a single character.
        return parts.prefix { $0.utf8.count > 1 }.first { $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) }?
            .uppercased()
    }

    private func dashedPart(_ index: Int) -> String? {
        let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard index < parts.count, !parts[index].isEmpty else { return nil }
        return String(parts[index])
    }

    /// The spelling under which locales are compared.
    package static func folded(_ text: String) -> String {
        String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: "_"): UInt8(ascii: "-")
                default: byte
                }
            }, as: UTF8.self)
    }
}

extension JSONReader {
    /// Reads a language tag; nil after a finding.
    public func languageTag() -> LanguageTag? {
        guard let text = string() else { return nil }
        let tag = LanguageTag(text)
        if tag == nil { finding("locale", LanguageTag.refusal(of: text)) }
        return tag
    }
}
