/// What a context makes of the triggers that it decides alone, as far as polls have asked: two bits for each number of
/// an app's ``TriggerLibrary``; and of recipes, as ``ContextGates`` tell. It outlasts publishes, since a text means the
/// same to a context as long as the manifest is the same. Belongs to one thread, and to one context.
public final class ContextTruths {
    private var series: TriggerLibrary.Series?
    /// 32 numbers each; 0 is unknown.
    private var words: [UInt64] = []
    /// For the recipes that somebody asked about last.
    private var gates: ContextGates?

    public init() {}

    /// Goes on with the numbers of a series, or forgets what was noted by those of another.
    func follow(_ series: TriggerLibrary.Series) {
        guard self.series !== series else { return }
        self.series = series
        words = []
    }

    /// How many triggers the context was asked about.
    var count: Int { words.reduce(0) { $0 + (($1 | $1 &>> 1) & 0x5555_5555_5555_5555).nonzeroBitCount } }

    func outcome(of number: Int) -> TriggerOutcome? {
        let word = number >> 5
        guard word < words.count else { return nil }
        let bits = words[word] &>> Self.shift(number) & 3
        return bits == 0 ? nil : TriggerOutcome(rawValue: UInt8(truncatingIfNeeded: bits - 1))
    }

    /// Of a number of which nothing is known.
    func note(_ outcome: TriggerOutcome, of number: Int) {
        let word = number >> 5
        if word >= words.count { words += repeatElement(0, count: word + 1 - words.count) }
        words[word] |= (UInt64(outcome.rawValue) + 1) &<< Self.shift(number)
    }

    /// What the context makes of an edition's recipes: it outlasts publishes that leave those alone.
    func gates(in edition: Edition, _ context: TargetingContext) -> ContextGates {
        if let gates, gates.recipes === edition.experiments { return gates }
        let gates = ContextGates(
            edition.experiments, context, appName: edition.manifest.appName, channel: edition.manifest.channel)
        self.gates = gates
        return gates
    }

    private static func shift(_ number: Int) -> UInt64 { UInt64(number & 31) * 2 }
}
