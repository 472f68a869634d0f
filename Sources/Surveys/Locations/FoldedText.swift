internal import BellwetherBase

/// A name in the form for searches: in lower case, without accents, with one space between words.
enum FoldedText {
    /// Folds a name in UTF-8. Most names are ASCII, which needs only one pass over the bytes.
    static func fold(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(name.count)
        for byte in name {
            switch byte {
            case 0x41...0x5A: folded.append(byte | 0x20)
            case 0x61...0x7A, 0x30...0x39: folded.append(byte)
            case 0x20 where folded.last != 0x20 && !folded.isEmpty: folded.append(byte)
            case 0x20: break
            default: return Array(fold(String(decoding: name, as: UTF8.self)).utf8)
            }
        }
        if folded.last == 0x20 { folded.removeLast() }
        return folded
    }

    static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.unicodeScalars {
            // Combining accents are dropped.
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

    /// Latin letters with accents, and the letters that people type for them.
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
