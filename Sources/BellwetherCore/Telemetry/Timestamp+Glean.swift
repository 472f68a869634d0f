internal import BellwetherBase

extension Timestamp {
    /// The minute that contains the instant, as Glean writes times: `2026-11-21T07:00+00:00`. Instants outside of the
    /// years 0000…9999, which the form cannot represent, are moved to the nearest end.
    var gleanMinute: String {
        let written = Timestamp(milliseconds: min(max(milliseconds, Self.firstWritten), Self.lastWritten))
        return String(written.rfc3339.prefix(16)) + "+00:00"
    }

    /// The instants 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z.
    private static let firstWritten: Int64 = -62_167_219_200_000
    private static let lastWritten: Int64 = 253_402_300_799_999
}
