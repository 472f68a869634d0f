import Foundation

/// The app that the daemon serves here: the shipped manifest and strings, and recipes of one microsurvey each.
///
/// Before the eligible message stand 49 of higher priority. Half of them fail on an attribute, the others pass on their
/// attributes and fail on an event query, so that a poll cannot do without the client's counters.
struct SampleApp {
    static let name = "firefox-ios"
    static let surface = "microsurvey"
    /// The place of the first eligible message in the order of priority.
    static let eligiblePlace = 50
    let recipes: Int

    /// Writes `FOLDER/apps/{app}` and `FOLDER/recipes/{app}`; manifest and strings are copied.
    func write(to folder: String, from app: String) throws {
        let files = FileManager.default
        let (apps, recipeFolder) = ("\(folder)/apps", "\(folder)/recipes/\(Self.name)")
        try files.createDirectory(atPath: apps, withIntermediateDirectories: true)
        try files.createDirectory(atPath: recipeFolder, withIntermediateDirectories: true)
        try files.copyItem(atPath: app, toPath: "\(apps)/\(Self.name)")
        for place in 1...recipes {
            let name = "bench-\(String(format: "%03d", place))"
            try recipe(at: place, key: name)
                .write(toFile: "\(recipeFolder)/\(name).json", atomically: false, encoding: .utf8)
        }
    }

    private func recipe(at place: Int, key: String) -> String {
        let (attribute, event) = place < Self.eligiblePlace ? Self.ineligible(place) : Self.eligible
        return """
            {"triggers": {"ATTRIBUTE_\(place)": "\(attribute)", "EVENT_\(place)": "\(event)"},
             "styles": {"PLACE_\(place)": {"priority": \(1_000 - place), "max-display-count": 5}},
             "messages": {"\(key)": {
               "experiment": "{experiment}", "surface": "\(Self.surface)", "style": "PLACE_\(place)",
               "trigger-if-all": ["ATTRIBUTE_\(place)", "EVENT_\(place)"], "except-if-any": ["NEVER"],
               "title": "Microsurvey/Microsurvey.Prompt.TitleLabel.v127",
               "text": "How satisfied are you with part \(place) of Firefox?",
               "button-label": "Microsurvey/Microsurvey.Prompt.Button.v127",
               "microsurveyConfig": {"utm-content": "part-\(place)", "icon": "homeLarge"}}}}
            """
    }

    /// True for every client of ``Population``; the event query is evaluated nevertheless.
    private static let eligible = ("os == 'iOS'", "'homepage_viewed'|eventSum('Years', 4, 0) >= 0")

    /// False for every client of ``Population``.
    private static func ineligible(_ place: Int) -> (String, String) {
        let rare = "'homepage_viewed'|eventSum('Days', \(7 + place), 0) >= 5"
        switch place % 6 {
        case 0: return ("app_version|versionCompare('\(200 + place).!') >= 0", rare)
        case 1: return ("app_version|versionCompare('120.!') >= 0", rare)
        case 2: return ("'zh' in locale || language == 'x\(place)'", rare)
        case 3: return ("days_since_install >= \(place % 30)", "'homepage_viewed'|eventCountNonZero('Days', 28, 0) > 7")
        case 4: return ("days_since_install < 7 && os == 'iOS'", rare)
        default: return ("os == 'iOS'", "'app_cycle.foreground'|eventLastSeen('Days', 1) < \(place)")
        }
    }
}
