/// What a context makes of a surface's messages, as far as polls have asked, by their places in the surface's index:
/// two bits each, for there are many contexts and many messages.
struct ContextMarks {
    private struct Word: BitwiseCopyable {
        var judged: UInt64 = 0
        var ruledOut: UInt64 = 0
    }

    /// As far as something was noted.
    private var words: [Word] = []

    @inline(__always)
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
        while place < end {
            let possible = possible(from: place, before: end)
            if possible != 0 { return place & ~63 + possible.trailingZeroBitCount }
            place = (place | 63) + 1
        }
        return end
    }

    /// Those of 64 places that are not known to be ruled out, by bits: of the 64 in which one lies, it and those behind
    /// it.
    func possible(from place: Int, before end: Int) -> UInt64 {
        let word = place >> 6
        let front = end - word << 6
        let inRange: UInt64 = ~0 &<< UInt64(place & 63) & (front < 64 ? (1 &<< UInt64(front)) &- 1 : ~0)
        return word < words.count ? ~words[word].ruledOut & inRange : inRange
    }

    private static func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(place & 63) }
}
