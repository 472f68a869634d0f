/// Goes through the messages of a surface that are not out of the question for a client, in the order of selection.
///
/// Several runs are merged as they go: the free one, and for each event that the client has had the groups that need
/// it. A group is entered when the turn of its first message comes, and its user leaves it as a whole if its trigger is
/// against it. So a walk costs what the client's own events make possible, and nothing is asked about what lies behind
/// the message that is found.
struct CandidateWalk {
    private struct Cursor: BitwiseCopyable {
        var stage: Stage
        /// Of the catalog, where it stands: what cursors that wait are ordered by.
        var message: Int
        /// In the index's order; among its groups before one is entered.
        var place: Int
        let end: Int
        /// Whose places these are; none's for the free run.
        let group: Int

        enum Stage {
            /// Before a group of an event.
            case outside
            /// In a group, whose trigger nobody has asked for yet.
            case gated
            case open
        }
    }

    private let index: SurfaceIndex
    /// The one whose place was handed out last. Never outside; `Int.max` is its message when it has come to its end.
    private var front: Cursor
    /// What is left of the 64 places in which it stands, by bits: those that the context is not known to rule out.
    private var rest: UInt64 = 0
    /// The first of them.
    private var base = -64
    /// Those that wait: a heap with the least on top.
    private var others: [Cursor] = []
    /// The least one's message: until then it is the front's turn.
    private var bound = Int.max

    init(of index: SurfaceIndex, for history: BehaviorHistory) {
        self.index = index
        front = Cursor(stage: .open, message: .max, place: 0, end: index.free, group: 0)
        guard !index.isUniform else { return }
        index.forEachEvent(of: history) { groups in
            let (first, end) = (groups.lowerBound, groups.upperBound)
            wait(Cursor(stage: .outside, message: firstMessage(of: first), place: first, end: end, group: 0))
        }
        bound = others.first?.message ?? .max
    }

    /// Goes on to the next message that the context, by its `marks`, is not known to rule out. Its place; nil: there is
    /// none.
    @inline(__always)
    mutating func next(_ marks: ContextMarks) -> Int? {
        while rest == 0 {
            base += 64
            guard base < front.end else { break }
            rest = marks.possible(from: base, before: front.end)
        }
        front.place = rest == 0 ? front.end : base + rest.trailingZeroBitCount
        front.message = rest == 0 ? .max : Int(index.order[front.place])
        rest &= rest &- 1
        if front.message > bound { merge(marks) }
        return front.message == .max ? nil : front.place
    }

    /// What the group of the message at hand asks of a trigger, as long as nobody knows whether it is so.
    var gate: SurfaceIndex.Gate? { front.stage == .gated ? index.groups[front.group].gate : nil }

    /// It is so.
    mutating func openGroup() { front.stage = .open }

    /// It is not: the rest of the group is passed over.
    mutating func leaveGroup() {
        rest = 0
        base = front.end
    }

    /// Brings to the front whose turn it is.
    @inline(never)
    private mutating func merge(_ marks: ContextMarks) {
        while front.message > bound {
            let least = others[0]
            if least.stage == .outside {
                enterGroup(marks)
            } else {
                if front.message == .max {
                    removeLeast()
                } else {
                    others[0] = front
                    sink()
                }
                front = least
                base = front.place & ~63
                rest = marks.possible(from: front.place, before: front.end)
                rest &= rest &- 1
            }
            bound = others.first?.message ?? .max
        }
    }

    /// Lets the least, which is before a group, go on to the next one, and a cursor of its own wait in the group.
    private mutating func enterGroup(_ marks: ContextMarks) {
        let group = others[0].place
        others[0].place += 1
        if others[0].place < others[0].end {
            others[0].message = firstMessage(of: others[0].place)
            sink()
        } else {
            removeLeast()
        }
        let places = index.groups[group].places
        let place = marks.next(from: places.start, before: places.end)
        guard place < places.end else { return }
        wait(
            Cursor(
                stage: index.groups[group].gate == nil ? .open : .gated, message: Int(index.order[place]),
                place: place, end: places.end, group: group))
    }

    private func firstMessage(of group: Int) -> Int { Int(index.order[index.groups[group].places.start]) }

    private mutating func wait(_ cursor: Cursor) {
        others.append(cursor)
        var place = others.count - 1
        while place > 0, others[place].message < others[(place - 1) / 2].message {
            others.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func removeLeast() {
        others.swapAt(0, others.count - 1)
        others.removeLast()
        sink()
    }

    /// Puts the least on top again after the top has changed.
    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < others.count {
                if others[child].message < others[least].message { least = child }
            }
            guard least != place else { return }
            others.swapAt(place, least)
            place = least
        }
    }
}
