/**
 * A value of the type that its source promises: a body or query that the gateway has checked, the reply of one of the service's own
 * queries, or what the service has stored itself. Never for what comes from outside.
 */
export const typed = <Type>(value: unknown): Type => value as Type;
