internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What one kind of client asks: its context read, its language chosen, and all that was worked out for it so far.
/// Belongs to one thread and one snapshot.
final class PollContext {
    let app: AppSnapshot
    let targeting: TargetingContext
    let surfaces: [String]
    let meaning: Meaning
    let verdicts: ContextVerdicts
    let localizer: Localizer
    let countdown: PollSampling.Countdown

    init(
        app: AppSnapshot, targeting: TargetingContext, surfaces: [String], meaning: Meaning,
        countdown: PollSampling.Countdown, outcomes: TriggerOutcomes
    ) {
        self.app = app
        self.targeting = targeting
        self.surfaces = surfaces
        self.meaning = meaning
        self.countdown = countdown
        verdicts = ContextVerdicts(catalog: app.catalog, context: targeting, outcomes: outcomes)
        localizer = app.strings.localizer(for: targeting.requestedLocale)
    }

    /// Of all that enrollments depend on, the client apart: what a `Settlement` is bound to. It outlasts a publish that leaves
    /// experiments and rollouts alone. Never 0, which is no settlement's.
    var digest: UInt64 { meaning.targeting | 1 }
}

extension PollContext {
    /// What tells one context from another: a snapshot of an app, attributes, language and surfaces, as 128 bits of a hash
    /// that the process seeds. Nobody can make two of them meet.
    struct Meaning: Hashable {
        /// What enrollments depend on: without the surfaces, the language that was asked for and what messages say.
        let targeting: UInt64
        private let all: UInt64

        init(_ app: AppSnapshot, _ context: TargetingContext, surfaces: [String]) {
            var hasher = Hasher()
            hasher.combine(bytesOf: app.name)
            hasher.combine(app.edition.enrollmentDigest)
            hasher.combine(bytesOf: context.locale)
            hasher.combine(Self.digest(context.attributes))
            var whole = hasher
            whole.combine(ObjectIdentifier(app.edition))
            whole.combine(surfaces.count)
            for surface in surfaces { whole.combine(bytesOf: surface) }
            whole.combine(context.requestedLocale != nil)
            targeting = UInt64(bitPattern: Int64(hasher.finalize()))
            all = UInt64(bitPattern: Int64(whole.finalize()))
        }

        /// The same in whatever order they stand.
        private static func digest(_ attributes: [String: JSONValue]) -> UInt64 {
            attributes.reduce(0) { sum, attribute in
                var hasher = Hasher()
                hasher.combine(bytesOf: attribute.key)
                if let text = attribute.value.string {
                    hasher.combine(bytesOf: text)
                } else {
                    hasher.combine(attribute.value.encoded)
                }
                return sum &+ UInt64(bitPattern: Int64(hasher.finalize()))
            }
        }

        /// The digest is as good a hash as any.
        func hash(into hasher: inout Hasher) { hasher.combine(all) }
    }
}

extension Hasher {
    /// Byte for byte, where texts themselves are alike that are canonically equivalent.
    fileprivate mutating func combine(bytesOf text: String) {
        combine(text.utf8.count)
        text.utf8.span.withUnsafeBytes { combine(bytes: $0) }
    }
}
