import {
  type AgentOutcome,
  type Channel,
  COUNTED_STATUSES,
  type Direction,
  type InteractionStatus,
  type InteractionTheme,
  type StatusDetail,
  type Subject,
} from '../../engine/index.js';
import type { CatalogRow, DecideEnv } from '../runtime/actor.js';

/** The longest that a rule of contacts looks back: calls a week, mail a month. */
const HISTORY_DAYS = 30;

/** Contacts of one borrower that are looked at: the newest. More than that within the days is itself beyond every limit. */
const MAX_HISTORY = 5_000;

const DAY_MS = 86_400_000;

/** What limits of contacts ask of an earlier contact (communications 4.8). */
export interface PastContact {
  readonly id: string;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  /** Null where nobody said what it was about: count it. */
  readonly theme: InteractionTheme | null;
  readonly subject: Subject | null;
  /** Milliseconds; of one that is still to come, when its record was made. */
  readonly startedAt: number;
  /** Empty of one about the borrower as a whole. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly contactId: string | null;
  readonly agentOutcome: AgentOutcome | null;
  /** Null where nobody said so. */
  readonly isTransactional: boolean | null;
  readonly isExternal: boolean;
}

/** By its `status`: see `COUNTED_STATUSES` of the engine for what counts. */
export interface HistoryAsked {
  /** Milliseconds, inclusive. Default: `HISTORY_DAYS` before now. */
  readonly since?: number;
  /** Default: both. */
  readonly direction?: Direction;
}

/**
 * The contacts with a borrower since a moment, the newest first, of every status. It reads the lines of the borrower's own
 * interactions in the list index, so that it costs what they are many and wakes none; deleted ones are not among them.
 */
export function contactHistory(
  env: Pick<DecideEnv, 'list' | 'now'>,
  personId: string,
  { since = env.now - HISTORY_DAYS * DAY_MS, direction }: HistoryAsked = {},
): readonly PastContact[] {
  const startedAt = ({ fields }: CatalogRow): number => Number(fields['startedAt'] ?? fields['createdAt']);
  const matches = (row: CatalogRow): boolean =>
    startedAt(row) >= since && (direction === undefined || row.fields['direction'] === direction);
  const { rows } = env.list('interaction', {
    parentId: personId,
    matches,
    limit: MAX_HISTORY,
    sort: [{ field: 'startedAt', descending: true, of: startedAt }],
  });
  return rows.map((row) => pastContact(row, startedAt(row)));
}

/** When a borrower was last contacted, and last reached or heard of; null = never. Milliseconds. */
export interface LastContacts {
  readonly outbound: number | null;
  readonly successful: number | null;
}

/** What is planned, failed or was called off is no contact. */
export function lastContacts(env: Pick<DecideEnv, 'list'>, personId: string): LastContacts {
  const last = (isMeant: (row: CatalogRow) => boolean): number | null => {
    const matches = (row: CatalogRow): boolean =>
      row.fields['startedAt'] !== null && COUNTED_STATUSES.has(row.fields['status'] as InteractionStatus) && isMeant(row);
    const [row] = env.list('interaction', { parentId: personId, matches, sort: [{ field: 'startedAt', descending: true }], limit: 1 }).rows;
    return row ? Number(row.fields['startedAt']) : null;
  };
  return {
    outbound: last(({ fields }) => fields['direction'] === 'outbound' && fields['theme'] !== 'agentNotification'),
    successful: last(({ fields }) => fields['status'] === 'succeeded' || fields['agentOutcome'] === 'voiceSpokeWithFirstParty'),
  };
}

function pastContact({ id, fields }: CatalogRow, startedAt: number): PastContact {
  const {
    channel,
    direction,
    status,
    statusDetails,
    theme,
    subject,
    loanIds,
    caseId,
    contactId,
    agentOutcome,
    isTransactional,
    isExternal,
  } = fields as unknown as Omit<PastContact, 'id' | 'startedAt'>;
  return {
    id,
    channel,
    direction,
    status,
    statusDetails,
    theme,
    subject,
    startedAt,
    loanIds,
    caseId,
    contactId,
    agentOutcome,
    isTransactional,
    isExternal,
  };
}
