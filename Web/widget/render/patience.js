/**
 * Milliseconds that an answer may take which waits for owners' servers: for the hook of a step and that of the next one,
 * each asked four times for a minute, with pauses (docs/reference/flows.md#hooks).
 */
export const patience = 500_000;
