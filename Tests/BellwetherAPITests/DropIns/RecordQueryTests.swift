import HTTPWire
import Testing

@testable import BellwetherAPI

/// Kinto's query parameters, as far as the daemon supports them.
@Suite struct RecordQueryTests {
    private func query(_ items: (String, String)...) throws(KintoError) -> RecordQuery {
        try RecordQuery(items: items.map { QueryItem(name: $0.0, value: $0.1) })
    }

    @Test(arguments: [("12", 12), ("\"12\"", 12), ("0", 0), ("9223372036854775807", Int64.max)])
    func `A time is bare or quoted`(_ text: String, _ time: Int64) throws {
        #expect(try query(("_since", text)).since == time)
        #expect(try query(("gt_last_modified", text)).since == time)
        #expect(try query(("_expected", text)).expected == time)
    }

    @Test(arguments: ["", "\"", "\"\"", "-1", "+1", "1.0", "1e3", "9223372036854775808", " 1", "x", "W/\"1\""])
    func `What is no time is refused, unless it only keeps caches apart`(_ text: String) throws {
        #expect(throws: KintoError.self) { try query(("_since", text)) }
        #expect(try query(("_expected", text)).expected == nil)
    }

    @Test func `The later of two times counts`() throws {
        #expect(try query(("_since", "5"), ("gt_last_modified", "3")).since == 5)
    }

    @Test func `Order, number and fields`() throws {
        let asked = try query(("_sort", "last_modified"), ("_limit", "3"), ("_fields", "slug,id,,x"))
        #expect(asked.isAscending && asked.limit == 3 && asked.fields == ["slug", "id", "x"])
        #expect(try !query(("_sort", "-last_modified")).isAscending)
    }

    @Test(arguments: [
        ("_limit", "0"), ("_limit", "-1"), ("_limit", "x"), ("_sort", "slug"), ("_sort", ""), ("_before", "1"),
        ("_to", "1"), ("slug", "x"), ("lt_last_modified", "1"), ("", ""),
    ])
    func `What would answer more than was asked is refused`(_ name: String, _ value: String) {
        #expect(throws: KintoError.self) { try query((name, value)) }
    }

    @Test(arguments: ["_limit", "_token", "_sort", "_fields"])
    func `A route refuses what it would not do`(_ name: String) throws {
        let item = QueryItem(name: name, value: name == "_sort" ? "last_modified" : "1")
        #expect(throws: KintoError.self) { try RecordQuery(items: [item], .changeset) }
        guard name != "_fields" else { return }
        #expect(throws: KintoError.self) { try RecordQuery(items: [item], .record) }
    }

    @Test(arguments: ["", "x", "MQ==", "LTEgYQ=="]) func `A token is one of a Next-Page`(_ token: String) {
        #expect(throws: KintoError.self) { try query(("_token", token)) }
    }

    @Test func `Members of members are not selected`() {
        #expect(throws: KintoError.self) { try query(("_fields", "branches.slug")) }
    }

    @Test func `Other underscores are ignored`() throws {
        #expect(try query(("_cachebust", "1"), ("_", "x")) == RecordQuery(items: []))
    }
}
