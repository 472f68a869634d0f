internal import BellwetherJSON

/// The triggers of an app, one for all that share a text, kept from one publish to the next: what was compiled is not
/// compiled again, and what a context was found to make of a trigger still holds (``ContextTruths``).
struct TriggerLibrary: Sendable {
    /// Numbers of one series stand for the same texts wherever they are seen.
    final class Series: Sendable {}

    struct Entry: Sendable {
        let trigger: CompiledTrigger
        /// In the series, from 0.
        let number: Int32
    }

    let series = Series()
    private var entries: [ByteKey: Entry] = [:]

    /// So many texts that no trigger has any more are kept beside as many as there are in use.
    static let slack = 1_024

    init() {}

    var count: Int { entries.count }

    mutating func trigger(_ source: String) -> Entry {
        entries[ByteKey(text: source)] ?? enter(CompiledTrigger(source))
    }

    /// The library for the next publish, when these are in use: itself, or a new series of these, if too many others
    /// are kept.
    func trimmed(to triggers: [CompiledTrigger]) -> TriggerLibrary {
        guard count - triggers.count > triggers.count + Self.slack else { return self }
        var library = TriggerLibrary()
        for trigger in triggers { library.enter(trigger) }
        return library
    }

    @discardableResult
    private mutating func enter(_ trigger: CompiledTrigger) -> Entry {
        let entry = Entry(trigger: trigger, number: Int32(count))
        entries[ByteKey(text: trigger.source)] = entry
        return entry
    }
}
