import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import Surveys

/// Surveys without a daemon: conditions and answers, the search for places by name, and the stored bytes of a client
/// with pacing.
enum SurveySpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [evaluation, search, shows]
    }

    /// A survey of 30 questions, each shown by a condition; the nested conditions have 200 leaves in all.
    private static var evaluation: any Benchmark {
        InProcess("survey, 30 questions, 200 conditions", unit: "µs", limit: .atMost(2_000, aim: 200)) {
            let findings = Findings()
            let reader = JSONReader(try JSONValue(parsing: Array(survey.utf8)), findings: findings)
            guard let definition = SurveyDefinition(reader, .survey), findings.faults.isEmpty else {
                throw Failure("the survey does not read: \(findings.faults)")
            }
            let answers = JSONObject((1...30).map { ("q\($0)", .string("yes")) })
            let facts = QuestionFacts(now: Timestamp(seconds: 1_773_144_000)) { _, _ in false }
            guard definition.questions.evaluate(answers, facts).shown.count == 30 else {
                throw Failure("all questions should be shown")
            }
            return InProcess.Work(
                run: { definition.questions.evaluate(answers, facts).shown.count }, quantity: { $0 / 1_000 })
        }
    }

    private static var survey: String {
        let questions = (1...30).map { number -> String in
            let leaf = { (other: Int) in #"{"id":"q\#(other)","operation":"equals","value":"yes"}"# }
            let leaves = (0..<7).map { leaf(max(1, number - 1 - $0 % max(1, number - 1))) }
            let nested = leaves.dropFirst().reduce(leaves[0]) { inner, next in
                #"{"operation":"and","subconditions":[\#(next),\#(inner)]}"#
            }
            let showIf = number == 1 ? "" : #","show_if":\#(nested)"#
            return #"""
                {"id":"q\#(number)","question":"?","question_type":"single_select","options":["yes","no"]\#(showIf)}
                """#
        }
        return #"{"kind":"survey","questions":[\#(questions.joined(separator: ","))]}"#
    }

    private static var search: any Benchmark {
        InProcess("places, 150,000 cities, two letters", unit: "µs", limit: .atMost(10_000, aim: 1_000)) {
            var lines: [String] = []
            var number: UInt64 = 88_172_645_463_325_252
            for id in 1...150_000 {
                number ^= number << 13
                number ^= number >> 7
                number ^= number << 17
                let letters = (0..<8).map {
                    Character(UnicodeScalar(97 + UInt8(number >> (8 * UInt64($0)) & 255) % 26))
                }
                let columns = [
                    "\(id)", String(letters), String(letters), "", "1.5", "2.5", "P", "PPL", "US", "", "NY", "", "", "",
                    "\(number % 1_000_000)", "", "", "America/New_York", "",
                ]
                lines.append(columns.joined(separator: "\t"))
            }
            let names = LocationNames { code, _ in
                code
            } offset: { _ in
                0
            }
            let table = try CityTable(Array(lines.joined(separator: "\n").utf8), names: names)
            let query = LocationQuery("ab", biasCountry: "US")
            guard table.suggestions(for: query).count == 5 else { throw Failure("five cities should be found") }
            return InProcess.Work(run: { table.suggestions(for: query).count }, quantity: { $0 / 1_000 })
        }
    }

    /// The stored bytes of a client that was shown 16 times, eight different messages.
    private static var shows: any Benchmark {
        QuantityRow("a known client with 16 shows", unit: "bytes", limit: .atMost(320), isMeasuredOnce: true) { _ in
            let manifest: JSONValue = [
                "app_name": "a", "default_locale": "en-US", "surfaces": ["card"],
                "pacing": ["caps": [["count": 16, "seconds": 604_800]]],
            ]
            let messages = (1...8).map { Identifier("survey-\($0)") }
            let recipe: JSONValue = [
                "messages": .object(
                    JSONObject(
                        messages.map { ($0.text, ["surface": "card", "text": "?", "trigger-if-all": ["ALWAYS"]]) }))
            ]
            let findings = Findings()
            guard let manifest = Manifest.read(manifest, findings: findings),
                let read = Recipe.read(recipe, slug: "r", revision: 1, manifest: manifest, findings: findings)
            else { throw Failure("the app does not read: \(findings.faults)") }
            let app = CompiledApp(
                manifest: manifest, manifestRevision: 1,
                strings: StringTables(defaultLocale: "en-US", locales: [:]), recipes: RecipesInForce(live: [read]),
                revision: 1)
            let start = Timestamp(seconds: 1_773_144_000)
            var state = ClientState()
            for display in 0..<16 {
                var journal = ClientJournal(
                    state: state, clientID: "c", at: start.adding(seconds: Int64(display) * 9_000),
                    catalog: app.catalog)
                guard let message = app.catalog.message(messages[display % 8]) else {
                    throw Failure("a message is missing")
                }
                journal.displayed(message.facts)
                state = journal.state
            }
            return Double(state.encoded().count)
        }
    }
}
