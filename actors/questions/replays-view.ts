import { actorView } from '../kernel/actor-logic.js';
import { type LoanState, type Replay, REPLAYS_WITH_FIGURES, replaysOf } from '../loan/index.js';
import { orNull } from '../wire.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface ReplayItem {
  readonly state: LoanState;
  readonly transactions: ReadonlyMap<number, string>;
  readonly replay: Replay;
}

/** Of a company: the figures of one are two computations of a ledger. */
const MOST_REPLAYS = 500_000;

function itemsOf({ state, env }: LoanItem): readonly ReplayItem[] {
  const replays = replaysOf(state, env);
  if (replays.length === 0) return [];
  const transactions = new Map([...state.transactions.values()].flatMap(({ payment, id }) => (payment === null ? [] : [[payment, id]])));
  return replays.map((replay) => ({ state, transactions, replay }));
}

const figure = (when: 'before' | 'after', meaning: string) =>
  ({
    name: `outstanding_${when}`,
    type: 'MONEY',
    meaning,
    of: ({ replay }: ReplayItem): Cell => replay[when]?.outstandingCents ?? null,
  }) as const;

const status = (when: 'before' | 'after', meaning: string) =>
  ({ name: `status_${when}`, type: 'VARCHAR', meaning, of: ({ replay }: ReplayItem): Cell => replay[when]?.status ?? null }) as const;

export const replays = view<LoanItem, ReplayItem>({
  name: 'v_replays',
  meaning:
    'Past days of loans that were computed again, because a fact was recorded late, changed or voided later, or because a replay was ' +
    `ordered: one row each. The newest ${REPLAYS_WITH_FIGURES} of a loan have the balance and status before and after.`,
  kind: 'loan',
  mostRows: MOST_REPLAYS,
  items: itemsOf,
  columns: [
    { name: 'replay_id', type: 'VARCHAR', meaning: 'Id of the replay, which stays the same', of: ({ replay }) => replay.id },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    {
      name: 'trigger',
      type: 'VARCHAR',
      meaning: 'The fact that caused it, such as `payment`, `paymentVoided` or `ratesChanged`; `replay` where it was ordered',
      of: ({ replay }) => replay.trigger,
    },
    {
      name: 'fact_number',
      type: 'INTEGER',
      meaning: 'The number of the fact, as in `v_ledger_entries`',
      of: ({ replay }) => replay.factNumber,
    },
    {
      name: 'transaction_id',
      type: 'VARCHAR',
      meaning: 'The transaction of the fact; null once it has failed or was reversed',
      of: ({ replay, transactions }) => transactions.get(replay.transaction ?? 0) ?? null,
    },
    { name: 'case_id', type: 'VARCHAR', meaning: 'The case of the fact', of: ({ replay }) => replay.caseId },
    { name: 'from_date', type: 'DATE', meaning: 'The first day that was computed again', of: ({ replay }) => replay.from },
    { name: 'through_date', type: 'DATE', meaning: 'The last one: the day on which that happened', of: ({ replay }) => replay.through },
    { name: 'recorded_at', type: 'TIMESTAMP', meaning: 'When that happened', of: ({ replay }) => replay.recordedAt },
    {
      name: 'actor_type',
      type: 'VARCHAR',
      meaning: 'Who recorded the fact: `api`, `agent`, `borrower` or `system`; null of a replay that was ordered',
      of: ({ replay }) => orNull((by) => actorView(by).userType, replay.by),
    },
    figure('before', 'The outstanding balance of `through_date` as it was before'),
    figure('after', 'The same as it is computed again'),
    status('before', 'The status of `through_date` as it was before'),
    status('after', 'The same as it is computed again'),
  ],
});
