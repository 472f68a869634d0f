internal import BellwetherCore
internal import BellwetherJSON

/// What one kind of client asks of an app with one manifest: its context read, its language chosen. It outlasts
/// publishes of everything else. Belongs to one thread.
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
    /// What tells one context from another: an app, attributes, language and surfaces, as 128 bits of a hash that the
    /// process seeds. Nobody can make two of them meet.
    struct Meaning: Hashable {
        /// Without the surfaces and the language that was asked for.
        private let targeting: UInt64
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
