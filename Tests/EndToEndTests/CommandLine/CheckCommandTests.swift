import BellwetherJSON
import TestSupport
import Testing

/// The command `bellwether check` (docs/reference/http-api.md#the-command-check).
@Suite struct CheckCommandTests {
    @Test func `The project's own files are fine`() throws {
        let result = try Command.bellwether("check", Repository.apps, Repository.recipes)
        #expect(result.status == 0)
        #expect(!result.output.contains(": error: "))
        // An outdated spelling in the shipped files gives a warning.
        #expect(result.lines.count == 1)
        #expect(result.output.contains("warning: ") && result.output.contains("[alias]"))
    }

    @Test func `Every fault is told with file, line and column, and the exit is 1`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/a/manifest.json")
        let broken = try folder.write(
            "{\n  \"triggers\": {\n    \"T\": \"1 +\",\n    \"U\": \"(\"\n  }\n}\n", to: "r/a/broken.json")
        let syntax = try folder.write("{\n  \"messages\": {\n    \"m\" 1\n  }\n}\n", to: "r/a/syntax.json")
        let warned = try folder.write(
            "{\"messages\": {\"m\": {\"text\": \"x\",\n \"style\": \"NOPE\"}}}", to: "r/a/warned.json")
        let strings = try folder.write("{\"T\":\n {\"k\": 7}}", to: "apps/a/strings/de.json")
        let result = try Command.bellwether("check", folder.path + "/apps", folder.path + "/r")
        #expect(result.status == 1)
        func line(_ start: String) -> String? { result.lines.first { $0.hasPrefix(start) } }
        #expect(line("\(broken):3:10: error: ")?.hasSuffix("[jexl_parse] at /triggers/T") == true)
        #expect(line("\(broken):4:10: error: ")?.hasSuffix("[jexl_parse] at /triggers/U") == true)
        #expect(line("\(syntax):3:9: error: ")?.hasSuffix("[json_syntax]") == true)
        #expect(line("\(warned):2:11: warning: ")?.hasSuffix("[unknown_style] at /messages/m/style") == true)
        #expect(line("\(strings):2:8: error: ")?.hasSuffix("[type] at /T/k") == true)
        #expect(result.errors.isEmpty)
    }

    @Test func `As JSON, one finding a line`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/a/manifest.json")
        let file = try folder.write("{\n\"triggers\": {\"T\": \"1 +\"}}", to: "r/a/x.json")
        let result = try Command.bellwether("check", "--json", "--apps", folder.path + "/apps", file)
        #expect(result.status == 1)
        let finding = try JSONValue(parsing: result.lines[0])
        #expect(finding["file"].string == file)
        #expect(finding["line"] == 2)
        #expect(finding["column"] == 19)
        #expect(finding["severity"] == "error")
        #expect(finding["pointer"] == "/triggers/T")
        #expect(finding["code"] == "jexl_parse")
    }

    @Test func `Dates are checked, with a manifest and without`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "a/manifest.json")
        let over = NimbusRecipe.experiment("over", ["t": [:]], ["endDate": "2020-02-01"])
        let reversed = NimbusRecipe.experiment(
            "reversed", ["t": [:]], ["startDate": "2099-02-02", "endDate": "2099-02-01"])
        let warned = try folder.write(over.text, to: "r/a/over.json")
        let broken = try folder.write(reversed.text, to: "r/a/reversed.json")
        for options in [["--apps", folder.path], []] {
            let result = try Command.run([BellwetherProgram.path, "check"] + options + [warned, broken])
            #expect(result.status == 1)
            let lines = result.lines.filter { $0.contains("Date") }
            #expect(lines.count == 2)
            #expect(lines.first?.contains("over.json:1:") == true)
            #expect(lines.first?.contains("warning: endDate is in the past") == true)
            #expect(lines.last?.contains("error: endDate is before startDate") == true)
        }
    }

    @Test func `34.2 Quotas are judged in an experiment that presents a recipe, and in a manifest`() throws {
        let folder = try TemporaryDirectory()
        func quota(_ when: JSONValue) -> JSONValue { ["quotas": [["name": "n", "limit": 3, "when": when]]] }
        let presenting = [("ask", "answer.nope"), ("tour", "step.a.nope")].map { slug, reference -> JSONValue in
            let when: JSONValue = ["ref": .string(reference), "op": "exists"]
            let message: JSONValue = [
                "surface": "microsurvey", "text": "?", "presents": .string(slug), "pacing": quota(when),
            ]
            return ["messages": ["m": message]]
        }
        let between: JSONValue = ["ref": "now", "op": "between", "value": [9, 3]]
        var manifest = TestApp.manifest.object ?? [:]
        manifest["messaging"] = ["messages": ["m": ["text": "?", "pacing": quota(between)]]]
        try folder.write(JSONValue.object(manifest).text, to: "a/manifest.json")
        let question: JSONValue = ["id": "n", "type": "text", "title": "?"]
        let asking: JSONValue = [
            "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": [question]],
        ]
        try folder.write(asking.text, to: "a/ask.json")
        let tour: JSONValue = [
            "kind": "flow", "id": "tour", "steps": [["id": "a", "type": "welcome", "config": ["title": "A"]]],
        ]
        try folder.write(tour.text, to: "a/tour.json")
        let experiment = NimbusRecipe.experiment("e", ["t": presenting[0], "u": presenting[1]])
        try folder.write(experiment.text, to: "a/e.json")
        let output = try Command.bellwether("check", folder.path).output
        #expect(output.contains("nothing is between 9 and 3: swap them [never_true] at /messaging/messages/m/pacing"))
        #expect(output.contains("there is no question \"nope\": its answer is always missing [unknown_question]"))
        #expect(output.contains("the step \"a\" has no field \"nope\": its answer is always missing"), "\(output)")
    }

    @Test func `With --strict a warning is a fault`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "a/manifest.json")
        let file = try folder.write(Sample.message("m", ["style": "NOPE"]).text, to: "r/a/x.json")
        #expect(try Command.bellwether("check", "--apps", folder.path, file).status == 0)
        #expect(try Command.bellwether("check", "--strict", "--apps", folder.path, file).status == 1)
    }

    @Test func `What is not there, cannot be read, or stands twice is told`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Sample.message("m").text, to: "one/a/x.json")
        try folder.write(Sample.message("m").text, to: "two/a/x.json")
        let missing = try Command.bellwether("check", folder.path + "/nowhere")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no such file"))
        try Permissions.set(0, of: folder.path + "/one/a")
        let closed = try Permissions.bellwether("check", folder.path + "/one")
        try Permissions.set(0o700, of: folder.path + "/one/a")
        #expect(closed.status == 1)
        #expect(closed.errors == "\(folder.path)/one/a: the folder cannot be read\n")
        let apps = try Command.bellwether("check", "--apps", folder.path + "/nowhere", folder.path + "/one")
        #expect(apps.status == 1)
        #expect(apps.errors == "\(folder.path)/nowhere: the folder cannot be read\n")
        let twice = try Command.bellwether("check", folder.path + "/one", folder.path + "/two")
        #expect(twice.status == 1)
        #expect(twice.errors.contains("the same document"))
    }

    @Test func `Without a manifest a recipe is checked as far as that goes`() throws {
        let folder = try TemporaryDirectory()
        // Only a manifest shows whether each of these warnings applies.
        let message: JSONObject = [
            "text": "", "style": "S", "surface": "card", "action": "A", "trigger-if-all": ["T"],
            "exclude-if-any": ["U"],
        ]
        let fine = try folder.write(
            JSONValue.object(["messages": ["m": .object(message)], "triggers": ["V": "plan == 'pro'"]]).text,
            to: "a/fine.json")
        let result = try Command.bellwether("check", fine)
        #expect(result.status == 0 && result.lines.count == 1)
        #expect(result.output.hasPrefix("\(fine):1:1: warning: ") && result.output.contains("[no_manifest]"))
        #expect(try Command.bellwether("check", "--strict", fine).status == 1)
        let experiment = NimbusRecipe.experiment("e", ["one": [:]], ["branches": [], "targeting": "(", "isRollout": 7])
        let broken = try folder.write(experiment.text, to: "a/e.json")
        let faults = try Command.bellwether("check", broken)
        #expect(faults.status == 1)
        for finding in ["error: ", "[empty] at /branches", "[jexl_parse] at /targeting", "[type] at /isRollout"] {
            #expect(faults.output.contains(finding), "\(finding)")
        }
        // The daemon needs a manifest to serve recipes.
        let served = try Command.bellwether("serve", "--check", "--recipes", folder.path)
        #expect(served.status == 1 && served.output.contains("error: ") && served.output.contains("[no_manifest]"))
    }

    @Test func `A file of several recipes is checked as push takes it`() throws {
        let folder = try TemporaryDirectory()
        let manifest = try folder.write(TestApp.manifest.text, to: "a/manifest.json")
        var good = Sample.message("m").object ?? [:]
        good["slug"] = "good"
        let bad: JSONValue = ["slug": "bad", "triggers": ["T": "1 +"]]
        let file = try folder.write(JSONValue.object(["data": [.object(good)]]).text, to: "a/data.json")
        #expect(try Command.bellwether("check", manifest, file).status == 0)
        let text = [JSONValue.object(good), bad, ["messages": [:]], .object(good)].map(\.text).joined(separator: ",\n")
        try folder.write("{\"data\": [\n\(text)]}", to: "a/data.json")
        let result = try Command.bellwether("check", manifest, file)
        #expect(result.status == 1)
        #expect(
            result.lines.contains { $0.hasPrefix("\(file):3:") && $0.hasSuffix("[jexl_parse] at /data/1/triggers/T") })
        #expect(result.lines.contains { $0.hasPrefix("\(file):4:1: error: ") && $0.hasSuffix("[required] at /data/2") })
        #expect(result.errors.contains("\(file)/data/3: it stands for the same document as \(file)/data/0"))
    }

    @Test func `What stands beside a recipe counts, as for a PUT`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/a/manifest.json")
        try folder.write("{\"T\": {\"A\": \"a\"}}", to: "apps/a/strings/en-US.json")
        try folder.write("{\"T\": {}}", to: "apps/a/strings/de.json")
        let one = try folder.write(Sample.message("m", ["title": "T/A"]).text, to: "r/a/one.json")
        let two = try folder.write(
            "{\"messages\": {\"n\": {\"text\": \"x\", \"surface\": \"card\",\n \"style\": \"MANY\"}}}",
            to: "r/a/two.json")
        let together = try Command.bellwether("check", folder.path + "/apps", folder.path + "/r")
        #expect(together.status == 0)
        #expect(together.output.contains("\(one):1:"))
        #expect(together.output.contains("[missing_translation] at /messages/m/title"))
        #expect(together.output.contains("\(two):2:11: warning: "))
        #expect(together.output.contains("[priority_tie] at /messages/n/style"))
        // The strings of --apps are used, too.
        let alone = try Command.bellwether("check", "--strict", "--apps", folder.path + "/apps", one)
        #expect(alone.status == 1)
        #expect(alone.lines.count == 1)
    }

    @Test func `serve --check checks the configuration and both folders, and serves nothing`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/a/manifest.json")
        try folder.write(Sample.message("m").text, to: "recipes/a/x.json")
        let arguments = ["--check", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"]
        func check() throws -> Command {
            try Command.run([BellwetherProgram.path, "serve", "--data", folder.path + "/data"] + arguments)
        }
        #expect(try check().status == 0)
        try folder.write("{", to: "recipes/a/y.json")
        let result = try check()
        #expect(result.status == 1)
        #expect(result.output.contains("recipes/a/y.json:1:2: error: "))
        let configured = try Command.run([
            BellwetherProgram.path, "serve", "--check", "--config", Repository.path + "/config/bellwether.yaml",
            "--apps", Repository.apps, "--recipes", Repository.recipes,
        ])
        #expect(configured.status == 0)
    }

    @Test func `A folder called * is no app`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(TestApp.manifest.text, to: "apps/*/manifest.json")
        for arguments in [["check", file], ["serve", "--check", "--apps", folder.path + "/apps"]] {
            let result = try Command.run([BellwetherProgram.path] + arguments)
            #expect(result.status == 1)
            #expect(result.errors.contains("an app cannot be called *, which means all apps"))
        }
        #expect(try Command.bellwether("push", "--app", "*", file).status == 64)
    }
}
