/// The funnel of a message by branch: step by step, events and clients are withheld together.
struct FunnelTable {
    private let groups: [ResultGroup]
    /// By branch and step.
    private let counts: [[FunnelTally.Count]]
    private let all: FunnelTally
    private let minimum: Int

    init(_ branches: BranchGroups, _ tallies: [FunnelTally], all: FunnelTally, minimum: Int) {
        groups = branches.groups
        var counts = Array(
            repeating: FunnelStep.allCases.map { _ in FunnelTally.Count.none }, count: branches.groups.count)
        for tally in tallies {
            let place = branches.place(of: tally.branch)
            for (step, name) in FunnelStep.allCases.enumerated() {
                let more = tally.count(of: name)
                let so = counts[place][step]
                counts[place][step] = FunnelTally.Count(
                    events: so.events + more.events, clients: so.clients + more.clients)
            }
        }
        self.counts = counts
        self.all = all
        self.minimum = minimum
    }

    /// The branches whose answers are withheld, here and in the table of answers: the same people are counted in both.
    func withheldAnswers(beside answers: [Int]) -> Set<Int> {
        LineWithholding.withheld([answers] + measures(of: .answered), minimum: minimum)
    }

    /// The total, then the branches. `hidden` are the branches whose answers are withheld; all are where the total is.
    func lines(hidden: Set<Int>, isTotalHidden: Bool) -> (total: FunnelLine, branches: [FunnelLine]) {
        var total: [FunnelTally.Count?] = []
        var lines = groups.map { _ in [FunnelTally.Count?]() }
        for (step, name) in FunnelStep.allCases.enumerated() {
            let sum = all.count(of: name)
            let isFew = sum.events > 0 && sum.clients < minimum || name == .answered && isTotalHidden
            let few = name == .answered ? hidden : LineWithholding.withheld(measures(of: name), minimum: minimum)
            total.append(isFew ? nil : sum)
            for place in groups.indices {
                let isHidden = isFew || few.contains(place)
                lines[place].append(isHidden ? nil : counts[place][step])
            }
        }
        return (
            FunnelLine(group: .none, counts: total),
            zip(groups, lines).map { FunnelLine(group: $0, counts: $1) }
        )
    }

    private func measures(of step: FunnelStep) -> [[Int]] {
        let place = FunnelStep.allCases.firstIndex(of: step) ?? 0
        return [counts.map { $0[place].events }, counts.map { $0[place].clients }]
    }
}
