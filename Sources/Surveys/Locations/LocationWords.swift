/// One reading of the text that a respondent has typed: the beginning of a place's name, and words that say where it
/// is.
///
/// `Portland, Oregon` has one such word after the comma. `paris texas` may be a name, or a name and such a word.
struct LocationWords {
    enum End {
        /// The name may go on.
        case open
        /// The last word of the name is complete.
        case word
        /// The name is complete.
        case name
    }

    /// The folded name in UTF-8.
    let name: [UInt8]
    let end: End
    /// The folded words of a region or a country, or their codes.
    let places: [String]

    /// The maximum number of readings that split a text without a comma.
    private static let splits = 4
    private static let commas: Set<Character> = [",", "，", "、", "،"]

    /// The readings of a text, the most probable first; none for a text without letters.
    static func readings(of text: String) -> [LocationWords] {
        let parts = text.split(whereSeparator: commas.contains).map { FoldedText.fold(String($0)) }.filter {
            !$0.isEmpty
        }
        guard let name = parts.first else { return [] }
        let places = Array(parts.dropFirst())
        let isWord = places.isEmpty && text.last?.isWhitespace == true
        let words = name.split(separator: " ")
        let splits = (1..<max(1, words.count)).reversed().prefix(Self.splits).map { count in
            LocationWords(
                name: Array(words[..<count].joined(separator: " ").utf8), end: .name,
                places: [words[count...].joined(separator: " ")] + places)
        }
        let whole = LocationWords(name: Array(name.utf8), end: isWord ? .word : .open, places: places)
        let alone = LocationWords(name: whole.name, end: whole.end, places: [])
        // The language of a table may not have the word after a comma. Then the name alone decides.
        return [whole] + splits + (places.isEmpty ? [] : [alone])
    }
}

/// How well a city fits a reading. The best is the least.
struct LocationRank: Comparable {
    enum Name: Int {
        /// The city's own name begins with the text.
        case own
        /// Another name is the text.
        case other
        /// A later word of its own name begins with the text.
        case word
        /// Another name begins with the text.
        case beginningOfOther
    }

    /// The position of the reading.
    let reading: Int
    let name: Name
    let isFar: Bool
    /// The number of inhabitants. It counts five times if the text ends where a word of the name does, so that `san`
    /// finds San Diego beside Santiago.
    let weight: Int
    let isWhole: Bool
    /// The position of the city in the table.
    let city: Int

    static let factorOfWholeWords = 5

    static func < (one: LocationRank, other: LocationRank) -> Bool {
        (one.reading, one.name.rawValue, one.isFar ? 1 : 0, -one.weight, one.city)
            < (other.reading, other.name.rawValue, other.isFar ? 1 : 0, -other.weight, other.city)
    }
}
