/** Where a communication stands. */
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

export const INTERACTION_STATUSES = ['scheduled', 'inProgress', 'attempted', 'succeeded', 'failed', 'canceled'] as const;

/**
 * Who moves a status: the service while it sends, whoever reports on the way of a message, a caller who keeps a record of a contact made
 * elsewhere.
 */
export type StatusMover = 'service' | 'feedback' | 'caller';

export type InteractionMove = 'attempt' | 'succeed' | 'fail' | 'cancel';

/** The status to which a move leads. */
export const INTERACTION_TARGETS = {
  attempt: 'attempted',
  succeed: 'succeeded',
  fail: 'failed',
  cancel: 'canceled',
} as const satisfies Readonly<Record<InteractionMove, InteractionStatus>>;

/**
 * The moves of each status and who may make them: the rows from which the statechart of interactions is made. A failed one comes back when
 * a deferred mail went out after all, or when a caller corrects its own record.
 */
export const INTERACTION_MOVES: Readonly<Record<InteractionStatus, Readonly<Partial<Record<InteractionMove, readonly StatusMover[]>>>>> = {
  scheduled: { attempt: ['service', 'caller'], cancel: ['service', 'caller'], fail: ['service', 'caller'] },
  inProgress: {
    succeed: ['service', 'feedback', 'caller'],
    attempt: ['service', 'feedback', 'caller'],
    fail: ['service', 'feedback', 'caller'],
  },
  attempted: { succeed: ['feedback', 'caller'], fail: ['service', 'feedback', 'caller'] },
  succeeded: { fail: ['feedback', 'caller'] },
  failed: { attempt: ['feedback', 'caller'], succeed: ['feedback', 'caller'] },
  canceled: {},
};

export const INTERACTION_MOVE_NAMES: readonly InteractionMove[] = ['attempt', 'succeed', 'fail', 'cancel'];

export const mayMove = (from: InteractionStatus, to: InteractionStatus, by: StatusMover): boolean =>
  INTERACTION_MOVE_NAMES.some((move) => INTERACTION_TARGETS[move] === to && INTERACTION_MOVES[from][move]?.includes(by) === true);

/** Those that count when contacts are limited: what failed never reached anybody, what is planned has not yet. */
export const COUNTED_STATUSES: ReadonlySet<InteractionStatus> = new Set(['attempted', 'succeeded', 'inProgress']);
