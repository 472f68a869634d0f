import BellwetherCore
import BellwetherJSON
import Testing

/// The addresses that are a bad request (docs/reference/events.md#ping-addresses).
@Suite struct GleanAddressTests {
    private static let id = "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab"

    private func faults(_ ping: String = "events", _ version: String = "1", _ id: String = id) -> [String] {
        let findings = Findings()
        GleanAddress(applicationID: "a", ping: ping, version: version, documentID: Identifier(id)).check(findings)
        return findings.faults.map { "\($0.pointer) \($0.code)" }
    }

    @Test(arguments: ["events", "first-startup", "nimbus_events", "A.b-9", String(repeating: "a", count: 100)])
    func pings(_ name: String) { #expect(faults(name) == []) }

    @Test(arguments: ["", "a b", "a/b", "é", "a\n", "*", String(repeating: "a", count: 101)])
    func pingsThatCannotBe(_ name: String) { #expect(faults(name) == ["/ping ping_name"]) }

    @Test(arguments: ["0", "1", "42", "0123456789"])
    func versions(_ version: String) { #expect(faults("events", version) == []) }

    @Test(arguments: ["", "v1", "1.0", "-1", "+1", " 1", "12345678901", "١"])
    func versionsThatCannotBe(_ version: String) { #expect(faults("events", version) == ["/version version"]) }

    @Test(arguments: [id, id.uppercased(), "00000000-0000-0000-0000-000000000000"])
    func documentIDs(_ id: String) { #expect(faults("events", "1", id) == []) }

    @Test(
        arguments: [
            "", "x", "2f8c7b1e90ad4c3f8b2d0123456789ab", "{\(id)}", id + "0", String(id.dropLast()),
            "2f8c7b1e-90ad-4c3f-8b2d-0123456789ag", "2f8c7b1e-90ad-4c3f-8b2d0-123456789ab",
        ])
    func documentIDsThatCannotBe(_ id: String) {
        #expect(faults("events", "1", id) == ["/document_id document_id"])
    }

    @Test func allFaultsAreTold() {
        #expect(faults("", "", "") == ["/ping ping_name", "/version version", "/document_id document_id"])
    }

    @Test func oneDocumentHasOneSpelling() {
        let address = GleanAddress(
            applicationID: "A", ping: "P", version: "1", documentID: Identifier(Self.id.uppercased()))
        #expect(address.documentID == Self.id)
        #expect(address.applicationID == "A" && address.ping == "P")
    }
}
