internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// The time at which this worker last reported each token's use. It reports a use again after at least a minute, so
/// most requests do not access shared memory.
final class TokenUses {
    private static let bound = 16_384

    private let register: TokenRegister
    /// The times by the first bytes of the digest, which are unique enough and faster to find.
    private var reported: [UInt64: Timestamp] = [:]

    init(register: TokenRegister) { self.register = register }

    func note(_ digest: [UInt8], at now: Timestamp) {
        let key = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if let last = reported[key], abs(now.milliseconds - last.milliseconds) < TokenRegister.usePeriod { return }
        // This also removes revoked tokens, whose uses are no longer reported.
        if reported.count >= Self.bound { reported.removeAll() }
        reported[key] = now
        register.noteUse(digest, at: now)
    }
}
