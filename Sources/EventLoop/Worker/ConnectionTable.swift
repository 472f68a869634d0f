/// The connections of a worker, in slots that are reused. A generation number distinguishes the connections that use
/// the same slot.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    /// The handle of the connection that is inserted next.
    var next: ConnectionHandle {
        guard let slot = free.last else { return ConnectionHandle(slot: UInt32(slots.count), generation: 0) }
        return ConnectionHandle(slot: slot, generation: generations[Int(slot)])
    }

    /// Inserts a connection, which was created with the handle `next`.
    mutating func insert(_ connection: Connection) {
        let slot = Int(connection.handle.slot)
        if slot == slots.count {
            slots.append(connection)
            generations.append(0)
        } else {
            free.removeLast()
            slots[slot] = connection
        }
        count += 1
    }

    mutating func remove(_ handle: ConnectionHandle) {
        let slot = Int(handle.slot)
        guard generations[slot] == handle.generation, slots[slot] != nil else { return }
        slots[slot] = nil
        generations[slot] &+= 1
        free.append(handle.slot)
        count -= 1
    }

    subscript(handle: ConnectionHandle) -> Connection? {
        let slot = Int(handle.slot)
        return generations[slot] == handle.generation ? slots[slot] : nil
    }

    var all: [Connection] { slots.compactMap { $0 } }
}
