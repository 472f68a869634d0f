internal import BellwetherJSON

/// What the enrollments of an app's clients follow from at one time, besides client and context. Of the next publish it
/// is the same set with the same digest, unless that changes something of it.
struct EnrollmentBasis: Sendable {
    let experiments: ExperimentSet
    /// A hash that the process seeds: the same where the same follows.
    let digest: Int
    private let grounds: Grounds

    init(_ manifest: Manifest, live: [Recipe], paused: [Recipe], after previous: EnrollmentBasis?) {
        let grounds = Grounds(manifest, live: live, paused: paused)
        if let previous, previous.grounds == grounds {
            self = previous
            return
        }
        self.grounds = grounds
        experiments = ExperimentSet(live: live, paused: paused)
        digest = grounds.digest
    }
}

/// The documents, or as much of them as counts.
private struct Grounds: Sendable, Equatable {
    let appName: ByteKey?
    let channel: ByteKey?
    let experiments: [Member]
    /// Slugs of bare messaging values, in which everyone is.
    let universal: [ByteKey]

    struct Member: Sendable {
        let recipe: Recipe
        let isLive: Bool
    }

    init(_ manifest: Manifest, live: [Recipe], paused: [Recipe]) {
        appName = ByteKey(text: manifest.appName)
        channel = manifest.channel.map { ByteKey(text: $0) }
        let members = live.map { Member(recipe: $0, isLive: true) } + paused.map { Member(recipe: $0, isLive: false) }
        experiments = members.filter { $0.recipe.experiment != nil }
        universal = live.filter { $0.experiment == nil }.map { ByteKey(text: $0.slug) }
    }

    /// Only targeting that asks what a client is enrolled in can tell that it is in a bare messaging value.
    var digest: Int {
        var hasher = Hasher()
        for name in [appName, channel] { hasher.combine(name) }
        for member in experiments {
            hasher.combine(member.isLive)
            hasher.combine(ByteKey(text: member.recipe.slug))
            hasher.combine(member.recipe.document.encoded)
        }
        if experiments.contains(where: { $0.isLive && $0.recipe.experiment?.targeting?.readsEnrollments ?? false }) {
            hasher.combine(universal)
        }
        return hasher.finalize()
    }
}

extension Grounds.Member: Equatable {
    fileprivate static func == (left: Grounds.Member, right: Grounds.Member) -> Bool {
        left.isLive == right.isLive && left.recipe.slug.hasSameBytes(as: right.recipe.slug)
            && left.recipe.revision == right.recipe.revision && left.recipe.document == right.recipe.document
    }
}
