/// What a context makes of a surface's messages, as far as polls have asked, by their places in the surface's index: two
/// bits each, for there are many contexts and many messages.
struct ContextMarks {
    private struct Word: BitwiseCopyable {
        var judged: UInt64 = 0
        var ruledOut: UInt64 = 0
    }

    /// As far as something was noted.
    private var words: [Word] = []

    func isJudged(_ place: Int) -> Bool {
        place >> 6 < words.count && words[place >> 6].judged & Self.bit(place) != 0
    }

    mutating func note(_ place: Int, isRuledOut: Bool) {
        let word = place >> 6
        if word >= words.count { words += repeatElement(Word(), count: word + 1 - words.count) }
        words[word].judged |= Self.bit(place)
        if isRuledOut { words[word].ruledOut |= Self.bit(place) }
    }

    /// The first place, from one on, that is not known to be ruled out; `end` if there is none before it.
    func next(from start: Int, before end: Int) -> Int {
        var place = start
        while place < end, place >> 6 < words.count {
            let rest = ~words[place >> 6].ruledOut &>> UInt64(place & 63)
            if rest != 0 { return min(place + rest.trailingZeroBitCount, end) }
            place = (place | 63) + 1
        }
        return min(place, end)
    }

    private static func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(place & 63) }
}
