/**
 * The time limit in milliseconds for a response that waits for owners' servers. It covers the hooks of a step and of
 * the next step, each with four attempts of up to a minute, and pauses (docs/reference/flows.md#hooks).
 */
export const patience = 500_000;
