import BellwetherJSON
import Synchronization
import TestSupport

/// Users with two devices, who answer a questionnaire with a quota at the same moment. The first device saves drafts
/// and answers that are refused; the second one submits. Each device is one thread of load, which ends when the daemon
/// stops.
final class CrashPair: Sendable {
    enum Device: String, CaseIterable {
        case first, second
    }

    /// The state of one user on a device.
    struct Standing {
        /// The last draft that was acknowledged to the first device.
        var text: String?
        /// The status of the submission that was acknowledged to the second device.
        var status: String?
    }

    struct Record {
        let device: Device
        var standings: [Int: Standing] = [:]
        var underWay: (user: Int, standing: Standing)?
        var acknowledged = 0
        /// A state that is wrong at whatever moment the kill came.
        var fault: String?
    }

    static let users = 60
    static let quota = 20

    let round: Int
    private let port: Int
    private let seed: UInt64
    /// Makes the devices take turns: both work on the same user, so their requests meet in one commit.
    private let turn = Atomic<Int>(0)

    init(round: Int, port: Int, seed: UInt64) { (self.round, self.port, self.seed) = (round, port, seed) }

    static func slug(_ round: Int) -> String { "pairs-\(round)" }

    private static func user(_ number: Int, _ round: Int) -> String { "pair-\(round)-\(number)" }

    private static func client(_ number: Int, _ device: Device, _ round: Int) -> String {
        "\(device.rawValue)-\(user(number, round))"
    }

    /// Publishes a questionnaire that is new in each round, and its offer.
    static func publish(_ round: Int, telling url: String, on owner: LoopbackClient) throws {
        let document = """
            {"kind":"questionnaire","name":"Pairs","schema":{"version":1,"questions":[
             {"id":"n","type":"rating","title":"How much?","scale":5},{"id":"t","type":"text","title":"Why?"}]},
             "notify":{"url":"\(url)"},
             "offer":{"surface":"survey","text":"A minute?","pacing":{"quotas":[
              {"name":"five","when":{"ref":"answer.n","op":"eq","value":5},"limit":\(quota)}]}}}
            """
        try CrashApp.put(slug(round), document, on: owner)
        for number in 0..<users {
            for device in Device.allCases {
                let body = #"{"client_id":"\#(client(number, device, round))","user_id":"\#(user(number, round))"}"#
                let answer = try owner.post(
                    "\(CrashApp.path)/identify", type: "application/json", body: Array(body.utf8))
                guard answer.status == 200 else { throw Failure("identify: \(answer.status) \(answer.text)") }
            }
        }
    }

    func run(_ device: Device) -> Record {
        var record = Record(device: device)
        var generator = SeededGenerator(seed: seed &+ (device == .first ? 0 : 1))
        guard let connection = try? LoopbackClient(port: port) else { return record }
        for number in 0... {
            let user = turn.load(ordering: .relaxed)
            var next = record.standings[user] ?? Standing()
            let answers: String
            if device == .second {
                answers = #"{"n":5}"#
            } else if Bool.random(using: &generator) {
                answers = #"{"n":99}"#
            } else {
                next.text = "draft \(number)"
                answers = #"{"t":"draft \#(number)"}"#
            }
            record.underWay = (user, next)
            guard let answer = try? save(answers, of: user, from: device, on: connection) else { return record }
            record.underWay = nil
            switch answer.status {
            case 200, 201:
                if device == .second { next.status = try? answer.json.object?["status"]?.string }
                record.standings[user] = next
                record.acknowledged += 1
            case 409, 422: break
            default:
                record.fault = "\(device), user \(user), \(answers): \(answer.status) \(answer.text)"
                return record
            }
            if device == .second { turn.store((user + 1) % Self.users, ordering: .relaxed) }
        }
        return record
    }

    private func save(
        _ answers: String, of user: Int, from device: Device, on connection: LoopbackClient
    ) throws -> LoopbackClient.Response {
        let client = Self.client(user, device, round)
        let body = #"{"client_id":"\#(client)","answers":\#(answers),"is_complete":\#(device == .second)}"#
        return try connection.post(
            "\(CrashApp.path)/questionnaires/\(Self.slug(round))/responses", type: "application/json",
            body: Array(body.utf8))
    }

    /// Checks that each user's state is the result of the acknowledged requests of both devices, or of a request that
    /// was under way.
    ///
    /// - Returns: the ids of the responses that were submitted.
    static func check(_ records: [Record], _ round: Int, on connection: LoopbackClient) throws -> Set<String> {
        for record in records { if let fault = record.fault { throw Failure(fault) } }
        var submitted: Set<String> = []
        var isFull = false
        for user in 0..<users {
            let run = try run(of: user, round, on: connection)
            for record in records { try check(record, user, round, against: run) }
            let status = run?["status"]?.string
            if status == "new", let id = run?["id"]?.string { submitted.insert(id) }
            if status == "screened_out" { isFull = true }
        }
        guard submitted.count <= quota, !isFull || submitted.count == quota else {
            throw Failure("\(submitted.count) responses have a place of \(quota)")
        }
        return submitted
    }

    private static func check(_ record: Record, _ user: Int, _ round: Int, against run: JSONObject?) throws {
        let known = record.standings[user] ?? Standing()
        let next = record.underWay.flatMap { $0.user == user ? $0.standing : nil }
        let found =
            record.device == .first
            ? run?["answers"]?.object?["t"]?.string : run?["status"]?.string.flatMap { $0 == "draft" ? nil : $0 }
        let wanted = record.device == .first ? known.text : known.status
        guard found != wanted else { return }
        // A submission that was under way may have any status.
        let isPossible = record.device == .first ? next != nil && found == next?.text : next != nil && wanted == nil
        guard isPossible else {
            let (told, now) = (wanted ?? "nothing", found ?? "nothing")
            throw Failure("user \(self.user(user, round)): \(record.device) was told \(told), and now \(now)")
        }
    }

    private static func run(of user: Int, _ round: Int, on connection: LoopbackClient) throws -> JSONObject? {
        let answer = try connection.get("\(CrashApp.path)/users/\(Self.user(user, round))/export")
        guard answer.status == 200, let runs = try answer.json.object?["responses"]?.array?.compactMap(\.object) else {
            throw Failure("user \(user): \(answer.status) \(answer.text)")
        }
        let own = runs.filter { $0["slug"]?.string == slug(round) }
        guard own.count <= 1 else { throw Failure("user \(user) has \(own.count) responses") }
        return own.first
    }
}
