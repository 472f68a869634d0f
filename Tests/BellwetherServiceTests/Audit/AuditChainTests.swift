import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import BellwetherService

/// Each record contains the hash of the record before it, so a changed, removed or inserted record is detected.
@Suite struct AuditChainTests {
    private static func entry(_ name: String) -> AuditEntry {
        var entry = AuditEntry(
            at: Timestamp(seconds: 1_790_000_000), author: "alice", action: .change, kind: .recipe, app: "one",
            name: Identifier(name))
        entry.facts = ["revision": 2, "state": "live"]
        entry.after = Digest.sha256(Array("{}".utf8))
        return entry
    }

    private static func records(_ count: Int = 5) -> [AuditRecord] {
        var chain = AuditChain()
        return (0..<count).map { chain.append(entry("r\($0)")) }
    }

    private func fault(in records: [AuditRecord]) -> AuditFault? {
        var chain = AuditChain()
        do throws(AuditFault) {
            for record in records { try chain.follow(record) }
            return nil
        } catch {
            return error
        }
    }

    @Test func `What was written is whole`() {
        let records = Self.records()
        #expect(fault(in: records) == nil)
        #expect(records.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(Set(records.map(\.hash)).count == 5)
    }

    @Test func `A record says who, when, what, and the digests`() throws {
        let value = try JSONValue(parsing: Self.records(1)[0].text)
        #expect(
            value == [
                "sequence": 1, "at": "2026-09-21T14:13:20Z", "by": "alice", "action": "change", "kind": "recipe",
                "app": "one", "name": "r0", "revision": 2, "state": "live", "before": nil,
                "after": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
                "previous": .string(String(repeating: "0", count: 64)),
            ])
    }

    @Test func `sha256sum finds the hash in a line without its last member`() throws {
        for record in Self.records(2) {
            let line = String(decoding: record.line, as: UTF8.self)
            let hash = try #require(try JSONValue(parsing: line).object?["hash"]?.string)
            let text = line.replacingOccurrences(of: ",\"hash\":\"\(hash)\"", with: "")
            #expect(try Command.run(["sha256sum"], input: text).output.prefix(64) == hash)
        }
    }

    @Test(arguments: 0..<5)
    func `A record that is left out is missed, unless it was the last`(_ index: Int) {
        var records = Self.records()
        records.remove(at: index)
        let expected = AuditFault.missing(Int64(index + 1), found: Int64(index + 2))
        #expect(fault(in: records) == (index == 4 ? nil : expected))
    }

    @Test func `A record that is changed is found, and named`() {
        var records = Self.records()
        let forged = String(decoding: records[2].text, as: UTF8.self).replacingOccurrences(of: "alice", with: "carol")
        records[2] = AuditRecord(sequence: 3, text: Array(forged.utf8), hash: records[2].hash)
        #expect(fault(in: records) == .altered(3))
        // With a new hash for the changed record, the next link is broken instead.
        records[2] = AuditRecord(sequence: 3, text: records[2].text, hash: Digest.sha256(records[2].text))
        #expect(fault(in: records) == .unlinked(4))
    }

    @Test func `Two records that changed places are found`() {
        var records = Self.records()
        records[1] = AuditRecord(sequence: 2, text: Self.records()[2].text, hash: Self.records()[2].hash)
        #expect(fault(in: records) == .altered(2))
    }

    @Test(arguments: ["", "{", "[]", "null", "\u{0}"])
    func `What is no record is found`(_ text: String) {
        var records = Self.records()
        records[3] = AuditRecord(sequence: 4, text: Array(text.utf8), hash: Digest.sha256(Array(text.utf8)))
        #expect(fault(in: records) == .unreadable(4))
    }

    @Test func `Names of any kind stay what they are`() throws {
        var chain = AuditChain()
        let name = "\"},\"hash\":\"\u{0}ü\\"
        let record = chain.append(Self.entry(name))
        #expect(try JSONValue(parsing: record.line).object?["name"] == .string(name))
        #expect(fault(in: [record]) == nil)
    }
}
