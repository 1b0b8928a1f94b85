import type { CancelReason } from '../../borrower/index.js';
import { barToCollecting, type CollectingBar, dayAt, type Day, parseDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import {
  endPlan,
  isPaidToBorrower,
  isInternalMoney,
  livePlan,
  type LoanState,
  moveDraft,
  recordOf,
  type UsedInstrument,
} from '../../loan/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type CaseOfLoans, isAboutLoan, loansOf } from './loans-meant.js';
import { isClosed } from './machine.js';
import type { CaseState } from './state.js';

/*
 * What the service would collect by itself ends when it learns of a bankruptcy or a death (11 USC 362): autopay and what
 * is scheduled on the accounts that the case protects. It ends with the case in one batch, so that no payment comes between. What a
 * borrower agrees to afterwards is their own will, and stays.
 */

/** `before` is null of a new case. What it stopped before stays stopped, and what was agreed on since goes on. */
export function collectingStopped(env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] {
  if (!MAY_STOP.has(after.caseType)) return [];
  return loansOf(env, after.personId).flatMap((loan) =>
    stoppedOf(
      loan,
      (payerId) => {
        const bar = barOf(env, after, loan.id, payerId);
        return before !== null && barOf(env, before, loan.id, payerId) !== null ? null : bar;
      },
      after,
    ),
  );
}

const MAY_STOP: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased']);

/** Why payments are canceled, by what bars them. */
const CANCEL_REASONS: Readonly<Record<CollectingBar, CancelReason>> = { bankruptcy: 'bankruptcy', deceased: 'borrowerDeceased' };

function stoppedOf(
  loan: LoanState,
  barOfPayer: (payerId: string) => CollectingBar | null,
  { id: caseId, personId, fields }: CaseOfLoans,
): readonly FactDraft[] {
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
    if (!isInternalMoney(record) || isPaidToBorrower(record) || record.autopayPlanId !== null) return [];
    const bar = barOfOrder(record.instrument, dayAt(zone, record.timestamps.createdAt));
    return bar === null ? [] : [moveDraft(record, 'cancel', { cancelReason: CANCEL_REASONS[bar] }, caseId)];
  });
  return [...ended, ...canceled].map((draft) => ({ ...draft, target: { kind: 'loan', id: loan.id } }));
}

/** What bars collecting a loan from somebody's account; null while nothing does. */
function barOf(env: DecideEnv, known: CaseOfLoans, loanId: string, payerId: string): CollectingBar | null {
  const { personId, status } = known;
  if (status === 'deleted' || !isAboutLoan(env, known, loanId)) return null;
  const standing = { ...known, isOpen: !isClosed(status), isOfAnother: payerId !== personId };
  return barToCollecting(standing, env.today(zoneOf(companyOf(env, env.tenant))));
}
