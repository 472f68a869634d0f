internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// The time when this worker last reported each token's use: it reports again a minute later at the earliest, so that
/// most requests touch nothing that is shared.
final class TokenUses {
    private static let bound = 16_384

    private let register: TokenRegister
    /// By the beginning of the digest, which is as good as all of it and quicker to find.
    private var reported: [UInt64: Timestamp] = [:]

    init(register: TokenRegister) { self.register = register }

    func note(_ digest: [UInt8], at now: Timestamp) {
        let key = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if let last = reported[key], abs(now.milliseconds - last.milliseconds) < TokenRegister.usePeriod { return }
        // Uses of revoked tokens are not reported any more.
        if reported.count >= Self.bound { reported.removeAll() }
        reported[key] = now
        register.noteUse(digest, at: now)
    }
}
