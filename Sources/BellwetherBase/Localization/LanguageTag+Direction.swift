extension LanguageTag {
    /// Whether text in this language runs from right to left. If the tag names a script (`az-Arab`, `ur-Latn`), the
    /// script decides. Otherwise the usual script of the language decides (CLDR's likely subtags).
    public var isRightToLeft: Bool {
        let parts = Self.folded(text).split(separator: "-")
        // A part after a single letter is an extension, and a part that begins with a digit is a variant.
        let script = parts.dropFirst().prefix { $0.utf8.count > 1 }
            .first { $0.utf8.count == 4 && $0.utf8.allSatisfy { $0 > UInt8(ascii: "9") } }
        if let script { return Self.rightToLeftScripts.contains(String(script)) }
        return parts.first.map { Self.rightToLeftLanguages.contains(String($0)) } ?? false
    }

    private static let rightToLeftScripts: Set<String> = [
        "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa", "yezi",
    ]

    private static let rightToLeftLanguages: Set<String> = [
        "ar", "arc", "ary", "arz", "azb", "bal", "bgn", "bqi", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw", "ks",
        "lrc", "mzn", "nqo", "pnb", "prs", "ps", "rhg", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}
