/** Where a communication stands. */
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

export const INTERACTION_STATUSES = ['scheduled', 'inProgress', 'attempted', 'succeeded', 'failed', 'canceled'] as const;

/**
 * Who moves a status: the service while it sends, whoever reports on the way of a message, a caller who keeps a record of a contact made
 * elsewhere.
 */
export type StatusMover = 'service' | 'feedback' | 'caller';

/**
 * What each status may become, and by whom. A failed one comes back when a deferred mail went out after all, or when a caller corrects its
 * own record.
 */
const STATUS_MOVES = {
  scheduled: { attempted: ['service', 'caller'], canceled: ['service', 'caller'], failed: ['service', 'caller'] },
  inProgress: {
    succeeded: ['service', 'feedback', 'caller'],
    attempted: ['service', 'feedback', 'caller'],
    failed: ['service', 'feedback', 'caller'],
  },
  attempted: { succeeded: ['feedback', 'caller'], failed: ['service', 'feedback', 'caller'] },
  succeeded: { failed: ['feedback', 'caller'] },
  failed: { attempted: ['feedback', 'caller'], succeeded: ['feedback', 'caller'] },
  canceled: {},
} as const satisfies Readonly<Record<InteractionStatus, Partial<Record<InteractionStatus, readonly StatusMover[]>>>>;

export const mayMove = (from: InteractionStatus, to: InteractionStatus, by: StatusMover): boolean =>
  ((STATUS_MOVES[from] as Partial<Record<InteractionStatus, readonly StatusMover[]>>)[to] ?? []).includes(by);

/** Those that count when contacts are limited: what failed never reached anybody, what is planned has not yet. */
export const COUNTED_STATUSES: ReadonlySet<InteractionStatus> = new Set(['attempted', 'succeeded', 'inProgress']);
