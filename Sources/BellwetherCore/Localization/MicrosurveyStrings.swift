public import BellwetherBase
public import BellwetherJSON

/// The texts of a microsurvey that recipes do not contain, with their ids in Firefox for iOS and their English. Every
/// app has them without its own strings (docs/reference/messaging.md#microsurveys).
public enum MicrosurveyStrings {
    public static let table = "Microsurvey"

    /// The keys of the table. `%@` stands for the app's short name.
    public enum Key: String, Sendable, CaseIterable {
        case promptTitle = "Microsurvey.Prompt.TitleLabel.v127"
        case promptButton = "Microsurvey.Prompt.Button.v127"
        case promptClose = "Microsurvey.Prompt.Close.Button.AccessibilityLabel.v127"
        case promptLogo = "Microsurvey.Prompt.LogoImage.AccessibilityLabel.v129"
        case header = "Microsurvey.Survey.HeaderLabel.v129"
        case submitButton = "Microsurvey.Survey.Button.v127"
        case surveyClose = "Microsurvey.Survey.Close.Button.AccessibilityLabel.v127"
        case surveyLogo = "Microsurvey.Survey.LogoImage.AccessibilityLabel.v129"
        case sheet = "Microsurvey.Survey.Sheet.AccessibilityLabel.v130"
        case privacyLink = "Microsurvey.Survey.PrivacyPolicyLink.v127"
        case unselectedOption = "Microsurvey.Survey.RadioButton.Unselected.AccessibilityLabel.v129"
        /// "1 out of 6". The arguments are the option's number and the number of options.
        case optionsOrder = "Microsurvey.Survey.OptionsOrder.AccessibilityLabel.v129"
        case confirmationHeader = "Microsurvey.Survey.ConfirmationPage.HeaderLabel.v127"
        case confirmationText = "Microsurvey.Survey.ConfirmationPage.ConfirmationLabel.v127"
        case verySatisfied = "Microsurvey.Survey.Options.VerySatisfied.v132"
        case satisfied = "Microsurvey.Survey.Options.Satisfied.v132"
        case neutral = "Microsurvey.Survey.Options.Neutral.v132"
        case dissatisfied = "Microsurvey.Survey.Options.Dissatisfied.v132"
        case veryDissatisfied = "Microsurvey.Survey.Options.VeryDissatisfied.v132"
        case notApplicable = "Microsurvey.Survey.Options.NotApplicable.v132"

        /// The id as recipes write it: `Microsurvey/Microsurvey.Prompt.TitleLabel.v127`.
        public var id: String { MicrosurveyStrings.table + "/" + rawValue }
    }

    /// The ids of the options of a survey that has no options of its own, in their order.
    public static let fallbackOptions = options.map { Identifier($0.id) }

    private static let options: [Key] = [
        .verySatisfied, .satisfied, .neutral, .dissatisfied, .veryDissatisfied, .notApplicable,
    ]

    /// The English texts by key. Older keys of the options are included.
    public static let english: [String: String] = {
        var texts = Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0.rawValue, englishText(of: $0)) })
        for (index, option) in options.enumerated() {
            // The sixth option was added later than the others: Option6.v129.
            let version = index < 5 ? "v127" : "v129"
            texts["Microsurvey.Survey.Options.LikertScaleOption\(index + 1).\(version)"] = texts[option.rawValue]
        }
        return texts
    }()

    private static func englishText(of key: Key) -> String {
        switch key {
        case .promptTitle: "Help us make %@ better. It only takes a minute."
        case .promptButton: "Continue"
        case .promptClose, .surveyClose: "Close"
        case .promptLogo, .surveyLogo: "%@ Logo"
        case .header: "Please complete survey"
        case .submitButton: "Submit"
        case .sheet: "Survey"
        case .privacyLink: "Privacy notice"
        case .unselectedOption: "Unselected"
        case .optionsOrder: "%1$@ out of %2$@"
        case .confirmationHeader: "Survey complete"
        case .confirmationText: "Thanks for your feedback!"
        case .verySatisfied: "Very satisfied"
        case .satisfied: "Satisfied"
        case .neutral: "Neutral"
        case .dissatisfied: "Dissatisfied"
        case .veryDissatisfied: "Very dissatisfied"
        case .notApplicable: "I don’t use it"
        }
    }
}

extension StringTables {
    /// Creates an app's tables, with the built-in English of the Microsurvey table as a fallback.
    public init(defaultLocale: String, locales: [String: [String: [String: String]]]) {
        self.init(
            defaultLocale: defaultLocale, locales: locales,
            builtIn: [MicrosurveyStrings.table: MicrosurveyStrings.english])
    }
}
