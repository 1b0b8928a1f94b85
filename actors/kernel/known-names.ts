/*
 * The names of domains that the kernel knows. Everything else about a kind of actor comes with its definition (`ActorDefinition`).
 */

/** The configuration of a tenant: it stays in memory, and is there after a test mode was emptied. */
export const COMPANY = 'company';

/** The kind of those who have data keys that go with them. */
export const PERSON = 'person';

/** Its owners decide what a user sees who is limited to investors. Events, operations and the status of an engine name it. */
export const LOAN = 'loan';

/** Events name it, too; it may be between a borrower and what is listed under it, as an interaction may. */
export const CASE = 'case';
export const INTERACTION = 'interaction';

/**
 * The fact about a person after which nothing sealed for it may be read: the runtime destroys the person's data key
 * once it is durable, and again when it meets the fact in a recovery.
 */
export const ERASURE = 'PersonErased';

/** The fact by which an actor records closed days: it carries the digest of the computed state (`ActorDefinition.digest`). */
export const CAUGHT_UP = 'CaughtUp';
