internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import JEXL
internal import Surveys

/// Warnings about a document that has no fault, but whose meaning is probably not intended (docs/findings.md).
///
/// A document that may be correct has no finding: a rule that cannot decide reports nothing. Only this document is
/// checked, against the parts that others share with it. So the effort does not grow with the number of recipes.
public struct DocumentCheck {
    let manifest: Manifest
    let context: CheckContext
    /// The live recipe that the document replaces.
    private let replaced: Recipe?
    let findings: Findings
    let expressions: ExpressionCheck

    /// - Parameter document: a recipe, which may declare facts itself.
    private init(
        _ manifest: Manifest, _ context: CheckContext, slug: Identifier? = nil, document: JSONValue = .null,
        _ findings: Findings
    ) {
        var context = context
        context.facts?.formUnion(DeclaredFacts.names(in: document))
        replaced = slug.flatMap { slug in context.live?.live.first { $0.slug == slug } }
        self.manifest = manifest
        self.context = context
        self.findings = findings
        expressions = ExpressionCheck(under: manifest, in: context, findings: findings)
    }

    /// Checks a recipe in the form in which it would be published.
    public static func check(
        _ recipe: Recipe, under manifest: Manifest, in context: CheckContext, findings: Findings
    ) {
        // These findings are discarded: this reader only finds the author's locations.
        let document = JSONReader(recipe.document, findings: Findings())
        ReadNamesCheck(manifest: manifest, context: context, findings: findings).check(recipe)
        if let content = recipe.content {
            checkOffer(of: recipe, under: manifest, in: context, findings: findings)
            let check = DocumentCheck(manifest, context, findings)
            if content == .flow { return check.checkTranslations(of: FlowSentence.allCases.map(\.id)) }
            guard let definition = SurveyDefinition(document, content) else { return }
            return check.checkTexts(of: definition, document)
        }
        let check = DocumentCheck(manifest, context, slug: recipe.slug, findings)
        let own = [("targeting", recipe.experiment?.targeting?.source), ("expression", recipe.segment?.expression)]
        for (key, source) in own {
            guard let location = document.optional(key), let source, let expression = check.expressions.compiled(source)
            else { continue }
            check.expressions.check(expression, at: location.pointer, isNamed: false)
            if key == "targeting", !context.isStored {
                check.expressions.checkOperands(of: expression, at: location.pointer)
            }
        }
        let values = LocatedMessaging.values(of: recipe, in: manifest)
        check.check(values)
        if let experiment = recipe.experiment {
            check.checkIdentity(of: experiment, document)
            check.checkOptions(of: recipe, in: values)
            check.checkBuckets(of: experiment, recipe.stages, at: document.pointer.appending("bucketConfig"))
            check.checkFeatures(of: recipe)
            if let goals = recipe.goals {
                GoalCheck(manifest: manifest, context: context, findings: findings).check(
                    goals, of: experiment, document)
            }
        }
    }

    /// Checks the message that offers a questionnaire or survey.
    private static func checkOffer(
        of recipe: Recipe, under manifest: Manifest, in context: CheckContext, findings: Findings
    ) {
        let own = Findings()
        DocumentCheck(manifest, context, slug: recipe.slug, document: recipe.document, own).check(
            LocatedMessaging.values(of: recipe, in: manifest), isOffer: true)
        findings.take(own, at: OfferMessaging.location)
    }

    /// Checks a manifest's own messaging.
    public static func check(_ manifest: Manifest, in context: CheckContext, findings: Findings) {
        let document = JSONReader(manifest.document, findings: Findings())
        let check = DocumentCheck(manifest, context, findings)
        let pacing = document.optional("pacing")
        check.checkQuietHours(pacing?.optional("quiet_hours"))
        PacingCheck.checkSeconds(pacing?.optional("cooldown_seconds"), findings)
        for cap in FlowOutline.elements(pacing?.optional("caps")) {
            PacingCheck.checkSeconds(cap.optional("seconds"), findings)
        }
        guard let location = document.optional("messaging") else { return }
        check.check([LocatedMessaging(location, manifest.messaging, of: nil, in: manifest)])
    }

    /// - Parameter isOffer: Whether the messaging is an offer, whose pacing is checked together with its questions.
    private func check(_ values: [LocatedMessaging], isOffer: Bool = false) {
        let keys = Set(values.flatMap { $0.messages.map(\.key) } + replacedKeys)
        for value in values {
            checkTriggers(of: value)
            checkStyles(of: value)
            checkActions(of: value)
            for message in value.messages {
                checkTexts(of: message)
                checkCap(of: message, in: value)
                checkEligibility(of: message, in: value)
                checkRank(of: message, in: value, except: keys)
                if isOffer { checkSurface(of: message) } else { checkPacing(of: message) }
            }
            checkLanguages(in: value)
        }
        checkControls(in: values)
        checkKeys(of: values)
    }

    /// The keys in the recipe's live revision.
    private var replacedKeys: [Identifier] {
        let values = replaced?.messagingByBranch.compactMap(\.value) ?? []
        return values.flatMap { ($0["messages"]?.object?.keys ?? []).map { Identifier($0) } }
    }

    private func checkQuietHours(_ location: JSONReader?) {
        guard let location, let quiet = manifest.pacing?.quietHours else { return }
        if quiet.from == quiet.to, let to = location.optional("to") {
            findings.warn("limit_zero", at: to.pointer, "quiet hours that end when they begin are none")
        }
        guard let name = quiet.offsetAttribute, manifest.attributes[name] == nil,
            let attribute = location.optional("utc_offset_attribute")
        else { return }
        findings.warn(
            "unknown_attribute", at: attribute.pointer,
            "the manifest declares no attribute \"\(name)\": no client has it, and the hours are those of UTC")
    }

    /// Warns of an experiment for another app, or for another channel of this app.
    private func checkIdentity(of experiment: Experiment, _ document: JSONReader) {
        let consequence = "no client is enrolled"
        if !experiment.isForApp(manifest.appName), let location = document.optional("appName") {
            findings.warn(
                "other_app", at: location.pointer,
                "the manifest's app_name is \(JSONValue.string(manifest.appName).text): \(consequence)")
        }
        if !experiment.isForChannel(lowercased: manifest.channel?.lowercased()),
            let location = document.optional("channel") ?? document.optional("channels")
        {
            findings.warn(
                "other_app", at: location.pointer,
                "the manifest's channel is \(JSONValue.string(manifest.channel ?? "").text): \(consequence)")
        }
    }

    /// An offer without a surface has the dialect's default surface.
    private func checkSurface(of message: LocatedMessage) {
        let surface = message.definition.surface
        guard message.field("surface") == nil, !manifest.surfaces.contains(surface)
        else { return }
        findings.warn(
            "unknown_surface", at: message.location.pointer,
            "without a surface the offer is for \"\(surface)\", which the manifest does not have")
    }

    /// The quotas of a message that presents a live recipe are checked with its questions.
    private func checkPacing(of message: LocatedMessage) {
        PacingCheck.check(message.field("pacing"), at: context.now, findings: findings)
        ConditionReferences.checkAttributes(of: message.field("pacing"), under: manifest, findings: findings)
        guard let pacing = message.field("pacing"), message.field("presents") != nil,
            let slug = message.definition.presents,
            let presented = context.live?.live.first(where: { $0.slug == slug }),
            let kind = presented.content
        else { return }
        let document = JSONReader(presented.document, findings: Findings())
        if kind == .flow, let flow = FlowDefinition(document) {
            FlowReferenceCheck(FlowOutline(flow, document), findings).check(pacing: pacing)
        } else if let definition = SurveyDefinition(document, kind) {
            QuotaCheck.check(pacing, reading: definition.questions, findings: findings)
        }
    }

    private func checkTriggers(of value: LocatedMessaging) {
        for (_, location) in value.entries(of: "triggers") {
            guard let source = value.text(at: location), let expression = expressions.compiled(source) else { continue }
            expressions.check(expression, at: location.pointer, isNamed: true)
        }
    }
}

/// Values of features that the manifest does not declare, or declares differently.
extension DocumentCheck {
    /// If a manifest declares no features, recipes may define any.
    fileprivate func checkFeatures(of recipe: Recipe) {
        guard recipe.experiment != nil, !manifest.features.isEmpty else { return }
        var unknown: Set<Identifier> = []
        for feature in RecipeFeatures.all(in: recipe.document) where !RecipeFeatures.isMessaging(feature) {
            guard let id = feature.optional("featureId"), let name = id.value.string else { continue }
            if let declaration = manifest.feature(Identifier(name)) {
                check(feature, as: declaration)
            } else if unknown.insert(Identifier(name)).inserted {
                findings.warn(
                    "unknown_feature", at: id.pointer,
                    "the manifest declares no feature \"\(name)\": OpenFeature's clients do not get it")
            }
        }
    }

    private func check(_ feature: JSONReader, as declaration: FeatureDeclaration) {
        for (name, value) in feature.optional("value")?.members() ?? [] {
            guard let variable = declaration.variable(Identifier(name)) else {
                findings.warn(
                    "unknown_variable", at: value.pointer,
                    "the feature \"\(declaration.id)\" has no variable \"\(name)\": it is no flag of its own")
                continue
            }
            guard value.value != .null, !variable.type.admits(value.value) else { continue }
            findings.warn(
                "variable_type", at: value.pointer,
                "\(name) is declared as \(variable.type.rawValue), this is a \(value.value.typeName): it is left out")
        }
    }
}
