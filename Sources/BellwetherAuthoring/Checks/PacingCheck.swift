public import BellwetherBase
public import BellwetherJSON

/// Warnings about a `pacing` without faults: limits that no client can meet, and keys that have no effect
/// (docs/findings.md#pacing).
public struct PacingCheck {
    private let findings: Findings
    private let now: Timestamp?

    /// Checks a pacing. The reader reports values of the wrong type.
    ///
    /// - Parameter now: The current time; if it is nil, an end in the past is not reported.
    public static func check(_ pacing: JSONReader?, at now: Timestamp?, findings: Findings) {
        guard let pacing, pacing.value.object != nil else { return }
        let check = PacingCheck(findings: findings, now: now)
        check.checkDates(pacing)
        check.checkDisplay(pacing)
        check.checkSample(pacing)
        check.checkLimits(pacing)
        checkSeconds(pacing.optional("cooldown_seconds"), findings)
    }

    /// Warns of seconds that are whole minutes only if they are milliseconds. Intended seconds are minutes, hours or
    /// days, and no multiple of 300,000 below 125 days is a day.
    static func checkSeconds(_ location: JSONReader?, _ findings: Findings) {
        guard let location, let seconds = location.value.integer, seconds > 0, seconds % 300_000 == 0 else { return }
        findings.warn(
            "unit", at: location.pointer,
            "these are seconds, and \(seconds) of them are \(seconds / 86_400) days: \(seconds) milliseconds are "
                + "\(seconds / 1000) seconds")
    }

    private func warn(_ code: String, _ location: JSONReader, _ message: String) {
        findings.warn(code, at: location.pointer, message)
    }

    private func checkDates(_ pacing: JSONReader) {
        guard let location = pacing.optional("end"),
            let end = location.value.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return }
        let start = pacing.optional("start")?.value.string.flatMap { Timestamp(rfc3339: $0) }
        if let start, end <= start {
            warn("dates", location, "end is not after start: the message is never offered")
        } else if let now, end <= now {
            warn("dates", location, "end is in the past: the message is not offered")
        }
    }

    private func checkDisplay(_ pacing: JSONReader) {
        let (display, limit) = (pacing.optional("display"), pacing.optional("limit"))
        switch (display?.value.string, limit) {
        case ("some", nil):
            guard let display else { return }
            findings.warn(
                "no_limit", at: display.pointer, "\"some\" without a limit is once: say how often in \"limit\"",
                absentKeys: ["limit"])
        case (nil, let limit?), ("once", let limit?):
            warn("unused_key", limit, "the limit counts only beside \"display\": \"some\" or \"until-answered\"")
        default: break
        }
    }

    private func checkSample(_ pacing: JSONReader) {
        guard let sample = pacing.optional("sample"), let location = sample.optional("count"),
            let count = location.value.integer, let total = sample.optional("total")?.value.integer, total > 0
        else { return }
        if count == 0 {
            return warn("limit_zero", location, "nobody is in a sample of 0: the message is never offered")
        }
        guard count > total else { return }
        warn("sample_all", location, "\(count) of \(total) is everybody: a sample is less than its total")
    }

    private func checkLimits(_ pacing: JSONReader) {
        if let limit = pacing.optional("response_limit"), limit.value.integer == 0 {
            warn("limit_zero", limit, "no response is accepted: every one is over a limit of 0")
        }
        guard let quotas = pacing.optional("quotas"), quotas.value.array != nil else { return }
        for quota in quotas.elements() ?? [] {
            guard let limit = quota.optional("limit"), limit.value.integer == 0 else { continue }
            let isCounting = quota.optional("action")?.value.string == "continue"
            warn(
                "limit_zero", limit,
                isCounting
                    ? "a quota of 0 that goes on changes nothing"
                    : "a quota of 0 is always full: every response for which its condition holds is screened out")
        }
    }
}
