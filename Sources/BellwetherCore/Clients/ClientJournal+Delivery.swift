/// What a poll wants recorded.
extension ClientJournal {
    /// Enrollments first: what is selected was selected in them.
    public mutating func apply(_ effects: DeliveryEffects, revision: UInt64) {
        if let evolved = effects.enrollments { self.evolved(evolved) }
        if !effects.malformed.isEmpty {
            for message in effects.malformed { reportMalformed(message) }
            reportedMalformed(revision: revision)
        }
        for control in effects.controls { reachedControl(control) }
    }
}
