/// A language tag as a client or an owner wrote it: `en-US`, `zh-Hant-TW`, `pt_BR`.
///
/// It has 1…35 letters and digits in parts that are separated by `-` or `_`, and no part is empty. It need not be
/// registered. RFC 5646 4.4.1 requires implementations to accept 35 characters.
public struct LanguageTag: Sendable, Hashable {
    /// The text as it was requested, with any `_`. Links use this spelling.
    public let text: String

    public init?(_ text: String) {
        guard 1...35 ~= text.utf8.count else { return nil }
        var partIsEmpty = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                partIsEmpty = false
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard !partIsEmpty else { return nil }
                partIsEmpty = true
            default: return nil
            }
        }
        guard !partIsEmpty else { return nil }
        self.text = text
    }

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

    /// The names under which strings are looked up, the most specific first: `de-at`, `de`. They are in lower case,
    /// with `-`.
    ///
    /// This is RFC 4647's lookup. A single letter only introduces the part after it, so it is never the last part.
    public var lookupChain: [String] { Self.lookupChain(of: text) }

    static func lookupChain(of text: String) -> [String] {
        Array(sequence(first: folded(text), next: general))
    }

    /// The next name in the chain after a folded one; nil after the last.
    static func general(_ name: String) -> String? {
        var rest = name.utf8[...]
        while let dash = rest.lastIndex(of: UInt8(ascii: "-")) {
            rest = rest[..<dash]
            let isSingle = rest.last != UInt8(ascii: "-") && rest.dropLast().last == UInt8(ascii: "-")
            if !isSingle { return String(Substring(rest)) }
        }
        return nil
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
