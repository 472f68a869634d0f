import Foundation

/// An app with many live messages, of which one is eligible.
struct CurveApp {
    enum Placement: CaseIterable {
        case before, behind, elsewhere

        var title: String {
            switch self {
            case .before: "in front"
            case .behind: "behind"
            case .elsewhere: "on other surfaces"
            }
        }
    }

    /// Other surfaces of the shipped manifest; polls do not ask for these.
    private static let others = ["new-tab-card", "survey", "notification"]
    /// The number of messages in front of the eligible one, for the placements in which the others are behind it or on
    /// other surfaces.
    private static let fewInFront = 4

    let messages: Int
    let placement: Placement

    /// The key of the eligible message.
    static func eligible(of messages: Int, _ placement: Placement) -> String {
        "m-\(eligibleIndex(of: messages, placement))"
    }

    private static func eligibleIndex(of messages: Int, _ placement: Placement) -> Int {
        placement == .before ? messages - 1 : fewInFront
    }

    func write(to folder: String, from app: String) throws {
        try SampleApp(recipes: 0).write(to: folder, from: app)
        for index in 0..<messages {
            try recipe(index).write(
                toFile: "\(folder)/recipes/\(SampleApp.name)/m-\(index).json", atomically: false, encoding: .utf8)
        }
    }

    private func recipe(_ index: Int) -> String {
        let eligible = Self.eligibleIndex(of: messages, placement)
        let isElsewhere = placement == .elsewhere && index > eligible
        let surface = isElsewhere ? Self.others[index % Self.others.count] : SampleApp.surface
        // Messages behind the eligible one are not eligible either, so all messages except one are alike.
        let (attribute, event) = index == eligible ? SampleRecipe.eligible : SampleRecipe.ineligible(index)
        return """
            {"triggers": {"ATTRIBUTE_\(index)": "\(attribute)", "EVENT_\(index)": "\(event)"},
             "styles": {"PLACE_\(index)": {"priority": \(1_000_000 - index), "max-display-count": 5}},
             "messages": {"m-\(index)": {
               "surface": "\(surface)", "style": "PLACE_\(index)",
               "trigger-if-all": ["ATTRIBUTE_\(index)", "EVENT_\(index)"], "except-if-any": ["NEVER"],
               "title": "Message \(index)", "text": "How satisfied are you with part \(index) of Firefox?",
               "button-label": "Continue", "microsurveyConfig": {"utm-content": "part-\(index)"}}}}
            """
    }
}
