extension BehaviorHistory {
    /// The names one by one, in byte order, without a list of them.
    func forEachName(_ body: (String) -> Void) {
        let entries = all
        for place in entries.indices { body(entries[place].name) }
    }
}
