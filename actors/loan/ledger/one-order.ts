import type { LedgerFact, LineFact } from '../../../engine/index.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { LoanFactType } from '../facts.js';
import type { LoanState } from '../state.js';

/*
 * One order may give the ledger several facts: an amount that changes is taken out and counted anew, rates of a line are those
 * of each draw. What they bring together is told once: all but the last of them say that another one follows.
 */

/** Facts whose `change`, where they have one, the ledger takes in. */
const MOVING: ReadonlySet<string> = new Set<LoanFactType>([
  'LedgerChanged',
  'FeeCharged',
  'FeeCanceled',
  'RatesSet',
  'DrawRatesSet',
  'IndexTaken',
  'PurchasePosted',
  'PurchaseUnposted',
  'DrawActivated',
  'DrawClosed',
  'DrawCanceled',
  'CreditLimitChanged',
  'ScheduleModified',
  'PaymentPlanCreated',
  'PaymentPlanCanceled',
]);

type Change = { readonly type: LedgerFact['type'] | LineFact['type'] };

/** Each of these changes a status by itself and tells of it, also beside another one: a frozen loan is unfrozen and charged off. */
const TOLD_ALONE: ReadonlySet<Change['type']> = new Set<Change['type']>([
  'freeze',
  'unfreeze',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'cancel',
]);

const changeOf = ({ type, body }: FactDraft): Change | null =>
  MOVING.has(type) ? (body as { readonly change: Change | null }).change : null;

/** The facts of an order, so that the ledger's net differences are told with the last one that moves it. */
export function inOneOrder(drafts: readonly FactDraft[]): readonly FactDraft[] {
  let last = -1;
  let moving = 0;
  for (let at = 0; at < drafts.length; at += 1) {
    const draft = drafts[at];
    const change = draft === undefined ? null : changeOf(draft);
    if (change === null) continue;
    if (TOLD_ALONE.has(change.type)) return drafts;
    moving += 1;
    last = at;
  }
  if (moving < 2) return drafts;
  return drafts.map((draft, at) =>
    at < last && changeOf(draft) !== null ? { ...draft, body: { ...(draft.body as object), isFollowed: true } } : draft,
  );
}

/** Whether another fact of the same order moves the ledger, too. */
export const isFollowed = (body: unknown): boolean => typeof body === 'object' && body !== null && 'isFollowed' in body;

/** A decision whose facts are one order. */
export function asOneOrder(decision: Decision<LoanState>): Decision<LoanState> {
  const facts = inOneOrder(decision.facts);
  return facts === decision.facts ? decision : { ...decision, facts };
}
