import BellwetherCore
import BellwetherJSON
import TestSupport

/// An app with random publishes, and the bundle that a device has of it.
struct RandomApp {
    let app: TestApp
    var random: RandomCatalog
    private(set) var bundle: DeviceBundle
    private var slugs: [String] = []
    private var paused: Set<String> = []

    init(seed: UInt64, dialect: String, on server: Daemon) throws {
        random = RandomCatalog(seed: seed, dialect: dialect)
        app = try TestApp(on: server, manifest: random.manifest())
        bundle = try Self.fetch(app)
        for locale in RandomCatalog.locales { try putStrings(locale) }
        for slug in ["bare0", "bare1", "bare2", "r0", "r1", "e0", "e1", "e2", "e3"] { try publish(slug) }
        bundle = try Self.fetch(app)
    }

    /// Changes parts of every kind of document, which gives another compiled app.
    mutating func change() throws {
        let manifest = try app.server.put("\(app.path)/manifest", random.manifest())
        guard manifest.status == 200 || manifest.status == 422 else { throw Failure("no manifest: \(manifest.text)") }
        try putStrings(random.pick(RandomCatalog.locales))
        for slug in random.some(slugs, upTo: 4) { try publish(slug) }
        for slug in random.some(slugs, upTo: 2) { try pauseOrResume(slug) }
        if let slug = random.some(slugs, upTo: 1).first {
            let deleted = try app.server.send("DELETE", "\(app.path)/recipes/\(slug)")
            guard deleted.status == 204 else { throw Failure("not deleted: \(deleted.text)") }
            slugs.removeAll { $0 == slug }
            paused.remove(slug)
        }
        bundle = try Self.fetch(app)
    }

    private mutating func pauseOrResume(_ slug: String) throws {
        let isPaused = paused.contains(slug)
        let answer = try app.server.post(
            "\(app.path)/recipes/\(slug)/state", ["state": isPaused ? "live" : "paused"])
        guard answer.status == 200 else { throw Failure("\(slug) keeps its state: \(answer.text)") }
        if isPaused { paused.remove(slug) } else { paused.insert(slug) }
    }

    private mutating func putStrings(_ locale: String) throws {
        let answer = try app.server.put("\(app.path)/strings/\(locale)", random.strings(locale))
        guard answer.status < 300 else { throw Failure("no strings: \(answer.text)") }
    }

    /// Publishes a recipe. A recipe with too many variants to be served is left out.
    private mutating func publish(_ slug: String) throws {
        let recipe =
            slug.hasPrefix("bare") ? random.bare() : random.experiment(slug, isRollout: slug.hasPrefix("r"))
        let answer = try app.server.put("\(app.path)/recipes/\(slug)", recipe)
        switch answer.status {
        case 201: slugs.append(slug)
        case 200: break
        case 422 where answer.json["errors"].strings("code").allSatisfy { $0 == "too_many_forms" }: break
        default: throw Failure("\(slug) was not published: \(answer.text)")
        }
    }

    private static func fetch(_ app: TestApp) throws -> DeviceBundle {
        let answer = try app.server.get("\(app.path)/bundle")
        let findings = Findings()
        guard answer.status == 200, let bundle = CompiledAppBundle.read(answer.body, findings: findings),
            findings.warnings.isEmpty
        else { throw Failure("no bundle: \(answer.status) \(findings.faults + findings.warnings)") }
        return DeviceBundle(
            compiledApp: bundle.compiledApp,
            renumbered: Set((answer.json["message_revisions"].object?.keys ?? []).map { Identifier($0) }))
    }
}

/// A bundle as received.
struct DeviceBundle {
    let compiledApp: CompiledApp
    /// The messages whose served revision differs from that of their document.
    let renumbered: Set<Identifier>
}
