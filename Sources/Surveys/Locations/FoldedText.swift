internal import BellwetherBase

/// A name as it is searched: in lower case, without accents, one space between words.
enum FoldedText {
    static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.unicodeScalars {
            // Combining accents.
            if (0x300...0x36F).contains(scalar.value) { continue }
            if separators.contains(scalar) || scalar.properties.isWhitespace {
                if !folded.isEmpty, folded.last != " " { folded.append(" ") }
                continue
            }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars where !(0x300...0x36F).contains(lower.value)
            {
                folded.append(letters[lower] ?? String(lower))
            }
        }
        if folded.last == " " { folded.removeLast() }
        return folded
    }

    private static let separators: Set<Unicode.Scalar> = ["-", "'", "’", ".", ",", "ʻ"]

    /// Latin letters with accents, by what people type for them.
    private static let letters: [Unicode.Scalar: String] = {
        let groups: [(letters: String, plain: String)] = [
            ("àáâãäåāăąǎạảấầẩẫậắằẳẵặ", "a"), ("æ", "ae"), ("çćĉċč", "c"), ("ďđð", "d"),
            ("èéêëēĕėęěẹẻẽếềểễệ", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"), ("ìíîïĩīĭįıǐịỉ", "i"), ("ĵ", "j"), ("ķ", "k"),
            ("ĺļľŀł", "l"), ("ñńņňŋ", "n"), ("òóôõöøōŏőơọỏốồổỗộớờởỡợ", "o"), ("œ", "oe"), ("ŕŗř", "r"), ("śŝşšș", "s"),
            ("ß", "ss"), ("ţťŧț", "t"), ("þ", "th"), ("ùúûüũūŭůűųưụủứừửữự", "u"), ("ŵ", "w"), ("ýÿŷỳỹ", "y"),
            ("źżž", "z"),
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for group in groups { for scalar in group.letters.unicodeScalars { letters[scalar] = group.plain } }
        return letters
    }()
}
