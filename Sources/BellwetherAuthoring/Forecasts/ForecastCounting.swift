internal import BellwetherCore
internal import BellwetherJSON

/// Sums the results of a forecast over the contexts.
struct ForecastCounting {
    /// The values that are the same for all contexts.
    struct Frame {
        let contexts: Int
        let gate: ForecastGate?
        let bucketShare: Double
        let minimumCell: Int
        let anybody: ForecastClient
    }

    private struct BranchTally {
        /// The clients that are eligible for at least one shown message.
        var eligible = ForecastTally()
        var messages: [MessageTally]
    }

    private struct MessageTally {
        var eligible = ForecastTally()
        var displaced: [ForecastTally]
        var outranking: [ForecastTally]
        /// The contexts that pass targeting but not the message, by the first gate that closes it.
        var closed: [Verdict: Int] = [:]

        mutating func add(
            _ entry: ForecastPlan.Entry, _ truth: ForecastTruth, of client: ForecastClient, count: Int
        ) {
            eligible.add(truth, count: count)
            guard truth != .doesNotHold else { return }
            for (index, rival) in entry.displaced.enumerated() {
                displaced[index].add(truth && client.isEligible(rival), count: count)
            }
            for (index, rival) in entry.outranking.enumerated() {
                outranking[index].add(truth && client.isEligible(rival), count: count)
            }
        }
    }

    private struct LocaleTally {
        var contexts = 0
        /// The tallies by branch and surface.
        var eligible: [[ForecastTally]]
    }

    private let plan: ForecastPlan
    /// The surfaces of the recipe's shown messages, in byte order.
    private let surfaces: [Identifier]
    private var targeted = ForecastTally()
    private var branches: [BranchTally]
    private var locales: [Identifier: LocaleTally] = [:]

    init(_ plan: ForecastPlan) {
        self.plan = plan
        let shown = plan.branches.flatMap(\.messages).filter(\.isShown).map(\.facts.surface)
        surfaces = Set(shown).sorted()
        branches = plan.branches.map { branch in
            BranchTally(
                messages: branch.messages.map { entry in
                    MessageTally(
                        displaced: entry.displaced.map { _ in ForecastTally() },
                        outranking: entry.outranking.map { _ in ForecastTally() })
                })
        }
    }

    /// Adds `count` equal contexts.
    mutating func add(_ client: ForecastClient, targeting: ForecastTruth, count: Int) {
        targeted.add(targeting, count: count)
        let locale = Identifier(client.context.locale)
        let nobody = surfaces.map { _ in ForecastTally() }
        var ofLocale = locales[locale] ?? LocaleTally(eligible: plan.branches.map { _ in nobody })
        ofLocale.contexts += count
        // The branch of a context is unknown, so it counts in every branch, weighted by the branch's share.
        for (number, branch) in plan.branches.enumerated() {
            var bySurface = [ForecastTruth](repeating: .doesNotHold, count: surfaces.count)
            for (messageIndex, entry) in branch.messages.enumerated() {
                guard let position = entry.position else { continue }
                let truth = targeting && client.isEligible(position)
                branches[number].messages[messageIndex].add(entry, truth, of: client, count: count)
                if targeting != .doesNotHold, case .doesNotHold(let verdict) = client.judgement(of: position) {
                    branches[number].messages[messageIndex].closed[verdict, default: 0] += count
                }
                guard entry.isShown,
                    let surface = surfaces.firstIndex(of: entry.facts.surface)
                else { continue }
                bySurface[surface] = bySurface[surface] || truth
            }
            for (surface, truth) in bySurface.enumerated() {
                ofLocale.eligible[number][surface].add(truth, count: count)
            }
            branches[number].eligible.add(bySurface.reduce(.doesNotHold) { $0 || $1 }, count: count)
        }
        locales[locale] = ofLocale
    }
}

extension ForecastPlan.Entry {
    /// Controls and malformed messages are never shown.
    fileprivate var isShown: Bool { position != nil && !facts.isControl }
}

extension ForecastCounting {
    func forecast(_ frame: Frame) -> Forecast {
        func share(_ parts: [ForecastShare.Part]) -> ForecastShare? {
            ForecastShare(parts, of: frame.contexts, minimum: frame.minimumCell)
        }
        let eligible = shares(frame) { $0.isShown }.map { (branches[$0.branch].eligible, $0.factor) }
        let whole = { (factor: Double) in factor...factor }
        return Forecast(
            contexts: frame.contexts >= frame.minimumCell || frame.minimumCell == 1 ? frame.contexts : nil,
            gate: gate(frame), bucketShare: frame.bucketShare, targeted: share([(targeted, whole(1))]),
            enrolled: share([(targeted, whole(frame.bucketShare))]),
            eligible: plan.branches.allSatisfy(\.messages.isEmpty) ? nil : share(eligible),
            surfaces: surfaces.indices.map { surfaceForecast($0, frame) },
            messages: plan.branches.indices.flatMap { messageForecasts(branch: $0, frame) })
    }

    private func isFew(_ count: Int, _ frame: Frame) -> Bool {
        ForecastShare.isFew(count, of: frame.contexts, minimum: frame.minimumCell)
    }

    private func gate(_ frame: Frame) -> ForecastGate? {
        frame.gate ?? (isFew(targeted.high, frame) ? .targeting : nil)
    }

    /// The gate that closes a message. If one gate alone leaves only few contexts, it is that gate; else a gate that is
    /// closed for all clients; else, if several gates together leave few contexts, the one that closes most.
    private func closed(_ entry: ForecastPlan.Entry, _ tally: MessageTally, _ frame: Frame) -> Verdict? {
        guard let position = entry.position else { return .malformed }
        let isShownToFew = isFew(tally.eligible.high, frame)
        let most = isShownToFew ? tally.closed.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) } : nil
        if let most, isFew(targeted.high - most.value, frame) { return most.key }
        return frame.anybody.closedToAll(position) ?? most?.key
    }

    /// The branches with such a message. Each has its share of all clients that pass targeting and are in a sample of
    /// such a message. The share is a range if messages of a branch have separate samples.
    private func shares(
        _ frame: Frame, having isMeant: (ForecastPlan.Entry) -> Bool
    ) -> [(branch: Int, factor: ClosedRange<Double>)] {
        plan.branches.enumerated().compactMap { number, branch in
            let samples = branch.messages.filter(isMeant).map(\.facts.sampleShare)
            guard let least = samples.min() else { return nil }
            // The samples of different messages are independent.
            let most = samples.count == 1 ? least : 1 - samples.reduce(1) { $0 * (1 - $1) }
            let factor = frame.bucketShare * branch.share
            return (number, (factor * least)...(factor * max(least, most)))
        }
    }

    private func surfaceForecast(_ surface: Int, _ frame: Frame) -> SurfaceForecast {
        let name = surfaces[surface]
        let shares = shares(frame) { $0.isShown && $0.facts.surface == name }
        func eligible(_ tallies: some Collection<LocaleTally>, of contexts: Int) -> ForecastShare? {
            let parts = shares.map { branch, factor in
                (tallies.reduce(ForecastTally()) { $0 + $1.eligible[branch][surface] }, factor)
            }
            return ForecastShare(parts, of: contexts, minimum: frame.minimumCell)
        }
        func line(_ locale: String?, _ tallies: [LocaleTally]) -> LocaleForecast {
            let contexts = tallies.reduce(0) { $0 + $1.contexts }
            let shown = ForecastShare.shownCounts(of: frame.contexts, minimum: frame.minimumCell)
            return LocaleForecast(
                locale: locale, contexts: shown?.contains(contexts) == true ? contexts : nil,
                eligible: eligible(tallies, of: contexts))
        }
        let sorted = locales.sorted { left, right in
            left.value.contexts == right.value.contexts
                ? left.key < right.key : left.value.contexts > right.value.contexts
        }
        let large = sorted.prefix(ForecastMaking.maximumLocales).prefix { $0.value.contexts >= frame.minimumCell }
        let rest = sorted.dropFirst(large.count).map(\.value)
        return SurfaceForecast(
            surface: name, eligible: eligible(locales.values, of: frame.contexts),
            locales: large.map { line($0.key.text, [$0.value]) } + (rest.isEmpty ? [] : [line(nil, rest)]))
    }

    private func messageForecasts(branch number: Int, _ frame: Frame) -> [MessageForecast] {
        let branch = plan.branches[number]
        func share(_ tally: ForecastTally, _ entry: ForecastPlan.Entry) -> ForecastShare? {
            let factor = frame.bucketShare * branch.share * entry.facts.sampleShare
            return ForecastShare([(tally, factor...factor)], of: frame.contexts, minimum: frame.minimumCell)
        }
        /// The rivals that enough contexts may meet. Other rivals would reveal that a single context meets them.
        func rivals(
            _ rivals: [ForecastPlan.Rival], _ tallies: [ForecastTally], of entry: ForecastPlan.Entry
        ) -> [RivalForecast] {
            zip(rivals, tallies).compactMap { rival, tally in
                guard tally.high >= frame.minimumCell, let share = share(tally, entry) else { return nil }
                return RivalForecast(key: rival.key, share: share)
            }
        }
        return zip(branch.messages, branches[number].messages).map { entry, tally in
            MessageForecast(
                key: entry.key, branch: branch.slug, branchShare: branch.share, surface: entry.facts.surface,
                sampleShare: entry.facts.sampleShare, isControl: entry.facts.isControl,
                malformation: entry.malformation,
                obstacles: entry.position.map { frame.anybody.obstacles(to: $0) } ?? [],
                closed: closed(entry, tally, frame),
                eligible: entry.position == nil ? nil : share(tally.eligible, entry),
                displaces: rivals(entry.displaced, tally.displaced, of: entry),
                outrankedBy: rivals(entry.outranking, tally.outranking, of: entry))
        }
    }
}
