import BellwetherClient
import BellwetherJSON
import Foundation

/// An app on the command line, for the sample app `trail-notes` of `make run`: `trails ADDRESS FOLDER COMMAND`.
///
/// `first` is the first example of docs/swift.md, `ask` asks the questionnaire, `flow` goes through the flow, and
/// `status` tells what waits. It works without a network: what was said is sent by a later start.
@main
struct Trails {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let address = URL(string: words[1]) else {
            print("usage: trails ADDRESS FOLDER first|ask|flow|status")
            exit(64)
        }
        let folder = URL(fileURLWithPath: words[2])
        guard words[3] != "first" else { return try await firstExample(address: address, folder: folder) }
        var configuration = ClientConfiguration()
        configuration.locale = "en"
        let client = try BellwetherClient(
            address: address, app: "trail-notes", folder: folder, configuration: configuration)
        switch words[3] {
        case "ask": try await ask(client)
        case "flow": try await walk(client)
        default: await client.flush()
        }
        print("waiting: \(await client.status.waiting)")
    }

    /// Asks one question after another, and keeps a draft at each. Answers are lines of standard input; an empty line
    /// skips a question.
    private static func ask(_ client: BellwetherClient) async throws {
        guard case .open(var form) = await client.questionnaire(slug: "first-trips") else {
            print("nothing to ask")
            return
        }
        for question in form.definition.questions.questions {
            print(question.title)
            guard let line = readLine() else { return }
            guard !line.isEmpty else { continue }
            switch question.typeName {
            case "nps", "rating": form.answers[question.id] = Int64(line).map { .number($0) }
            case "multi_choice": form.answers[question.id] = .texts(line.split(separator: " ").map(String.init))
            default: form.answers[question.id] = .text(line)
            }
            await client.save(form)
        }
        do {
            let receipt = try await client.submit(form)
            print(receipt.wasSubmitted ? "submitted" : "kept")
        } catch {
            guard case .invalid(let faults) = error else { throw error }
            for fault in faults { print("\(fault.questionID): \(fault.message)") }
        }
    }

    /// Goes through the flow. A line is the JSON of the step's response.
    private static func walk(_ client: BellwetherClient) async throws {
        var position = try await client.flow(slug: "first-steps")
        while let step = position.step, let line = readLine() {
            print(step.title ?? step.id.text)
            let response = (try? JSONValue(parsing: line))?.object ?? [:]
            do {
                position = try await client.advance(position, .next, response)
            } catch {
                guard case .refused(let faults) = error else { throw error }
                for fault in faults { print("\(fault.pointer): \(fault.message)") }
            }
        }
        print(position.outcome.map { "\($0.reason)" } ?? "to be continued")
    }
}
