import { barToCollecting, type CollectingBar, type Day, dayAt, must, parseDay } from '../../../engine/index.js';
import type { CancelReason } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import { ALL_ROWS, type DecideEnv, type EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { resolveId } from '../../kernel/ids.js';
import {
  activationOf,
  type AgreedPayment,
  endPlan,
  hasLeft,
  isInternalMoney,
  isPaidToBorrower,
  livePlan,
  type LoanState,
  moveDraft,
  type PaymentBar,
  recordOf,
  runningOf,
  statusOf,
  thresholdDraft,
  type UsedInstrument,
} from '../../loan/index.js';
import { isActive, isClosed } from './machine.js';
import type { CaseState } from './state.js';

/**
 * The facts of a case for the loans of its borrower, in the batch that opens or changes it: collecting stops, and thresholds of days
 * overdue are held or released. `before` is null for a new case.
 */
export const factsForLoans = (env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] => [
  ...collectingStopped(env, before, after),
  ...thresholdsFollow(env, after),
];

/** The fields of a case that determine its effects on loans. */
export interface CaseOfLoans extends Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields'> {
  /** Loans of the case; empty: all loans of the borrower. */
  readonly loanIds: readonly string[];
}

export const caseOfLoans = (state: CaseState): CaseOfLoans => ({ ...state, loanIds: state.associations.map(({ objectId }) => objectId) });

/** Loans of which the borrower is the main borrower: they are on the shard of the case. */
function loansOf(env: DecideEnv, personId: string): readonly LoanState[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: ALL_ROWS });
  return rows.flatMap(({ id }) => env.read<LoanState>('loan', id) ?? []);
}

type NamingEnv = EvolveEnv & Pick<DecideEnv, 'tenant'>;

/**
 * The loans that a petition names take precedence over those of the case: null if it names none; empty, that is any loan, if one of the
 * ids names no loan of the borrower. Earlier releases stored ids as they were sent.
 */
export function loansOfPetition(
  env: Pick<EvolveEnv, 'read'>,
  { personId, fields }: Pick<CaseOfLoans, 'personId' | 'fields'>,
  idOf: (anyId: string) => string | undefined,
): readonly string[] | null {
  const included = fields['loansIncluded'];
  if (!Array.isArray(included) || included.length === 0) return null;
  const found = included.flatMap((anyId) => idOf(String(anyId)) ?? []).filter((id) => isOnLoan(env, personId, id));
  return found.length === included.length ? found : [];
}

/** Whether the case is about a loan of its borrower. */
export function isAboutLoan(env: NamingEnv, known: CaseOfLoans, loanId: string): boolean {
  const loanIds = loansMeant(env, known);
  return loanIds.length === 0 || loanIds.includes(loanId);
}

const loansMeant = (env: NamingEnv, known: CaseOfLoans): readonly string[] =>
  loansOfPetition(env, known, (anyId) => resolveId(env, env.tenant, 'loan', anyId)) ?? known.loanIds;

/*
 * Automatic collection ends when the service learns of a bankruptcy or a death (11 USC 362): autopay and scheduled payments on
 * the accounts that the case protects. It ends in the batch that opens or changes the case, so that no payment comes between. Payments
 * that a borrower agrees to afterwards are voluntary and stay.
 */

/** `before` is null for a new case. Only loans that the change newly protects are affected; later agreements stay. */
function collectingStopped(env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] {
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

/** The cancel reason of payments, by what bars the collection. */
const CANCEL_REASONS: Readonly<Record<CollectingBar, CancelReason>> = { bankruptcy: 'bankruptcy', deceased: 'borrowerDeceased' };

/** Those who owe a loan together: the petition of one protects the others, too. A guarantor owes what the borrower does not pay. */
const OWING_TOGETHER: ReadonlySet<string> = new Set(['coBorrower', 'coSigner']);

/**
 * The case of an additional person on the loan that bars a payment. It is asked on the morning of the payment: the person may be on
 * another shard, and so no batch of the case can end the payment. Who has agreed after the petition, or after the case was opened, pays.
 */
export function paymentBar(env: DecideEnv, loan: LoanState, { payerId, agreedAt }: AgreedPayment, day: Day): PaymentBar | null {
  const { zone, additionalPeople } = recordOf(loan);
  for (const person of additionalPeople) {
    const { personId, loanRelationType } = person;
    if (hasLeft(person, day) || (personId !== payerId && !OWING_TOGETHER.has(loanRelationType))) continue;
    for (const state of env.readBelow<CaseState>('case', personId)) {
      if (!MAY_STOP.has(state.caseType) || agreedAt > state.createdAt) continue;
      const bar = barOfAgreed(barOf(env, caseOfLoans(state), loan.id, payerId), state, dayAt(zone, agreedAt));
      if (bar !== null) return { caseId: state.id, bar, cancelReason: CANCEL_REASONS[bar] };
    }
  }
  return null;
}

/** What is agreed after the petition is voluntary. */
function barOfAgreed(bar: CollectingBar | null, { fields }: Pick<CaseState, 'fields'>, agreedOn: Day): CollectingBar | null {
  const filedOn = typeof fields['courtCaseFiledDate'] === 'string' ? parseDay(fields['courtCaseFiledDate']) : undefined;
  return bar === 'bankruptcy' && filedOn !== undefined && agreedOn > filedOn ? null : bar;
}

function stoppedOf(loan: LoanState, barOfPayer: (payerId: string) => CollectingBar | null, known: CaseOfLoans): readonly FactDraft[] {
  const { id: caseId, personId } = known;
  const { zone } = recordOf(loan);
  const barOfOrder = (instrument: UsedInstrument | null, agreedOn: Day): CollectingBar | null =>
    barOfAgreed(barOfPayer(instrument?.personId ?? personId), known, agreedOn);
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

/** What bars collecting a loan from a payer's account; null if nothing does. */
function barOf(env: DecideEnv, known: CaseOfLoans, loanId: string, payerId: string): CollectingBar | null {
  const { personId, status } = known;
  if (status === 'deleted' || !isAboutLoan(env, known, loanId)) return null;
  const screened = { ...known, isOpen: !isClosed(status), isOfAnother: payerId !== personId };
  return barToCollecting(screened, env.today(zoneOf(companyOf(env, env.tenant))));
}

/** Case types that hold the thresholds of days overdue (acceleration and charge-off). A claim of fraud is a case of identity theft. */
const HOLDING: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased', 'militaryDuty', 'identityTheft']);

/** The facts by which holds on loans begin and end with the case in its new state. Loans whose hold does not change get none. */
function thresholdsFollow(env: DecideEnv, known: CaseOfLoans): readonly FactDraft[] {
  if (!HOLDING.has(known.caseType)) return [];
  return loansOf(env, known.personId).flatMap((loan) => {
    if (activationOf(loan) === null || statusOf(loan) === 'canceled') return [];
    const isHeld = runningOf(loan, env).thresholdHolders.includes(known.id);
    const holds = isHolding(env, known, loan.id);
    return holds === isHeld
      ? []
      : [
          {
            ...thresholdDraft(env, loan, holds ? 'thresholdsHeld' : 'thresholdsReleased', known.id),
            target: { kind: 'loan', id: loan.id },
          },
        ];
  });
}

/** Ids of the open cases that hold a loan. */
export function casesHolding(env: DecideEnv, loan: LoanState): readonly string[] {
  const { personId } = recordOf(loan);
  const { rows } = env.list('case', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['isActive'] === true,
    limit: ALL_ROWS,
  });
  const cases = rows.flatMap(({ id }) => env.read<CaseState>('case', id) ?? []).filter(({ caseType }) => HOLDING.has(caseType));
  return cases.filter((known) => isHolding(env, caseOfLoans(known), loan.id)).map(({ id }) => id);
}

const isHolding = (env: DecideEnv, known: CaseOfLoans, loanId: string): boolean =>
  isActive(known.status) && isAboutLoan(env, known, loanId);

/** The given loans of the borrower, as main borrower or co-borrower. */
export function loansNamed(
  env: DecideEnv,
  personId: string,
  anyIds: readonly string[],
  path: (index: number) => string,
): readonly string[] {
  const found = new Set<string>();
  const errors: Fault[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const id = loanOfBorrower(env, personId, anyId);
    if (id !== undefined) found.add(id);
    else errors.push({ path: path(index), expected: 'a loan of the borrower', message: `the borrower has no loan ${anyId}` });
  }
  if (errors.length > 0) refuse('validationError', 'The loans of a case must be loans of its borrower.', { errors });
  return [...found];
}

/** The service id of a loan of the borrower, as main borrower or co-borrower. */
export function loanOfBorrower(env: NamingEnv, personId: string, anyId: string): string | undefined {
  const id = resolveId(env, env.tenant, 'loan', anyId);
  return id !== undefined && isOnLoan(env, personId, id) ? id : undefined;
}

function isOnLoan(env: Pick<EvolveEnv, 'read'>, personId: string, loanId: string): boolean {
  const record = env.read<LoanState>('loan', loanId)?.record;
  if (record == null) return false;
  return record.personId === personId || record.additionalPeople.some((person) => person.personId === personId);
}

export const loanTypeOf = (env: EvolveEnv, loanId: string): string =>
  must(env.read<LoanState>('loan', loanId)?.record, `the loan ${loanId} that was named`).loanTypeId;

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<unknown> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/** The loans of an automatically created case: all serviced loans of the borrower. */
export const servicedLoans = (env: DecideEnv, personId: string): readonly string[] =>
  env
    .list('loan', { parentId: personId, matches: ({ fields }) => SERVICED.has(fields['status']), limit: ALL_ROWS })
    .rows.map(({ id }) => id);
