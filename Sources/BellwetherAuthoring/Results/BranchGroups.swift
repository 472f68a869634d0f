internal import BellwetherJSON

/// The branches in results: in byte order, then the rest, then clients without a branch.
struct BranchGroups {
    let groups: [ResultGroup]
    private var indices: [Identifier: Int] = [:]
    private let rest: Int?
    private let none: Int?

    /// A nil element means clients without a branch.
    init(_ branches: some Sequence<Identifier?>) {
        let keys = Set(branches)
        let named = keys.compactMap(\.self).sorted()
        let listed = named.prefix(ResultsMaking.maximumBranches)
        var groups = listed.map { ResultGroup.named($0) }
        rest = named.count > listed.count ? groups.count : nil
        if rest != nil { groups.append(.rest) }
        none = keys.contains(nil) ? groups.count : nil
        if none != nil { groups.append(.none) }
        self.groups = groups
        for (index, name) in listed.enumerated() { indices[name] = index }
    }

    /// The index of a branch, which must be one of the initial branches.
    func index(of branch: Identifier?) -> Int {
        guard let branch else { return none ?? 0 }
        return indices[branch] ?? rest ?? 0
    }

    /// The funnel of each group.
    func funnels(_ tallies: [FunnelTally]) -> [(group: ResultGroup, tally: FunnelTally)] {
        var sums = groups.map { _ in FunnelTally(branch: nil, counts: []) }
        for tally in tallies { sums[index(of: tally.branch)].add(tally) }
        return zip(groups, sums).map { ($0, $1) }
    }
}
