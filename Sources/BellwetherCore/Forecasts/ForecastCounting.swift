internal import BellwetherJSON

/// Adds up what a forecast finds context by context.
struct ForecastCounting {
    /// What is the same for all contexts.
    struct Frame {
        let contexts: Int
        let gate: ForecastGate?
        let bucketShare: Double
        let minimumCell: Int
    }

    private struct MessageTally {
        var eligible = ForecastTally()
        var displaced: [ForecastTally]
        var outranking: [ForecastTally]
    }

    private struct LocaleTally {
        var contexts = 0.0
        /// By surface, in the order of `surfaces`.
        var eligible: [ForecastTally]
    }

    private let plan: ForecastPlan
    /// On which the recipe shows anything, in byte order.
    private let surfaces: [String]
    private var targeted = ForecastTally()
    private var eligible = ForecastTally()
    private var messages: [[MessageTally]]
    private var locales: [ByteKey: LocaleTally] = [:]

    init(_ plan: ForecastPlan) {
        self.plan = plan
        let shown = plan.branches.flatMap(\.messages).filter(\.isShown).map { ByteKey(text: $0.facts.surface) }
        surfaces = Set(shown).map(\.text).sorted { $0.precedes($1) }
        messages = plan.branches.map { branch in
            branch.messages.map { entry in
                MessageTally(
                    displaced: entry.displaced.map { _ in ForecastTally() },
                    outranking: entry.outranking.map { _ in ForecastTally() })
            }
        }
    }

    mutating func count(_ client: ForecastClient, targeting: ForecastTruth, weight: Double) {
        targeted.add(targeting, weight: weight)
        let locale = ByteKey(text: client.context.locale)
        var ofLocale = locales[locale] ?? LocaleTally(eligible: surfaces.map { _ in ForecastTally() })
        ofLocale.contexts += weight
        for (number, branch) in plan.branches.enumerated() {
            var bySurface = [ForecastTruth](repeating: .fails, count: surfaces.count)
            for (place, entry) in branch.messages.enumerated() {
                guard let position = entry.position else { continue }
                let truth = targeting && client.isEligible(position)
                count(client, truth, entry, at: (number, place), weight: weight)
                guard entry.isShown,
                    let surface = surfaces.firstIndex(where: { $0.hasSameBytes(as: entry.facts.surface) })
                else { continue }
                bySurface[surface] = bySurface[surface] || truth
            }
            // Which branch it would be is not known of a context: it is in each of them, by its share.
            let share = weight * branch.share
            for (surface, truth) in bySurface.enumerated() { ofLocale.eligible[surface].add(truth, weight: share) }
            eligible.add(bySurface.reduce(.fails) { $0 || $1 }, weight: share)
        }
        locales[locale] = ofLocale
    }

    private mutating func count(
        _ client: ForecastClient, _ truth: ForecastTruth, _ entry: ForecastPlan.Entry, at place: (Int, Int),
        weight: Double
    ) {
        messages[place.0][place.1].eligible.add(truth, weight: weight)
        guard truth != .fails else { return }
        for (index, rival) in entry.displaced.enumerated() {
            messages[place.0][place.1].displaced[index].add(truth && client.isEligible(rival), weight: weight)
        }
        for (index, rival) in entry.outranking.enumerated() {
            messages[place.0][place.1].outranking[index].add(truth && client.isEligible(rival), weight: weight)
        }
    }
}

extension ForecastPlan.Entry {
    /// Controls are never shown, malformed messages neither.
    fileprivate var isShown: Bool { position != nil && !facts.isControl }
}

extension ForecastCounting {
    func forecast(_ frame: Frame) -> Forecast {
        func share(_ tally: ForecastTally, _ factor: Double) -> ForecastShare? {
            ForecastShare(tally, of: frame.contexts, factor: factor)
        }
        return Forecast(
            contexts: frame.contexts, gate: frame.gate, bucketShare: frame.bucketShare, targeted: share(targeted, 1),
            enrolled: share(targeted, frame.bucketShare), eligible: share(eligible, frame.bucketShare),
            surfaces: surfaces.indices.map { surfaceForecast($0, frame) },
            messages: plan.branches.indices.flatMap { messageForecasts(branch: $0, frame) })
    }

    private func surfaceForecast(_ surface: Int, _ frame: Frame) -> SurfaceForecast {
        let sorted = locales.sorted { left, right in
            left.value.contexts == right.value.contexts
                ? left.key.text.precedes(right.key.text) : left.value.contexts > right.value.contexts
        }
        let large = sorted.prefix(ForecastMaking.maximumLocales)
            .prefix { $0.value.contexts >= Double(frame.minimumCell) }
        let rest = sorted.dropFirst(large.count).map(\.value)
        func line(_ locale: String?, _ tallies: [LocaleTally]) -> LocaleForecast {
            let contexts = Int(tallies.reduce(0) { $0 + $1.contexts })
            let sum = tallies.reduce(ForecastTally()) { $0 + $1.eligible[surface] }
            return LocaleForecast(
                locale: locale, contexts: contexts,
                eligible: ForecastShare(sum, of: contexts, factor: frame.bucketShare))
        }
        let all = locales.values.reduce(ForecastTally()) { $0 + $1.eligible[surface] }
        return SurfaceForecast(
            surface: surfaces[surface],
            eligible: ForecastShare(all, of: frame.contexts, factor: frame.bucketShare),
            locales: large.map { line($0.key.text, [$0.value]) } + (rest.isEmpty ? [] : [line(nil, rest)]))
    }

    private func messageForecasts(branch number: Int, _ frame: Frame) -> [MessageForecast] {
        let branch = plan.branches[number]
        let factor = frame.bucketShare * branch.share
        func share(_ tally: ForecastTally) -> ForecastShare? {
            ForecastShare(tally, of: frame.contexts, factor: factor)
        }
        /// Those that may meet at all.
        func rivals(_ rivals: [ForecastPlan.Rival], _ tallies: [ForecastTally]) -> [RivalForecast] {
            zip(rivals, tallies).compactMap { rival, tally in
                guard tally.high > 0, let share = share(tally) else { return nil }
                return RivalForecast(key: rival.key, share: share)
            }
        }
        return zip(branch.messages, messages[number]).map { entry, tally in
            MessageForecast(
                key: entry.key, branch: branch.slug, branchShare: branch.share, surface: entry.facts.surface,
                isControl: entry.facts.isControl, malformation: entry.malformation,
                eligible: entry.position == nil ? nil : share(tally.eligible),
                displaces: rivals(entry.displaced, tally.displaced),
                outrankedBy: rivals(entry.outranking, tally.outranking))
        }
    }
}

extension ForecastTally {
    static func + (left: ForecastTally, right: ForecastTally) -> ForecastTally {
        ForecastTally(low: left.low + right.low, high: left.high + right.high)
    }
}
