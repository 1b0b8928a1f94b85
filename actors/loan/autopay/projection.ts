import {
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  type Cents,
  cloneLine,
  cloneState,
  type ComingFee,
  type Day,
  type EffectiveTime,
  type LedgerState,
  type PaymentState,
  projectedRows,
  cents,
  earliest,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { computedWith, isLine, type RunningLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { isCredit, isInternalMoney, type TransactionRecord } from '../transactions/record.js';
import { type Asking, autopayAmount } from './amounts.js';
import { AUTOPAY_SECONDS, type AutopayPlan } from './plan.js';

/** What the plan changes against the loan's present schedule. */
export interface DeltaTerms {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly durationDays: number;
  readonly dueDates: number;
}

/** The cost of the rest of a loan, and the day of its last payment. */
interface RestOfLoan {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly lastDay: Day | null;
}

function deltaOf(ledger: LedgerState, fees: readonly ComingFee[], planned: RestOfLoan): DeltaTerms {
  const present = presentRest(ledger, fees);
  if (present.lastDay === null || planned.lastDay === null) return { interestCents: 0, feesCents: 0, durationDays: 0, dueDates: 0 };
  return {
    interestCents: planned.interestCents - present.interestCents,
    feesCents: planned.feesCents - present.feesCents,
    durationDays: planned.lastDay - present.lastDay,
    dueDates: rowsUntil(ledger, planned.lastDay) - rowsUntil(ledger, present.lastDay),
  };
}

/** If everything were paid when it is due. */
function presentRest(ledger: LedgerState, coming: readonly ComingFee[]): RestOfLoan {
  let interestCents = ledger.dueInterestCents + ledger.overdueInterestCents;
  let feesCents = ledger.dueOriginationFeeCents + ledger.overdueOriginationFeeCents;
  for (const fee of ledger.fees) if (fee.dueStatus !== 'nonDue' && fee.carriedBy !== null) feesCents += fee.openCents;
  let lastDay: Day | null = null;
  for (const row of projectedRows(ledger, coming)) {
    interestCents += row.interestCents;
    feesCents += row.feesCents;
    lastDay = row.date;
  }
  return { interestCents, feesCents, lastDay };
}

/** Rows that it takes to reach a day. */
function rowsUntil({ rows }: LedgerState, day: Day): number {
  const found = rows.findIndex((row) => row.date >= day);
  return found === -1 ? rows.length : found + 1;
}

/** A copy of a loan's ledger, of either product, on which coming days are simulated. */
interface Trial {
  readonly ledger: RunningLedger;
  /** With the fees that are charged until the day: those of the day itself come behind its payments. */
  advance(day: Day): void;
  /** What the payment has paid; undefined if nothing was owed. */
  pay(effective: EffectiveTime, money: Money): PaymentState | undefined;
}

/** Sequences of simulated facts: after all facts of the loan. */
const FIRST_SEQUENCE = 1_000_000_000;

/** What somebody pays; by default a payment that names no draw. */
export interface Money {
  readonly amountCents: number;
  readonly extraCents: number;
  readonly enablePrepayments: boolean | null;
  readonly kind?: 'payment' | 'credit';
  readonly draw?: number | null;
}

/** A payment as the ledger will have it once it has been made. */
const paymentOf = (sequence: number, effective: EffectiveTime, { amountCents, extraCents, enablePrepayments, kind = 'payment' }: Money) =>
  ({
    type: 'payment',
    transaction: sequence,
    kind,
    amountCents: cents(amountCents),
    isPrepaymentEnabled: enablePrepayments,
    isProcessing: false,
    principalOnlyCents: cents(extraCents),
    effective,
    sequence,
    recordedDay: effective.day,
  }) as const;

function trialOf(ledger: RunningLedger, fees: readonly ComingFee[]): Trial {
  let sequence = FIRST_SEQUENCE;
  let toCome = fees;
  /** Fees of the days before a day that were not taken yet, each behind all else of its day. */
  const feesBefore = (day: Day): readonly ComingFee[] => {
    const due = toCome.filter(({ effective }) => effective.day < day);
    toCome = toCome.slice(due.length);
    return due.map((fee) => ({ ...fee, effective: { day: fee.effective.day, seconds: END_OF_DAY_SECONDS } }));
  };
  const paymentFact = (effective: EffectiveTime, money: Money) => {
    sequence += 1;
    return paymentOf(sequence, effective, money);
  };
  if (isLine(ledger)) {
    const copy = cloneLine(ledger);
    return {
      ledger: copy,
      advance(day) {
        for (const fee of feesBefore(day)) if (isCharging(copy)) applyLineFact(copy, fee);
        advanceLine(copy, day);
      },
      pay(effective, money) {
        applyLineFact(copy, { ...paymentFact(effective, money), draw: money.draw ?? null, holdUntil: null });
        return copy.payments.at(-1);
      },
    };
  }
  const copy = cloneState(ledger);
  return {
    ledger: copy,
    advance(day) {
      for (const fee of feesBefore(day)) if (isCharging(copy)) applyFact(copy, fee);
      advanceTo(copy, day);
    },
    pay(effective, money) {
      applyFact(copy, paymentFact(effective, money));
      return copy.payments.at(-1);
    },
  };
}

/** A payoff cancels fees that are scheduled. */
const isCharging = ({ status }: RunningLedger): boolean => status === 'active';

/** Above the sequences of simulated payments. */
const WAITING_SEQUENCE = 2_000_000_000;

/** Whether a payment in a ledger is one that only waits for its business day. */
const isWaiting = (transaction: number): boolean => transaction > WAITING_SEQUENCE;

/**
 * The ledger with the payments that wait for a business day. They will count from their own day, so the plan must not ask for them again.
 */
export function withWaiting(state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: RunningLedger): RunningLedger {
  const waiting = waitingOf(state, plan, ledger.day);
  if (waiting.length === 0) return ledger;
  const facts = waiting.map((record, position) => {
    const { effective, draw } = record;
    const fact = paymentOf(WAITING_SEQUENCE + 1 + position, { ...effective, day: earliest(effective.day, ledger.day) }, moneyOf(record));
    return isLine(ledger) ? { ...fact, draw, holdUntil: null } : fact;
  });
  return computedWith(state, env, ledger.day, facts);
}

/** Waiting payments: those of the plan, and others that were scheduled for a day that has come. */
const waitingOf = ({ transactions }: LoanState, plan: AutopayPlan, day: Day): readonly TransactionRecord[] =>
  transactions.scheduled().filter((record) => isInternalMoney(record) && (record.autopayPlanId === plan.id || record.scheduledDay <= day));

export const moneyOf = (record: TransactionRecord): Money => ({
  amountCents: record.scheduledCents,
  extraCents: record.principalOnlyCents ?? 0,
  enablePrepayments: record.enablePrepayments,
  kind: isCredit(record) ? 'credit' : 'payment',
  draw: record.draw,
});

/** A payment that is scheduled, but not by the plan. */
export interface Beside {
  readonly scheduledDay: Day;
  readonly effectiveDay: Day;
  readonly money: Money;
}

/** Scheduled payments and credits after a day that are not the plan's, by day. */
export const besideOf = ({ transactions }: LoanState, plan: AutopayPlan, after: Day): readonly Beside[] =>
  transactions
    .scheduled()
    .filter((record) => (isCredit(record) || isInternalMoney(record)) && record.autopayPlanId !== plan.id && record.scheduledDay > after)
    .map((record): Beside => ({ scheduledDay: record.scheduledDay, effectiveDay: record.effective.day, money: moneyOf(record) }))
    .sort((a, b) => a.scheduledDay - b.scheduledDay);

/** A coming payment as it will be if nothing else happens to the loan. */
export interface ExpectedPayment {
  readonly ordinal: number;
  readonly day: Day;
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

export interface Projection {
  readonly payments: readonly ExpectedPayment[];
  /** Null of a line of credit: it has no schedule to compare with. */
  readonly delta: DeltaTerms | null;
}

/** The loan's ledger, the same ledger with payments that wait for a business day, and scheduled payments that are not the plan's. */
export interface PlanLedgers {
  readonly present: RunningLedger;
  readonly begun: RunningLedger;
  readonly beside: readonly Beside[];
  /** Fees that are scheduled for coming days. */
  readonly fees: readonly ComingFee[];
}

/**
 * Simulates the plan on a copy of the ledger. Each payment is computed as on the morning of its day, so that the amounts shown are those
 * that will be paid.
 */
export function projectPlan({ present, begun, beside, fees }: PlanLedgers, plan: Asking): Projection {
  const trial = trialOf(begun, fees);
  const payments: ExpectedPayment[] = [];
  const rest = { interestCents: 0, feesCents: 0, lastDay: null as Day | null };
  const count = (paid: PaymentState | undefined): void => {
    rest.interestCents += paid?.interestCents ?? 0;
    rest.feesCents += paid?.feesCents ?? 0;
  };
  for (const paid of begun.payments) if (isWaiting(paid.transaction)) count(paid);
  let toCome = beside;
  for (const [at, { ordinal, day }] of plan.coming.entries()) {
    for (const planned of toCome) if (planned.scheduledDay <= day) count(payBeside(trial, planned, day));
    toCome = toCome.filter((planned) => planned.scheduledDay > day);
    if (trial.ledger.status !== 'active') break;
    trial.advance(day);
    const money = autopayAmount(trial.ledger, day, { ...plan, coming: plan.coming.slice(at) });
    if (money.amountCents === 0) continue;
    const paid = trial.pay({ day, seconds: AUTOPAY_SECONDS + at }, money);
    count(paid);
    rest.lastDay = day;
    payments.push({
      ordinal,
      day,
      amountCents: money.amountCents,
      principalCents: cents(paid?.principalCents ?? 0),
      interestCents: cents(paid?.interestCents ?? 0),
      feesCents: cents(paid?.feesCents ?? 0),
    });
  }
  return { payments, delta: isLine(present) ? null : deltaOf(present, fees, rest) };
}

const END_OF_DAY_SECONDS = 86_340;

/** On a day of the plan it comes before the plan's own payment, as in the work of that morning. */
function payBeside(trial: Trial, { effectiveDay, money }: Beside, before: Day): PaymentState | undefined {
  if (trial.ledger.status !== 'active') return undefined;
  const day = effectiveDay > trial.ledger.day ? effectiveDay : trial.ledger.day;
  trial.advance(day);
  return trial.pay({ day, seconds: day === before ? AUTOPAY_SECONDS - 1 : END_OF_DAY_SECONDS }, money);
}

/** Facts of payments that are to come, to compute the ledger with them. */
export const paymentsToCome = (ledger: RunningLedger, payments: readonly (Pick<ExpectedPayment, 'day'> & { readonly money: Money })[]) =>
  payments.map(({ day, money }, position) => {
    const fact = paymentOf(FIRST_SEQUENCE + position, { day, seconds: AUTOPAY_SECONDS }, money);
    return isLine(ledger) ? { ...fact, draw: money.draw ?? null, holdUntil: null } : fact;
  });
