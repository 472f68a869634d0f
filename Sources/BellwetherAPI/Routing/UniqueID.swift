internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON

/// The daemon's ids: UUIDv7, which sort by time (RFC 9562 5.7).
enum UniqueID {
    static func make(at time: Timestamp) -> Identifier {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = UInt64(max(0, time.milliseconds))
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * $0)) }
        bytes += (0..<10).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Identifier(UUIDText.format(bytes))
    }
}
