import Foundation

/// One of the benchmark's recipes: a microsurvey with an index in the order of priority.
struct SampleRecipe {
    enum Kind {
        /// A messaging value without an experiment, for all clients.
        case messages
        /// An experiment with its own buckets, which half of the clients are in, and two branches with a microsurvey
        /// each.
        case experiments
        /// Every fifth recipe is an experiment, except the eligible one.
        case mixed
        /// Messages whose triggers on attributes read segments. The eligible message's segment reads a list.
        case segments
    }

    /// The style that the messages of every fourth experiment share, behind the eligible message.
    private static let sharedStyle = "SHARED"

    let index: Int
    let kind: Kind

    var slug: String { "bench-\(String(format: "%03d", index))" }

    var text: String {
        switch kind {
        case .messages, .segments: messaging(key: slug)
        case .experiments: experiment
        case .mixed: index.isMultiple(of: 5) && index != SampleApp.eligibleIndex ? experiment : messaging(key: slug)
        }
    }

    private var experiment: String {
        let branches = ["control", "treatment"].map { branch in
            """
            {"slug": "\(branch)", "ratio": 1,
             "features": [{"featureId": "messaging", "value": \(messaging(key: "\(slug)-\(branch)"))}]}
            """
        }
        return """
            {"schemaVersion": "1.12.0", "slug": "\(slug)", "appName": "firefox_ios", "userFacingName": "\(slug)",
             "userFacingDescription": "The benchmark's", "isEnrollmentPaused": false, "isRollout": false,
             "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "\(slug)", "start": 0, "count": 5000,
                              "total": 10000},
             "targeting": "\(targeting)", "proposedEnrollment": 7, "branches": [\(branches.joined(separator: ","))]}
            """
    }

    /// A targeting expression that is true for every client of ``Population``.
    private var targeting: String {
        switch index % 4 {
        case 0: "true"
        case 1: "os == 'iOS' && days_since_install >= 7"
        case 2:
            "(is_already_enrolled) || (app_version|versionCompare('100.!') >= 0 && language != 'zh')"
        default: "'homepage_viewed'|eventSum('Years', 4, 0) >= 0"
        }
    }

    private var triggers: (attribute: String, event: String) {
        index < SampleApp.eligibleIndex ? Self.ineligible(index) : Self.eligible
    }

    /// The segment that the trigger reads, by its slug; nil if another recipe has it, or if none is read.
    var segment: (slug: String, text: String)? {
        guard kind == .segments, index <= SampleApp.eligibleIndex else { return nil }
        let list = index == SampleApp.eligibleIndex ? " && list.\(SampleApp.list)" : ""
        return ("place_\(index)", #"{"kind": "segment", "expression": "\#(triggers.attribute)\#(list)"}"#)
    }

    private func messaging(key: String) -> String {
        let event = triggers.event
        let attribute =
            kind == .segments ? "segment.place_\(min(index, SampleApp.eligibleIndex))" : triggers.attribute
        let isShared =
            kind == .experiments && index > SampleApp.eligibleIndex + 10 && index.isMultiple(of: 4)
        let style = isShared ? Self.sharedStyle : "PLACE_\(index)"
        return """
            {"triggers": {"ATTRIBUTE_\(index)": "\(attribute)", "EVENT_\(index)": "\(event)"},
             "styles": {"\(style)": {"priority": \(isShared ? 850 : 1_000 - index), "max-display-count": 5}},
             "messages": {"\(key)": {
               "experiment": "{experiment}", "surface": "\(SampleApp.surface)", "style": "\(style)",
               "trigger-if-all": ["ATTRIBUTE_\(index)", "EVENT_\(index)"], "except-if-any": ["NEVER"],
               "title": "Microsurvey/Microsurvey.Prompt.TitleLabel.v127",
               "text": "How satisfied are you with part \(index) of Firefox?",
               "button-label": "Microsurvey/Microsurvey.Prompt.Button.v127",
               "microsurveyConfig": {"utm-content": "part-\(index)", "icon": "homeLarge"}}}}
            """
    }

    /// Two triggers that are true for every client of ``Population``; the event query is evaluated nevertheless.
    static let eligible = ("os == 'iOS'", "'homepage_viewed'|eventSum('Years', 4, 0) >= 0")

    /// Two triggers, of which one is false for every client of ``Population``.
    static func ineligible(_ index: Int) -> (String, String) {
        let rare = "'homepage_viewed'|eventSum('Days', \(min(7 + index, 56)), 0) >= 5"
        switch index % 6 {
        case 0: return ("app_version|versionCompare('\(200 + index).!') >= 0", rare)
        case 1: return ("app_version|versionCompare('120.!') >= 0", rare)
        case 2: return ("'zh' in locale || language == 'x\(index)'", rare)
        case 3: return ("days_since_install >= \(index % 30)", "'homepage_viewed'|eventCountNonZero('Days', 28, 0) > 7")
        case 4: return ("days_since_install < 7 && os == 'iOS'", rare)
        default: return ("os == 'iOS'", "'app_cycle.foreground'|eventLastSeen('Days', 1) < \(index)")
        }
    }
}
