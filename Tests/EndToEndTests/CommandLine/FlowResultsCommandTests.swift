import BellwetherJSON
import TestSupport
import Testing

/// `bellwether results` for a flow.
@Suite struct FlowResultsCommandTests {
    private static let flow: JSONValue = [
        "kind": "flow", "id": "start", "version": 1,
        "steps": [
            [
                "id": "what", "type": "question",
                "config": ["title": "What?", "options": [["id": "a", "label": "A"], ["id": "b", "label": "B"]]],
            ], ["id": "end", "type": "welcome", "config": ["title": "Hello"]],
        ],
    ]

    @Test func `A flow has a funnel by step`() throws {
        let app = try TestApp()
        try app.publish("start", Self.flow)
        for client in ["anna", "bert"] {
            let run = try app.server.post("\(app.path)/flows/start/runs", ["client_id": .string(client)])
            #expect(run.status == 201, "\(run.text)")
            guard client == "anna", let id = run.json["run_id"].string else { continue }
            let step: JSONValue = ["step_id": "what", "response": ["selected": ["a"]], "action": "next"]
            #expect(try app.server.post("\(app.path)/runs/\(id)/advance", step).status == 200)
        }
        let results = try Command.run([
            BellwetherProgram.path, "results", "start", "--app", app.name, "--url",
            "http://127.0.0.1:\(app.server.port)",
        ])
        #expect(results.status == 0, "\(results.errors)")
        #expect(
            results.output == """
                start: flow, live, revision 1
                2 runs: 0 completed, 0 dismissed, 2 active

                steps
                  what  ████████████████████████        2  100.0 %  1 completed, 1 stopped, 50.0 % went on, “What?”
                  end   ████████████                    1   50.0 %  1 stopped, 0.0 % went on, “Hello”

                /what/selected: What?
                  1 answer
                  A  ████████████████████████        1  100.0 %
                  B                                  0    0.0 %

                """)
    }
}
