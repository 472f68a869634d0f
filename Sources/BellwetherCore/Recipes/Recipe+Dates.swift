public import BellwetherBase
public import BellwetherJSON

/// The time in which a recipe is in force, by its own dates. A date without a time is midnight, UTC. Messaging values
/// have no dates.
extension Recipe {
    /// The time before which the recipe offers nothing.
    public var start: Timestamp? { experiment?.dates.start }

    /// The time from which the recipe is gone.
    public var end: Timestamp? { experiment?.dates.end }

    public func hasStarted(at now: Timestamp) -> Bool { start.map { $0 <= now } ?? true }

    public func hasEnded(at now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }

    /// The next time at which the recipe starts or ends; nil if it has no later date.
    public func nextChange(after now: Timestamp) -> Timestamp? {
        [start, end].compactMap(\.self).filter { $0 > now }.min()
    }

    /// The reason why its own dates keep a live recipe from being served; nil if they do not.
    public func unserved(at now: Timestamp) -> UnservedRecipe? {
        if hasEnded(at: now) { return UnservedRecipe(slug: slug, reason: .ended, date: end) }
        return hasStarted(at: now) ? nil : UnservedRecipe(slug: slug, reason: .scheduled, date: start)
    }

    /// Checks the dates of a recipe at publish. This check is not part of reading: a recipe that an earlier version
    /// accepted is read again at every start.
    public func checkDates(at now: Timestamp, findings: Findings) {
        guard let end else { return }
        let pointer = JSONPointer.root.appending("endDate")
        if let start, start > end {
            findings.fault("dates", at: pointer, "endDate is before startDate")
        } else if let start, start == end {
            findings.warn("dates", at: pointer, "endDate is the same time as startDate: the recipe is never served")
        }
        guard hasEnded(at: now) else { return }
        findings.warn(
            "end_passed", at: pointer,
            "endDate is in the past: the recipe ends as soon as it is live, and is not served")
    }
}
