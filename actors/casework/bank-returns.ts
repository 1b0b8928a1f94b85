import { barToCollecting, formatDay } from '../../engine/index.js';
import type { PersonFacts, PersonState } from '../borrower/index.js';
import { companyOf, zoneOf } from '../company/index.js';
import { ALL_ROWS, type CommandContext, type DecideEnv } from '../kernel/actor.js';
import { bodiesOf, type FactDraft, factTest } from '../kernel/fact.js';
import { type LoanFacts, type LoanState, recordOf } from '../loan/index.js';
import { isClosed, openedBySystem, servicedLoans } from './cases/index.js';
import type { CaseState } from './cases/state.js';

/*
 * A bank that sends an entry back because the holder or the beneficiary of the account is deceased (R14, R15) reports a death that nobody
 * has verified: the borrower may be alive, and the account another person's. The case that opens for verification restricts communications
 * and ends automatic payments at once, and is not reported to credit agencies before somebody works on it.
 */

/** Facts with which a payment of a loan fails. */
export const PAYMENT_FAILURES = ['TransactionMoved', 'TransactionCreated'];

/** A death of the main borrower that a failed payment reports. The cases of other payers are on other shards: their lender opens them. */
export const deathOfPayer = (
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  facts: readonly FactDraft[],
): readonly FactDraft[] =>
  failedOf(state, facts).some(({ failureReason, payerId }) => failureReason === 'deceased' && payerId === recordOf(state).personId)
    ? toBeVerified(env, recordOf(state).personId, state.id, facts)
    : [];

/** The same where a closed day fails the payment. `state` is the loan after it. */
export const dailyDeathOfPayer = (state: LoanState, fact: FactDraft, env: DecideEnv): readonly FactDraft[] =>
  deathOfPayer({ state, env }, [fact]);

/** A death that the return of a prenote reports. */
export const deathOfHolder = ({ state, env }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bodiesOf<PersonFacts, 'InstrumentDeactivated'>(facts, 'InstrumentDeactivated').some(({ failureReason }) => failureReason === 'deceased')
    ? toBeVerified(env, state.id, null, facts)
    : [];

interface Failed {
  readonly failureReason: unknown;
  /** A payment without an account of a person is the main borrower's. */
  readonly payerId: string;
}

function failedOf(state: LoanState, facts: readonly FactDraft[]): readonly Failed[] {
  const main = recordOf(state).personId;
  const moved = bodiesOf<LoanFacts, 'TransactionMoved'>(facts, 'TransactionMoved')
    .filter(({ move }) => move === 'fail')
    .map(({ transactionId, changes }) => ({
      failureReason: changes.failureReason,
      payerId: state.transactions.get(transactionId)?.instrument?.personId ?? main,
    }));
  const created = bodiesOf<LoanFacts, 'TransactionCreated'>(facts, 'TransactionCreated')
    .filter(({ move }) => move === 'fail')
    .map(({ transaction: { failureReason, instrument } }) => ({ failureReason, payerId: instrument?.personId ?? main }));
  return [...moved, ...created];
}

/** Opens the case, unless another one reports the death already. `loanId` is the loan that the facts are recorded on. */
function toBeVerified(env: DecideEnv, personId: string, loanId: string | null, facts: readonly FactDraft[]): readonly FactDraft[] {
  const today = env.today(zoneOf(companyOf(env, env.tenant)));
  const { rows } = env.list('case', { parentId: personId, matches: ({ parentId }) => parentId === personId, limit: ALL_ROWS });
  const isReported = ({ status, ...known }: CaseState): boolean =>
    status !== 'deleted' && barToCollecting({ ...known, status, isOpen: !isClosed(status), isOfAnother: false }, today) === 'deceased';
  if (rows.some(({ id }) => [env.read<CaseState>('case', id)].some((known) => known !== undefined && isReported(known)))) return [];
  const request = {
    caseType: 'deceased',
    deceasedNoticeReceivedDate: formatDay(today),
    reportedBy: 'bank',
    description: 'A bank has returned an entry because the holder or the beneficiary of the account is deceased. Verify the death.',
  } as const;
  const loanIds = [...new Set([...servicedLoans(env, personId), ...(loanId === null ? [] : [loanId])])];
  const ended = new Set(facts.map(endedBy).filter((id) => id !== null));
  return openedBySystem(env, personId, request, { loanIds })
    .facts.filter((draft) => !ended.has(endedBy(draft) ?? ''))
    .map(({ target, ...draft }) => (target === undefined || target.id === loanId ? draft : { ...draft, target }));
}

/** The payment or plan that a fact moves or ends: what the command does to it goes before what the case would. */
function endedBy(draft: FactDraft): string | null {
  if (isFact(draft, 'TransactionMoved')) return draft.body.transactionId;
  return isFact(draft, 'AutopayEnded') ? draft.body.planId : null;
}

const isFact = factTest<LoanFacts>();
