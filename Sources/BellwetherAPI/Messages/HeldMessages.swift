/// How many bytes the messages of remembered polls have, each message counted once.
struct HeldMessages {
    private(set) var bytes = 0
    /// Tells counts of before `removeAll` apart.
    private var turn: UInt32 = 1

    mutating func add(_ poll: RememberedPoll) {
        for (message, _) in poll.messages {
            if message.holders.turn != turn { message.holders = (turn, 0) }
            if message.holders.count == 0 { bytes += message.size }
            message.holders.count += 1
        }
    }

    mutating func remove(_ poll: RememberedPoll) {
        for (message, _) in poll.messages where message.holders.turn == turn {
            message.holders.count -= 1
            if message.holders.count == 0 { bytes -= message.size }
        }
    }

    /// Nothing is looked at of the polls, which are far apart.
    mutating func removeAll() {
        bytes = 0
        turn &+= 1
    }
}
