import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Testing

@testable import BellwetherAPI

/// The telemetry of a day as CSV (RFC 4180).
@Suite struct TelemetryCSVTests {
    private func line(
        _ extra: JSONObject, client: String = "c", experiment: String? = nil, branch: String? = nil
    ) -> String {
        var output: [UInt8] = []
        TelemetryCSV.write(
            TelemetryRow(
                cursor: TelemetryCursor(number: 36, database: 37), receivedAt: Timestamp(seconds: 1_773_144_001),
                at: Timestamp(milliseconds: 1_773_144_000_250),
                clientID: Identifier(client), category: "messaging", name: "shown", extra: JSONValue.object(extra).text,
                experiment: experiment.map { Identifier($0) }, branch: branch.map { Identifier($0) }), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private let start = "t10-11,2026-03-10T12:00:01Z,2026-03-10T12:00:00.250Z,c,messaging,shown"

    @Test func `The columns are these`() {
        var header: [UInt8] = []
        TelemetryCSV.writeHeader(to: &header)
        #expect(
            String(decoding: header, as: UTF8.self)
                == "cursor,received_at,at,client_id,category,name,experiment,branch,message_key,message_surface,"
                + "survey_id,user_selection,option_string_id,locale,feature_id,option_index,revision,extra\r\n")
    }

    @Test func `Members of extra have columns, and extra is all of it`() {
        #expect(
            line(["message_key": "m", "message_surface": "card"], experiment: "x", branch: "b")
                == start + #",x,b,m,card,,,,,,,,"{""message_key"":""m"",""message_surface"":""card""}""# + "\r\n")
        #expect(
            line(["survey_id": "s", "user_selection": "Yes", "option_index": 4, "locale": "de", "revision": "7"])
                .hasPrefix(start + ",,,,,s,Yes,,de,,4,7,"))
        #expect(line(["experiment": "x", "branch": "b", "feature_id": "f"]).hasPrefix(start + ",x,b,,,,,,,f,,,"))
        #expect(line(["experiment": "x", "branch": "b"], experiment: "own").hasPrefix(start + ",own,b,"))
    }

    @Test func `Numbers are whole numbers or nothing`() {
        #expect(line(["option_index": 4.5, "revision": "seven"]).hasPrefix(start + ",,,,,,,,,,,,"))
        #expect(line(["option_index": nil, "revision": true]).hasPrefix(start + ",,,,,,,,,,,,"))
    }

    @Test func `What is no text is its JSON, null is nothing`() {
        #expect(line(["message_key": 5, "survey_id": nil, "locale": ["a"]]).hasPrefix(start + #",,,5,,,,,"[""a""]","#))
    }

    /// All of these texts come from clients.
    @Test func `Texts that begin like formulas are neutralised, and numbers stay`() {
        #expect(
            line(
                ["user_selection": "=1+1", "locale": "@de", "option_index": -4, "experiment": "-x"], client: "+49",
                branch: "-b"
            ).hasPrefix(start.replacing(",c,", with: ",'+49,") + ",'-x,'-b,,,,'=1+1,,'@de,,-4,,"))
        #expect(line(["user_selection": ""]).hasPrefix(start + ",,,,,,\"\",,"))
    }
}
