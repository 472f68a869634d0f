import BellwetherJSON
import JEXL
import Synchronization
import Testing

@Suite struct EventQueryTests {
    /// The event query of an expression in two forms: with literals, which become one node, and with the same values
    /// from the context, which use the general path.
    private func query(
        _ subject: String, _ kind: String, _ arguments: String, _ value: String = "2.5"
    ) throws -> EventQuery? {
        let asked = Mutex<[EventQuery]>([])
        let literal = "\(subject)|\(kind)\(arguments.isEmpty ? "" : "(\(arguments))")"
        let general = "(\(subject) || 0)|\(kind)\(arguments.isEmpty ? "" : "(\(arguments))")"
        var outcomes: [String] = []
        for expression in [literal, general] {
            let environment = TestEnvironment { query in
                asked.withLock { $0.append(query) }
                return 2.5
            }
            outcomes.append(Example.outcome(of: expression, in: environment))
        }
        let queries = asked.withLock { $0 }
        #expect(outcomes[0] == outcomes[1])
        #expect(queries.isEmpty ? outcomes[0] == "ERR transform" : outcomes[0] == value)
        #expect(queries.count != 1 && queries.first == queries.last)
        return queries.first
    }

    @Test(arguments: ["eventSum", "eventCountNonZero", "eventAveragePerInterval", "eventAveragePerNonZeroInterval"])
    func countingQueries(_ name: String) throws {
        let kind = try #require(EventQuery.Kind(rawValue: name))
        func expected(_ interval: EventInterval, _ count: Int, _ start: Int) -> EventQuery {
            EventQuery(event: "e", kind: kind, interval: interval, count: count, start: start)
        }
        #expect(try query("'e'", name, "'Days', 7") == expected(.days, 7, 0))
        #expect(try query("'e'", name, "'Minutes', 7, 3") == expected(.minutes, 7, 3))
        #expect(try query("'e'", name, "'Hours', 7.9, .9,") == expected(.hours, 7, 0))
        #expect(try query("'e'", name, "'Weeks', 0, 0 - 5") == expected(.weeks, 0, 0))
        #expect(try query("'e'", name, "'Months', 0 - 1.5, 2") == expected(.months, 0, 2))
        #expect(try query("'e'", name, "'Years', 10 ^ 300, 9999999999999999999999") == expected(.years, .max, .max))
        for arguments in [
            "", "'Days'", "'Days', 1, 2, 3", "'days', 1", "'Day', 1", "'DAYS', 1", "'', 1", "7, 1", "null, 1",
            "'Days', '7'", "'Days', null", "'Days', 1, true",
            "'Days', 1, [0]", "['Days'], 1", "'Days', 1 / 0", "'Days ', 1",
        ] {
            #expect(try query("'e'", name, arguments) == nil, "\(arguments)")
        }
    }

    @Test func lastSeen() throws {
        let query = try #require(try query("'e'", "eventLastSeen", "'Days'"))
        #expect(query == EventQuery(event: "e", kind: .eventLastSeen, interval: .days, count: .max, start: 0))
        #expect(try self.query("'e'", "eventLastSeen", "'Days', 2.7")?.scope == .buckets(.days, count: .max, start: 2))
        #expect(
            try self.query("'e'", "eventLastSeen", "'Days', 0 - 2")?.scope == .buckets(.days, count: .max, start: 0))
        for arguments in ["", "'Days', 1, 2", "'days'", "1", "null", "'Days', '1'", "'Days', null"] {
            #expect(try self.query("'e'", "eventLastSeen", arguments) == nil, "\(arguments)")
        }
    }

    @Test func ordersInTime() throws {
        func expected(_ kind: EventQuery.Kind, _ scope: EventQuery.Scope) -> EventQuery {
            EventQuery(event: "e", kind: kind, scope: scope)
        }
        #expect(try query("'e'", "eventAgo", "5", "true") == expected(.eventAgo, .seconds(from: 5, to: .infinity)))
        #expect(try query("'e'", "eventAgo", "0.5, 7.25", "true") == expected(.eventAgo, .seconds(from: 0.5, to: 7.25)))
        #expect(try query("'e'", "eventAgo", "0 - 1", "true") == expected(.eventAgo, .seconds(from: -1, to: .infinity)))
        #expect(try query("'e'", "eventAfter", "'a'", "true") == expected(.eventAfter, .since("a")))
        for arguments in ["", "1, 2, 3", "'1'", "null", "1, '2'", "1, null", "true", "[1]", "1 / 0"] {
            #expect(try self.query("'e'", "eventAgo", arguments) == nil, "\(arguments)")
        }
        for arguments in ["", "'a', 'b'", "1", "null", "['a']", "true"] {
            #expect(try self.query("'e'", "eventAfter", arguments) == nil, "\(arguments)")
        }
    }

    @Test(arguments: [
        ("'e'|eventAgo(1)", "false"), ("'e'|eventAgo(1) == false", "true"),
        ("'e'|eventAgo(1) > 0", "ERR unsupportedOperands"),
        ("'e'|eventAgo(1) ? 1 : 2", "2.0"), ("('e'|eventAfter('a')) || 3", "3.0"),
    ])
    func ordersAreTrueOrFalse(_ expression: String, _ outcome: String) throws {
        #expect(Example.outcome(of: expression, in: TestEnvironment { _ in 0 }) == outcome)
        let compiled = try CompiledExpression("'b'|eventAgo(1) && 'c'|eventAfter('a') && x|eventAgo(1)")
        #expect(compiled.events == ["b", "c", "a"])
    }

    @Test(arguments: ["1", "null", "true", "['e']", "{}", "(1 / 0)"])
    func theSubjectMustBeAString(_ subject: String) {
        let environment = TestEnvironment { _ in 1 }
        #expect(Example.outcome(of: "\(subject)|eventSum('Days', 1)", in: environment) == "ERR transform")
        #expect(Example.outcome(of: "\(subject)|eventLastSeen('Days')", in: environment) == "ERR transform")
    }

    @Test(arguments: [
        (Double.nan, "null"), (0, "0.0"), (2, "2.0"), (Double.greatestFiniteMagnitude, "1.7976931348623157e308"),
        (Double.infinity, "null"),
    ]) func results(_ result: Double, _ text: String) {
        let environment = TestEnvironment(context: ["e": "e"]) { _ in result }
        #expect(Example.outcome(of: "'e'|eventSum('Days', 1)", in: environment) == text)
        #expect(Example.outcome(of: "e|eventSum('Days', 1)", in: environment) == text)
    }

    @Test func queriesAreValuesLikeOthers() {
        let environment = TestEnvironment(context: ["name": "b"]) { query in query.event == "a" ? 3 : .nan }
        func outcome(_ expression: String) -> String { Example.outcome(of: expression, in: environment) }
        #expect(outcome("'a'|eventSum('Weeks', 1, 0) >= 3 && 'a'|eventLastSeen('Days', 1) > 1") == "true")
        #expect(outcome("name|eventAveragePerInterval('Days', 0) == null") == "true")
        #expect(outcome("'b'|eventSum('Days', 0) > 1") == "ERR unsupportedOperands")
        #expect(outcome("'b'|eventSum('Days', 0) > 1 || true") == "true")
        #expect(outcome("('a'|eventSum('Days', 1))[0]") == "null")
        #expect(outcome("'a'|eventSum('Days', 1)|args") == "[3.0]")
        #expect(outcome("['a'|eventSum('Days', 1), 'a'|lower|eventSum('Days', 1)]") == "[3.0,3.0]")
        #expect(outcome("'a'|eventAverage('Days', 1)") == "ERR unknownTransform")
        #expect(outcome("'a'|eventSum('days', 1)") == "ERR transform")
        #expect(outcome("false && 'a'|eventSum('days', 1)") == "false")
        #expect(outcome("'a'|eventSum('Days', missing)") == "ERR undefinedIdentifier")
    }
}
