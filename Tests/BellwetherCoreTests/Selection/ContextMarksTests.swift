import TestSupport
import Testing

@testable import BellwetherCore

/// What a context is known to make of messages, against a list of the same.
@Suite struct ContextMarksTests {
    @Test(arguments: 0..<60)
    func agreesWithAList(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var marks = ContextMarks()
        let count = Int.random(in: 1...300, using: &random)
        var known: [Bool?] = Array(repeating: nil, count: count)
        for _ in 0..<200 {
            let place = Int.random(in: 0..<count, using: &random)
            if known[place] == nil {
                known[place] = Int.random(in: 0..<8, using: &random) > 0
                marks.note(place, isRuledOut: known[place] == true)
            }
            let start = Int.random(in: 0...count, using: &random)
            let end = Int.random(in: start...count, using: &random)
            #expect(marks.next(from: start, before: end) == (start..<end).first { known[$0] != true } ?? end)
        }
        for place in 0..<count { #expect(marks.isJudged(place) == (known[place] != nil)) }
    }

    @Test func longStretchesArePassedOver() {
        var marks = ContextMarks()
        for place in 0..<1000 where place != 700 { marks.note(place, isRuledOut: true) }
        #expect(marks.next(from: 0, before: 1000) == 700 && marks.next(from: 701, before: 1000) == 1000)
        #expect(marks.next(from: 0, before: 64) == 64 && marks.next(from: 999, before: 2000) == 1000)
    }
}
