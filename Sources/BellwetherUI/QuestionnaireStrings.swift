#if canImport(SwiftUI)
    /// The texts of the interface. By default they are those that the daemon serves, in the person's language.
    public struct QuestionnaireStrings: Sendable, Hashable {
        private let own: [String: String]

        public static let `default` = QuestionnaireStrings(own: [:])

        /// Replaces texts by an app's own.
        public func with(
            title: String? = nil, submitButton: String? = nil, skipButton: String? = nil, nextButton: String? = nil,
            backButton: String? = nil, doneButton: String? = nil, cancelButton: String? = nil,
            consentTitle: String? = nil, consentBody: String? = nil, consentAccept: String? = nil,
            consentLater: String? = nil, consentNever: String? = nil, doNotShowAgain: String? = nil,
            successTitle: String? = nil, successBody: String? = nil, errorTitle: String? = nil,
            errorRequiredMissing: String? = nil, errorGeneric: String? = nil, npsLowLabel: String? = nil,
            npsHighLabel: String? = nil
        ) -> QuestionnaireStrings {
            let given: [String: String?] = [
                "title": title, "submitButton": submitButton, "skipButton": skipButton, "nextButton": nextButton,
                "backButton": backButton, "doneButton": doneButton, "cancelButton": cancelButton,
                "consentTitle": consentTitle, "consentBody": consentBody, "consentAccept": consentAccept,
                "consentLater": consentLater, "consentNever": consentNever, "doNotShowAgain": doNotShowAgain,
                "successTitle": successTitle, "successBody": successBody, "errorTitle": errorTitle,
                "errorRequiredMissing": errorRequiredMissing, "errorGeneric": errorGeneric,
                "npsLowLabel": npsLowLabel, "npsHighLabel": npsHighLabel,
            ]
            return QuestionnaireStrings(own: own.merging(given.compactMapValues(\.self)) { $1 })
        }

        /// The text of a key. The daemon's text is empty only if an older daemon does not know the key.
        func text(_ key: String, _ served: [String: String]) -> String { own[key] ?? served[key] ?? "" }
    }
#endif
