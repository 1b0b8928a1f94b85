import { type LedgerFact, type LineFact, fieldsOf, type LineLedgerEvent, must } from '../../../engine/index.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { LoanFacts, LoanFactType } from '../facts.js';
import type { LoanState } from '../state.js';
import { type StatusesBefore, followLedgerMove } from './follow-move.js';
import type { Why, Applying } from '../applying.js';
import type { Moved } from './moving.js';
import { type AnyLedgerFact, ledgerInMemory, movedSince, type RunningLedger, summarize } from './running.js';
import { activationOf } from '../context.js';

/*
 * One order may give the ledger several facts: a changed amount voids the payment and reinstates it with the new amount, new rates of a
 * line change those of each draw. Their net differences are published once:
 *
 *   the policy "one order"      ->  `asOneOrder` marks all of these facts but the last: `isFollowed`
 *   a marked fact that replays  ->  `followMoveOfOrder` only updates the summary, and keeps the ledger from before it: `pendingMove`
 *   the last fact               ->  `followMoveOfOrder` emits what has changed since then
 */

/** Facts that may carry a `change` of the ledger. */
const MOVING = [
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
] as const satisfies readonly LoanFactType[];

type Moving = (typeof MOVING)[number];

const movingTypes: ReadonlySet<string> = new Set(MOVING);

/** Whether the body of a draft names the change that it makes to the ledger, if it makes one. */
export const isMoving = (draft: FactDraft): draft is FactDraft<LoanFacts[Moving]> => movingTypes.has(draft.type);

type Change = { readonly type: LedgerFact['type'] | LineFact['type'] };

/** Changes of a status are published one by one, also within one order: a frozen loan is unfrozen, then charged off. */
const EMITTED_ALONE: ReadonlySet<Change['type']> = new Set<Change['type']>([
  'freeze',
  'unfreeze',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'cancel',
]);

const changeOf = (draft: FactDraft): Change | null => (isMoving(draft) ? draft.body.change : null);

/** Marks the facts of an order, so that the ledger's net differences are published with the last fact that moves it. */
export function inOneOrder(drafts: readonly FactDraft[]): readonly FactDraft[] {
  let last = -1;
  let moving = 0;
  for (let at = 0; at < drafts.length; at += 1) {
    const draft = drafts[at];
    const change = draft === undefined ? null : changeOf(draft);
    if (change === null) continue;
    if (EMITTED_ALONE.has(change.type)) return drafts;
    moving += 1;
    last = at;
  }
  if (moving < 2) return drafts;
  return drafts.map((draft, at) =>
    at < last && changeOf(draft) !== null ? { ...draft, body: { ...fieldsOf(draft.body), isFollowed: true } } : draft,
  );
}

/** Whether another fact of the same order that moves the ledger follows. */
const isFollowed = (body: unknown): boolean => typeof body === 'object' && body !== null && 'isFollowed' in body;

/** A decision whose facts are one order. */
export function asOneOrder(decision: Decision<LoanState>): Decision<LoanState> {
  const facts = inOneOrder(decision.facts);
  return facts === decision.facts ? decision : { ...decision, facts };
}

interface Move {
  /** The ledger before the move; a replay does not change it. */
  readonly ledger: RunningLedger;
  readonly before: StatusesBefore;
  readonly moved: Moved;
  readonly ledgerFact: AnyLedgerFact;
}

/**
 * Follows a move of the ledger (`followLedgerMove`): at once if its fact is alone. If a fact of an order has caused a replay, the last
 * fact of the order follows for all.
 */
export function followMoveOfOrder(applying: Applying, { ledger, before, moved, ledgerFact }: Move, why: Why): void {
  const { state, fact, env } = applying;
  const { pendingMove } = state;
  if (isFollowed(fact.body) && (pendingMove !== null || moved.isReplay)) {
    state.pendingMove =
      pendingMove === null ? { ledger, before, passed: [] } : { ...pendingMove, passed: [...pendingMove.passed, ...passedIn(moved)] };
    must(activationOf(state), `${state.id} has no ledger`).summary = summarize(ledgerInMemory(state));
    return;
  }
  if (pendingMove === null) {
    followLedgerMove(applying, before, moved, why);
    return;
  }
  state.pendingMove = null;
  const { ledgerEvents } = movedSince(state, env, pendingMove.ledger, ledgerFact);
  followLedgerMove(
    applying,
    pendingMove.before,
    { ledgerEvents: [...pendingMove.passed, ...passedIn(moved), ...ledgerEvents], isReplay: true },
    why,
  );
}

/** Ledger events that a comparison of two ledgers does not show. */
const PASSING: ReadonlySet<LineLedgerEvent['type']> = new Set<LineLedgerEvent['type']>([
  'periodStarted',
  'interestCapitalized',
  'feeCapitalized',
  'minimumInterestCharged',
  'drawFeeBooked',
]);

const passedIn = ({ ledgerEvents }: Moved): readonly LineLedgerEvent[] => ledgerEvents.filter(({ type }) => PASSING.has(type));
