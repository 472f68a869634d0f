// The results of the page's functions for a flow's steps (docs/web.md#hooks).

/**
 * The decision of the page's `beforeAdvance`, in the daemon's format; undefined if there is no decision.
 * @param {any} decided
 * @returns {{action: string, data?: any, target_step_id?: string, message?: string} | undefined}
 */
export function decisionOf(decided) {
  if (decided === false || typeof decided === "string") return { action: "block", message: decided || undefined };
  const { data, target_step_id, message, action = data ? "proceed_with_data" : undefined } = decided ?? {};
  const isKnown = /^(proceed|proceed_with_data|skip_to|skip_to_with_data|block|stay)$/.test(action);
  return isKnown ? { action, data, target_step_id, message } : undefined;
}

/** The step with the replacements of the page's `beforeRender`. @param {API.Part} step @param {any} override */
export function overridden(step, override) {
  if (!override) return step;
  const { title, subtitle, ctaText, fieldDefaults, layoutOverrides } = override;
  const fields = (step.fields ?? []).map((field) =>
    fieldDefaults && field.id in fieldDefaults
      ? { ...field, config: { ...field.config, default_value: fieldDefaults[field.id] } }
      : field
  );
  return {
    ...step,
    ...(step.fields ? { fields } : {}),
    ...layoutOverrides,
    id: step.id,
    type: step.type,
    title: title ?? step.title,
    subtitle: subtitle ?? step.subtitle,
    cta_text: ctaText ?? step.cta_text,
  };
}
