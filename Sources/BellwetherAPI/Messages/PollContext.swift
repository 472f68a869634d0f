internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What one kind of client asks, and all that was worked out for it so far. Belongs to one thread and one snapshot.
final class PollContext {
    let asked: AskedContext
    let app: AppSnapshot
    let verdicts: ContextVerdicts
    /// Of all that enrollments depend on, the client apart: what a `Settlement` is bound to. It outlasts a publish that leaves
    /// experiments and rollouts alone. Never 0, which is no settlement's.
    let digest: UInt64
    private(set) lazy var localizer = app.strings.localizer(for: targeting.requestedLocale)

    init(_ asked: AskedContext, app: AppSnapshot, outcomes: TriggerOutcomes) {
        self.asked = asked
        self.app = app
        verdicts = ContextVerdicts(
            catalog: app.catalog, context: asked.targeting, outcomes: outcomes, truths: asked.truths)
        var hasher = Hasher()
        hasher.combine(asked.meaning.targeting)
        hasher.combine(app.edition.enrollmentDigest)
        digest = UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    var targeting: TargetingContext { asked.targeting }
    var surfaces: [String] { asked.surfaces }
    var countdown: PollSampling.Countdown { asked.countdown }
}

/// What one kind of client asks of an app with one manifest: its context read, its language chosen. It outlasts publishes of
/// everything else. Belongs to one thread.
final class AskedContext {
    let targeting: TargetingContext
    let surfaces: [String]
    let meaning: Meaning
    let countdown: PollSampling.Countdown
    let truths = ContextTruths()

    init(targeting: TargetingContext, surfaces: [String], meaning: Meaning, countdown: PollSampling.Countdown) {
        self.targeting = targeting
        self.surfaces = surfaces
        self.meaning = meaning
        self.countdown = countdown
    }
}

extension AskedContext {
    /// What tells one context from another: an app, attributes, language and surfaces, as 128 bits of a hash that the process
    /// seeds. Nobody can make two of them meet.
    struct Meaning: Hashable {
        /// Without the surfaces and the language that was asked for.
        let targeting: UInt64
        private let all: UInt64

        init(_ app: String, _ context: TargetingContext, surfaces: [String]) {
            var hasher = Hasher()
            hasher.combine(bytesOf: app)
            hasher.combine(bytesOf: context.locale)
            hasher.combine(Self.digest(context.attributes))
            var whole = hasher
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
