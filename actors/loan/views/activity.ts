import { type Cents, type Day, formatDay } from '../../../engine/index.js';
import type { Agent } from '../../runtime/fact.js';
import { type Amount, amount, type DateText, type DateTimeText, dateTimeText, orNull } from '../../wire.js';
import type { LoanState, StoredLedgerFact } from '../state.js';
import { actorView, type ActorView } from '../../runtime/actor-view.js';

export const ACTIVITY_TYPES = ['status', 'terms', 'payment', 'credit', 'fee'] as const;

/** One line of a loan's timeline. */
export interface ActivityReply {
  readonly id: string;
  readonly type: (typeof ACTIVITY_TYPES)[number];
  /** What happened, in the ledger's words: `payment`, `freeze`, `ratesChanged`; a status change gives the new status. */
  readonly action: string;
  readonly effectiveDate: DateText;
  readonly recordedAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly amount: Amount | null;
  readonly reason: string | null;
}

interface Line {
  readonly type: ActivityReply['type'];
  readonly action: string;
  readonly day: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly cents: Cents | null;
  readonly reason: string | null;
}

/** Status, term and money changes in the order of recording, newest first. */
export function activityItems(state: LoanState): readonly ActivityReply[] {
  const lines: Line[] = [
    ...state.statusHistory.map(
      (change): Line => ({
        type: 'status',
        action: change.newStatus,
        day: change.effectiveDay,
        recordedAt: change.recordedAt,
        by: change.by,
        caseId: change.caseId,
        cents: null,
        reason: change.reason,
      }),
    ),
    ...(state.servicing?.facts ?? []).flatMap(lineOf),
  ];
  return lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => b.line.recordedAt - a.line.recordedAt || b.index - a.index)
    .map(({ line, index }) => ({
      id: `${state.id}-${index + 1}`,
      type: line.type,
      action: line.action,
      effectiveDate: formatDay(line.day) as DateText,
      recordedAt: dateTimeText(line.recordedAt),
      createdBy: actorView(line.by),
      caseId: line.caseId,
      amount: orNull(amount, line.cents) as Amount | null,
      reason: line.reason,
    }));
}

type Kind = StoredLedgerFact['fact']['type'];

/** Orders that change the status are in the status history already. */
const TYPES: Partial<Record<Kind, ActivityReply['type']>> = {
  payment: 'payment',
  paymentVoided: 'payment',
  paymentMoved: 'payment',
  paymentSettled: 'payment',
  feeCharged: 'fee',
  feeCanceled: 'fee',
  ratesChanged: 'terms',
  scheduleChanged: 'terms',
};

function lineOf({ fact, recordedAt, by, caseId }: StoredLedgerFact): readonly Line[] {
  const type = TYPES[fact.type];
  if (type === undefined) return [];
  return [
    {
      type: fact.type === 'payment' && fact.kind === 'credit' ? 'credit' : type,
      action: fact.type,
      day: fact.effective.day,
      recordedAt,
      by,
      caseId,
      cents: 'amountCents' in fact ? fact.amountCents : null,
      reason: null,
    },
  ];
}
