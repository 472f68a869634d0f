internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// What a poll is answered: messages as bytes with their display counts, and when to poll again
/// (docs/reference/http-api.md#the-poll). Its entity tag follows from the messages' digests, so that a client that has
/// it already costs no body.
struct PollAnswer {
    typealias Item = (message: RenderedMessage, displayCount: Int)

    let items: [Item]
    let nextPollSeconds: Int
    /// What came of the events that a poll brought.
    let events: [UInt8]?
    let head: PollAnswerHead

    init(
        _ items: [Item], nextPollSeconds: Int, events: [UInt8]? = nil, outcome: WorkerMeter.Poll = .nothing
    ) {
        self.items = items
        self.nextPollSeconds = nextPollSeconds
        self.events = events
        var tag = EntityTagBuilder()
        for (message, count) in items { tag.add(message.digest, count) }
        tag.add(nextPollSeconds)
        if let events { tag.add(bytes: events) }
        head = PollAnswerHead(tag: tag, outcome: outcome)
    }

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        head.response(to: request, counting: meter) { body }
    }

    var body: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(items.reduce(80 + (events?.count ?? 0)) { $0 + $1.message.size + 12 })
        output += "{\"messages\":[".utf8
        for (index, (message, count)) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += message.beforeCount
            JSONText.append(Int64(count), to: &output)
            output += message.afterCount
        }
        output += "],\"next_poll_seconds\":".utf8
        JSONText.append(Int64(nextPollSeconds), to: &output)
        if let events {
            output += ",\"events\":".utf8
            output += events
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}

/// Mixes what makes up a body into an entity tag: 128 bits, so that two bodies never share one by chance.
struct EntityTagBuilder: BitwiseCopyable {
    private var state: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

    mutating func add(_ digest: (UInt64, UInt64), _ count: Int) {
        mix(digest.0)
        mix(digest.1)
        mix(UInt64(truncatingIfNeeded: count))
    }

    mutating func add(_ number: Int) { mix(UInt64(truncatingIfNeeded: number)) }

    mutating func add(bytes: [UInt8]) { for byte in bytes { mix(UInt64(byte)) } }

    /// Quoted, 32 hex digits.
    func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for word in [state.0, state.1] {
            output.append(hexadecimal: UInt32(truncatingIfNeeded: word >> 32))
            output.append(hexadecimal: UInt32(truncatingIfNeeded: word))
        }
        output.append(UInt8(ascii: "\""))
    }

    /// The finalizer of splitmix64, over each half with its own word.
    private mutating func mix(_ word: UInt64) {
        state.0 = Self.scramble(state.0 ^ word)
        state.1 = Self.scramble(state.1 &+ word &+ state.0)
    }

    private static func scramble(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
