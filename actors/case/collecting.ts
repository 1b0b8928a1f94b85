import { barToCollecting, type CollectingBar, dayAt, type Day, parseDay } from '../../engine/index.js';
import { companyOf, zoneOf } from '../company/index.js';
import { endPlan } from '../loan/autopay/ending.js';
import { livePlan } from '../loan/autopay/plan.js';
import { recordOf } from '../loan/context.js';
import type { LoanState } from '../loan/index.js';
import { moveDraft } from '../loan/transactions/moves.js';
import type { CancelReason } from '../loan/transactions/reasons.js';
import { goesBack, isInternalMoney, type UsedInstrument } from '../loan/transactions/record.js';
import type { DecideEnv } from '../runtime/actor.js';
import type { FactDraft } from '../runtime/fact.js';
import { resolveId } from './context.js';
import { isClosed } from './machine.js';
import type { CaseState } from './state.js';

/*
 * What the service would collect by itself ends when it learns of a bankruptcy or a death (11 USC 362; money 2 and 6): autopay and what
 * is scheduled on the accounts that the case protects. It ends with the case in one batch, so that no payment comes between. What a
 * borrower agrees to afterwards is their own will, and stays.
 */

/** What of a case decides whether anything may be collected. */
export interface CollectingCase extends Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields'> {
  /** Loans that it is associated with; none: all of the borrower's. */
  readonly loanIds: readonly string[];
}

export const collectingCaseOf = (state: CaseState): CollectingCase => ({ ...state, loanIds: state.associations.map(({ objectId }) => objectId) });

/** `before` is null of a new case. What it stopped before stays stopped, and what was agreed on since goes on. */
export function collectingStopped(env: DecideEnv, before: CollectingCase | null, after: CollectingCase): readonly FactDraft[] {
  if (!MAY_STOP.has(after.caseType)) return [];
  return loansOf(env, after.personId).flatMap((loan) => stoppedOf(loan, (payerId) => {
    const bar = barOf(env, after, loan.id, payerId);
    return before !== null && barOf(env, before, loan.id, payerId) !== null ? null : bar;
  }, after));
}

const MAY_STOP: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased']);

/** Why payments are canceled, by what bars them. */
const CANCEL_REASONS: Readonly<Record<CollectingBar, CancelReason>> = { bankruptcy: 'bankruptcy', deceased: 'borrowerDeceased' };

/** Loans of which the borrower is the main one: they lie on the shard of the case. */
function loansOf(env: DecideEnv, personId: string): readonly LoanState[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => env.read<LoanState>('loan', id) ?? []);
}

function stoppedOf(loan: LoanState, barOfPayer: (payerId: string) => CollectingBar | null, { id: caseId, personId, fields }: CollectingCase): readonly FactDraft[] {
  const { zone } = recordOf(loan);
  const filedOn = typeof fields['courtCaseFiledDate'] === 'string' ? parseDay(fields['courtCaseFiledDate']) : undefined;
  const barOfOrder = (instrument: UsedInstrument | null, agreedOn: Day): CollectingBar | null => {
    const bar = barOfPayer(instrument?.personId ?? personId);
    return bar === 'bankruptcy' && filedOn !== undefined && agreedOn > filedOn ? null : bar;
  };
  const plan = livePlan(loan);
  const planBar = plan && barOfOrder(plan.instrument, plan.startDay);
  const ended = plan && planBar ? endPlan(loan, plan, { move: 'cancel', cancelReason: planBar, caseId }) : [];
  const canceled = loan.transactions.scheduled().flatMap((record) => {
    if (!isInternalMoney(record) || goesBack(record) || record.autopayPlanId !== null) return [];
    const bar = barOfOrder(record.instrument, dayAt(zone, record.timestamps.createdAt));
    return bar === null ? [] : [moveDraft(record, 'cancel', { cancelReason: CANCEL_REASONS[bar] }, caseId)];
  });
  return [...ended, ...canceled].map((draft) => ({ ...draft, target: { kind: 'loan', id: loan.id } }));
}

/** What bars collecting a loan from somebody's account; null while nothing does. */
function barOf(env: DecideEnv, known: CollectingCase, loanId: string, payerId: string): CollectingBar | null {
  const { personId, status } = known;
  const loanIds = loansMeant(env, known);
  if (status === 'deleted' || (loanIds.length > 0 && !loanIds.includes(loanId))) return null;
  const standing = { ...known, isOpen: !isClosed(status), isOfAnother: payerId !== personId };
  return barToCollecting(standing, env.today(zoneOf(companyOf(env, env.tenant))));
}

/** The loans that a petition names come before those that the case is listed with; a name that nobody has may be any. */
function loansMeant(env: DecideEnv, { fields, loanIds }: CollectingCase): readonly string[] {
  const included = fields['loansIncluded'];
  if (!Array.isArray(included) || included.length === 0) return loanIds;
  const found = included.map((anyId) => resolveId(env, env.tenant, 'loan', String(anyId)));
  return found.every((id) => id !== undefined) ? found : [];
}
