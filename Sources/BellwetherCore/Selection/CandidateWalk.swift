/// Goes through the messages of a surface that are not out of the question for a client, in the order of selection.
///
/// Several runs are merged as they go: the free one, and for each event that the client has had the groups that need it.
/// A group is entered when the turn of its first message comes, and its user leaves it as a whole if its trigger is
/// against it. So a walk costs what the client's own events make possible, and nothing is asked of what lies behind the
/// message that is found.
struct CandidateWalk {
    private struct Cursor: BitwiseCopyable {
        var stage: Stage
        /// Of the catalog: what cursors are ordered by.
        var message: Int
        /// In the index's order; among its groups for `groups`.
        var place: Int
        let end: Int
        /// Whose places these are; -1: those of no group.
        let group: Int

        enum Stage {
            /// At a group of an event, which has not been entered.
            case groups
            /// In a group, whose trigger nobody has asked for yet.
            case gated
            case open
        }
    }

    private let index: SurfaceIndex
    /// The one whose turn it is.
    private var front: Cursor?
    /// The others: a heap with the least on top.
    private var others: [Cursor] = []
    /// Whether the front cursor's place was handed out.
    private var isTaken = false

    init(of index: SurfaceIndex, for history: BehaviorHistory, _ marks: ContextMarks) {
        self.index = index
        enter(index.free, of: -1, .open, marks)
        guard !index.isUniform else { return }
        index.forEachEvent(of: history) { groups in
            add(
                Cursor(
                    stage: .groups, message: firstMessage(of: groups.lowerBound), place: groups.lowerBound,
                    end: groups.upperBound, group: -1))
        }
    }

    /// The place of the next message that the context, by its `marks`, is not known to rule out.
    mutating func next(_ marks: ContextMarks) -> Int? {
        if isTaken, let cursor = front { move(to: marks.next(from: cursor.place + 1, before: cursor.end)) }
        isTaken = false
        while let cursor = front {
            guard cursor.stage == .groups else {
                isTaken = true
                return cursor.place
            }
            move(to: cursor.place + 1)
            let places = index.groups[cursor.place].places
            enter(places.start..<places.end, of: cursor.place, .gated, marks)
        }
        return nil
    }

    /// The group of the message at hand, as long as nobody knows what its trigger comes to.
    var gate: SurfaceIndex.Group? {
        guard let front, front.stage == .gated else { return nil }
        return index.groups[front.group]
    }

    /// The trigger of the group at hand lets the client through.
    mutating func openGroup() { front?.stage = .open }

    /// It does not: the rest of the group is passed over.
    mutating func leaveGroup() {
        isTaken = false
        leave()
    }

    private func firstMessage(of group: Int) -> Int { Int(index.order[index.groups[group].places.start]) }

    private mutating func enter(_ places: Range<Int>, of group: Int, _ stage: Cursor.Stage, _ marks: ContextMarks) {
        let place = marks.next(from: places.lowerBound, before: places.upperBound)
        guard place < places.upperBound else { return }
        add(
            Cursor(
                stage: stage, message: Int(index.order[place]), place: place, end: places.upperBound, group: group))
    }

    private mutating func add(_ cursor: Cursor) {
        guard let first = front else {
            front = cursor
            return
        }
        let isFirst = cursor.message < first.message
        if isFirst { front = cursor }
        others.append(isFirst ? first : cursor)
        rise()
    }

    /// Moves the front cursor, after which it may be another's turn.
    private mutating func move(to place: Int) {
        guard var cursor = front else { return }
        guard place < cursor.end else { return leave() }
        cursor.place = place
        cursor.message = cursor.stage == .groups ? firstMessage(of: place) : Int(index.order[place])
        if let least = others.first, least.message < cursor.message {
            others[0] = cursor
            front = least
            sink()
        } else {
            front = cursor
        }
    }

    /// Ends the front cursor.
    private mutating func leave() {
        front = others.first
        guard let last = others.popLast(), !others.isEmpty else { return }
        others[0] = last
        sink()
    }

    private mutating func rise() {
        var place = others.count - 1
        while place > 0, others[place].message < others[(place - 1) / 2].message {
            others.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

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
