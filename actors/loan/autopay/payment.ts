import { type Cents, type Day, isBusinessDay, lineOwedCents, must, type ObligationState, ZERO } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf, statusOf } from '../context.js';
import { isLine, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { findInstrument } from '../transactions/instruments.js';
import { countDraft, nextPaymentNumber, type Recording } from '../transactions/ledger-facts.js';
import { beginning, settlementTermsOn } from '../transactions/moves.js';
import { someDetails } from '../transactions/details.js';
import type { NewTransaction, TransactionCreated } from '../transactions/evolve.js';
import type { TransactionRecord } from '../transactions/record.js';
import type { AutopayAmount } from './amounts.js';
import { comingPayments } from './dates.js';
import { autopayPaymentId } from './events.js';
import type { AutopayDayWorked, AutopayRetried } from './facts.js';
import { AUTOPAY_SECONDS, type AutopayPlan, type Retry } from './plan.js';
import { amountOn } from './terms-of-day.js';
import { withWaiting } from './waiting.js';

/** Whether the plan's account or card can be charged. */
export const isChargeable = (env: DecideEnv, { instrument }: AutopayPlan): boolean =>
  findInstrument(env, [instrument.personId], instrument.id)?.instrument.status === 'active';

/** The payment of a day that the plan names; what its amount is, is decided now. */
export function payOn(state: LoanState, env: DecideEnv, plan: AutopayPlan, day: Day): readonly FactDraft[] {
  const ordinals = comingPayments(plan)
    .filter((payment) => payment.day === day)
    .map(({ ordinal }) => ordinal);
  const money = amountOn(state, env, plan, day);
  const { amountCents } = money;
  if (amountCents === 0) return [worked({ planId: plan.id, day, ordinals, amountCents, transactionId: null })];
  const paid = newPayment(state, env, plan, { day, money, ordinals, retry: null });
  return [worked({ planId: plan.id, day, ordinals, amountCents, transactionId: paid.id }), ...paid.facts];
}

const worked = (body: AutopayDayWorked): FactDraft => ({ type: 'AutopayDayWorked', body });

/** A failed payment once more: as much as it was, and not more than what is due by now and no other payment waits to pay. */
export function presentAgain(state: LoanState, env: DecideEnv, plan: AutopayPlan, retry: Retry, day: Day): readonly FactDraft[] {
  const original = must(state.transactions.get(retry.transactionId), `${state.id} knows no transaction ${retry.transactionId}`);
  const amountCents = stillAsked(withWaiting(state, env, plan, runningOf(state, env)), plan, original);
  if (amountCents === 0) return [retried({ planId: plan.id, originalId: retry.transactionId, transactionId: null })];
  const money: AutopayAmount = {
    amountCents,
    extraCents: 0 as Cents,
    enablePrepayments: original.enablePrepayments === true ? true : null,
  };
  const ordinals = plan.payments.filter(({ transactionIds }) => transactionIds.includes(retry.transactionId)).map(({ ordinal }) => ordinal);
  const paid = newPayment(state, env, plan, { day, money, ordinals, retry });
  return [retried({ planId: plan.id, originalId: retry.transactionId, transactionId: paid.id }), ...paid.facts];
}

const retried = (body: AutopayRetried): FactDraft => ({ type: 'AutopayRetried', body });

/** What of a failed payment is due by now; of a line whose plan pays more than the minimum also what nobody has paid since. */
function stillAsked(ledger: RunningLedger, { amountType }: AutopayPlan, { scheduledCents, effective }: TransactionRecord): Cents {
  if (ledger.status !== 'active') return ZERO;
  const obligations: readonly ObligationState[] = ledger.obligations;
  const dueCents = obligations.reduce((so, { isFulfilled, remainingCents }) => (isFulfilled ? so : so + remainingCents), 0);
  if (!isLine(ledger) || amountType === 'minimumDueAmount') return Math.min(scheduledCents, dueCents) as Cents;
  const since = ledger.payments.filter(({ day, seconds }) => day > effective.day || (day === effective.day && seconds > effective.seconds));
  const unpaidCents = since.reduce((left, { amountCents }) => left - amountCents, scheduledCents as number);
  return Math.min(scheduledCents, lineOwedCents(ledger), Math.max(dueCents, unpaidCents)) as Cents;
}

interface Asked {
  readonly day: Day;
  readonly money: AutopayAmount;
  readonly ordinals: readonly number[];
  readonly retry: Retry | null;
}

/** On a business day the money goes out at once; else it waits for the next one and counts from its day. */
function newPayment(
  state: LoanState,
  env: DecideEnv,
  plan: AutopayPlan,
  asked: Asked,
): { readonly id: string; readonly facts: readonly FactDraft[] } {
  const { day, money, ordinals, retry } = asked;
  const { amountCents, extraCents, enablePrepayments } = money;
  const effective = { day, seconds: AUTOPAY_SECONDS };
  const product = settlementTermsOn(state, env, day);
  const move = isBusinessDay(day, product.businessDays) ? 'initiate' : 'schedule';
  const basis = { transactionType: 'payment', isExternal: false, instrument: plan.instrument, hold: null } as const;
  const begun: Pick<TransactionRecord, 'settlement' | 'hold'> =
    move === 'initiate' ? beginning(basis, product, day, effective) : { settlement: null, hold: null };
  const payment = move === 'initiate' ? nextPaymentNumber(state) : null;
  const transaction: NewTransaction = {
    id: env.newId('TX'),
    transactionType: basis.transactionType,
    isExternal: basis.isExternal,
    instrument: basis.instrument,
    hold: begun.hold,
    settlement: begun.settlement,
    currency: recordOf(state).currency,
    scheduledCents: amountCents,
    actualCents: payment === null ? null : amountCents,
    serviceCredit: null,
    payment,
    effective,
    originalEffectiveDay: day,
    scheduledDay: day,
    toldDueOn: null,
    reimbursement: null,
    returnFeeCounter: env.reserveIds(1),
    createdWhile: statusOf(state),
    ...someDetails({
      enablePrepayments,
      principalOnlyCents: extraCents === 0 ? null : extraCents,
      autopayPlanId: plan.id,
      autopayPaymentIds: ordinals.map((ordinal) => autopayPaymentId(env, state, plan, ordinal)),
      retryAttempt: retry?.attempt ?? null,
      retryOriginalTransactionId: retry?.transactionId ?? null,
      caseId: plan.caseId,
    }),
  };
  const recording: Recording = { at: effective, today: day, caseId: plan.caseId };
  const body: TransactionCreated = { move, transaction, caseId: plan.caseId };
  const created: FactDraft = { type: 'TransactionCreated', body };
  const facts = payment === null ? [created] : [created, countDraft(state, transaction, payment, 'processing', recording)];
  return { id: transaction.id, facts };
}
