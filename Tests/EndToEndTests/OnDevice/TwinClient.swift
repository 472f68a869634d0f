import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// One client twice: as a client of the daemon, and with decisions on the device. Both must always get the same offers.
struct TwinClient {
    private(set) var device: DeviceClient
    /// The attributes that the client sends, including its language if it has one.
    private let said: JSONObject
    private var offered: [Message] = []
    private var answered: Set<String> = []
    private(set) var coverage = Coverage()

    /// The cases that a test must have covered to be meaningful.
    struct Coverage {
        var offers = 0
        var branches: Set<String> = []
        var answers = 0
        var renumbered = 0

        mutating func add(_ other: Coverage) {
            offers += other.offers
            branches.formUnion(other.branches)
            answers += other.answers
            renumbered += other.renumbered
        }
    }

    init(id: String, random: inout RandomCatalog) {
        device = DeviceClient(id: id)
        var said: JSONObject = [:]
        let locales = ["en-US", "de-AT", "de", "fr_CA", "ar-EG", "ja"]
        if random.chance(80) { said["locale"] = .string(random.pick(locales)) }
        if random.chance(80) { said["plan"] = .string(random.pick(["pro", "free", "a&b=c"])) }
        if random.chance(80) { said["age"] = .integer(random.pick([5, 18, 44])) }
        if random.chance(80) { said["beta"] = .bool(random.chance(50)) }
        if random.chance(50) { said["tags"] = .array(random.some(["x", "y"], upTo: 2)) }
        if random.chance(50) { said["device"] = ["screen": .string(random.pick(["large", "small"]))] }
        if random.chance(70) { said["app_version"] = .string(random.pick(["9.2", "10.0", "11.5.1"])) }
        if random.chance(70) { said["days_since_install"] = .integer(random.pick([1, 30])) }
        if random.chance(20) { said["user_id"] = .string("u-\(id)") }
        self.said = said
    }

    /// Polls, performs some actions, and polls again.
    mutating func live(_ bundle: DeviceBundle, _ api: TwinAPI, _ random: inout RandomCatalog) throws {
        let compiledApp = bundle.compiledApp
        if random.chance(10) { try participate(compiledApp, api, &random) }
        try poll(compiledApp, api, &random)
        let events = events(compiledApp, &random)
        if !events.isEmpty {
            try api.record(events, of: device.id)
            device.report(events, compiledApp, now: api.now)
        }
        if random.chance(30) { try answer(compiledApp, api, &random) }
        try poll(compiledApp, api, &random)
        coverage.renumbered += offered.count { bundle.renumbered.contains($0.key) }
    }

    private mutating func participate(
        _ compiledApp: CompiledApp, _ api: TwinAPI, _ random: inout RandomCatalog
    ) throws {
        let slugs: [Identifier] = ["r0", "r1", "e0", "e1", "e2", "e3"]
        let chosen = random.some(slugs, upTo: 2).map { EnrolledBranch(slug: $0, branch: random.pick(["b0", "b1"])) }
        let participation = Participation(
            experiments: random.chance(80), rollouts: random.chance(80), optedOut: random.some(slugs, upTo: 2),
            optedIn: chosen)
        try api.participate(participation, device.id)
        device.participate(participation, compiledApp, now: api.now)
    }

    /// Polls by GET, or by POST with events.
    private mutating func poll(_ compiledApp: CompiledApp, _ api: TwinAPI, _ random: inout RandomCatalog) throws {
        let surfaces = random.some(RandomCatalog.surfaces, upTo: 3).map { Identifier($0) }
        let events = random.chance(20) ? events(compiledApp, &random) : []
        let poll = TwinAPI.Poll(client: device.id, surfaces: surfaces, said: said)
        let answer = events.isEmpty && random.chance(50) ? try api.get(poll) : try api.post(poll, events)
        device.report(events, compiledApp, now: api.now)
        let offers = device.poll(surfaces, .object(said), compiledApp, now: api.now)
        try #require(
            answer == .array(offers.map(\.json)),
            "\(device.id) of revision \(compiledApp.catalog.revision), saying \(JSONValue.object(said).text)")
        offered = offers.map(\.message)
        coverage.offers += offers.count
        coverage.branches.formUnion(offered.compactMap { $0.facts.enrollment.map { "\($0.slug) \($0.branch)" } })
    }

    /// Answers an offered survey, with the revision and the option that the library showed.
    private mutating func answer(_ compiledApp: CompiledApp, _ api: TwinAPI, _ random: inout RandomCatalog) throws {
        guard let survey = offered.first(where: { $0.facts.kind == .microsurvey }),
            answered.insert(survey.key.text).inserted
        else {
            return
        }
        let context = compiledApp.context(.object(said))
        let options = try #require(compiledApp.presentation(of: survey, in: context).microsurvey?.options)
        let option = random.pick(Array(options.indices))
        let reply = try api.respond(to: survey, option: option, of: device.id, locale: context.requestedLocale?.text)
        try #require(reply["text"].string == options[option], "\(device.id) \(survey.key)")
        let response = SurveyResponse(
            id: reply["id"].string.map { Identifier($0) } ?? "", clientID: Identifier(device.id), message: survey.key,
            requestID: nil,
            optionIndex: option, optionStringID: survey.definition.microsurvey.options[option], text: options[option],
            locale: context.locale, revision: survey.revision, submittedAt: api.now)
        device.answer(survey, response)
        coverage.answers += 1
    }

    /// Events that the daemon accepts: for messages that the client has, without a display of a control, and without a
    /// second confirmation.
    private func events(_ compiledApp: CompiledApp, _ random: inout RandomCatalog) -> [DeviceEvent] {
        (0..<4).compactMap { _ in
            switch random.pick([0, 1, 2, 3, 3, 4, 5]) {
            case 0: return .behavior(random.pick(RandomCatalog.events), count: random.pick([1, 2]), at: nil)
            case 1:
                let then = TwinAPI.clock.adding(seconds: -random.pick([2, 5, 9, 12]) * 86_400)
                return .behavior(random.pick(RandomCatalog.pastEvents), count: 1, at: then)
            case 2:
                let any = device.message(random.pick(RandomCatalog.keys), compiledApp)
                return any.map { .message(random.pick([.clicked, .dismissed]), $0) }
            case 3: return shown(compiledApp, &random).map { .message(.displayed, $0) }
            case 4: return shown(compiledApp, &random).map { .message(random.pick([.clicked, .dismissed]), $0) }
            default:
                guard let survey = shown(compiledApp, &random), survey.facts.kind == .microsurvey else { return nil }
                return .microsurvey(random.pick([.shown, .privacyNoticeTapped, .dismissButtonTapped]), survey)
            }
        }
    }

    /// A message of the last offers, in the current compiled app.
    private func shown(_ compiledApp: CompiledApp, _ random: inout RandomCatalog) -> Message? {
        guard !offered.isEmpty, let now = device.message(random.pick(offered).key.text, compiledApp) else { return nil }
        return now.facts.isControl ? nil : now
    }
}
