import { addDays, type Day, type Subject, fieldsOf } from '../../../engine/index.js';
import { bodyForRow } from '../../kernel/erased.js';
import { type FailureReason, isReachable, type PersonState, withSecretsOpen } from '../../borrower/index.js';
import { companyOf, isWritten } from '../../company/index.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import { type FactDraft, factTest } from '../../kernel/fact.js';
import {
  expectedAutopay,
  isInPreparation,
  type LoanFacts,
  type LoanState,
  recordOf,
  todayOf,
  type TransactionRecord,
  type UsedInstrument,
} from '../../loan/index.js';
import { type Amount, amount, dateText, orNull } from '../../wire.js';
import { creditNotice, reportedPeople } from './credit.js';
import { directedTo, directedToPeople } from './directed.js';
import { type Notice, noticePlanned } from './plan.js';
import { statementNotice } from './statements.js';

type Context = Readonly<Record<string, unknown>>;

/** What a row may ask beside the fact. */
interface At {
  readonly env: DecideEnv;
  /** Before the command; of what a closed day brings, after it. */
  readonly state: LoanState;
}

/** The subject of a notice and what it says beside what is read when it is written. */
type Said = readonly [subject: Subject, context?: Context];

const isFact = factTest<LoanFacts>();

/** A statement has more to say: its channels and its document. */
type Rows = { readonly [Type in keyof LoanFacts]?: (body: LoanFacts[Type], at: At) => Said | Notice | null };

/** Communications 6: which fact of a loan brings which notice. */
const ROWS: Rows = {
  LoanActivated: () => ['loanDetails'],
  LineActivated: () => ['loanDetails'],
  LoanCanceled: () => ['loanCanceled'],
  LoanClosed: ({ reason, description }) => [
    'locLineClosed',
    { closeReason: reason === 'other' ? null : reason, closeReasonDescription: description },
  ],
  // Ordered, or brought by the days for which the loan has been overdue.
  LedgerChanged: ({ change }, { env, state }) => {
    if (change.type === 'scraDaysSet') return [finer(env, state, 'scraTermsSet')];
    const subject = BY_CHANGE[change.type];
    return subject === undefined ? null : [subject];
  },
  CreditLimitChanged: ({ change, sendNotice }) =>
    sendNotice ? ['creditLimitChanged', { creditLimitAmount: change.limitCents === null ? null : amount(change.limitCents) }] : null,
  ScheduleModified: ({ modification }, { env, state }) => [finer(env, state, BY_MODIFICATION[modification.terms.type])],
  PaymentPlanCreated: (_body, { env, state }) => [finer(env, state, 'paymentPlanCreated')],
  PaymentPlanCanceled: (_body, { env, state }) => [finer(env, state, 'paymentPlanCanceled')],
  PromiseMade: () => ['promiseToPayCreated'],
  StatementIssued({ statement }, { env, state }) {
    const person = env.read<PersonState>('person', recordOf(state).personId);
    if (statement.isTest || statement.isExternal || person === undefined || !isReachable(person)) return null;
    return statementNotice(state, person, statement);
  },

  CreditReported: (record, { env, state }) => creditNotice(env, state, record),

  AutopayStarted: ({ instrument }, at) => ['autopayEnabled', methodOf(at.env, instrument)],
  AutopayEnded: ({ move, cancelReason }) => (move === 'cancel' ? ['autopayCanceledBySystem', { cancelReason }] : null),
  AutopayInstrumentChanged({ instrument }, { env, state }) {
    const [next] = expectedAutopay(state, env);
    const payment = { paymentAmount: orNull(amount, next?.amountCents), paymentDate: orNull(dateText, next?.day) };
    return ['autopayPaymentMethodUpdated', { ...payment, ...methodOf(env, instrument) }];
  },
  AutopayPaymentRescheduled: ({ ordinal, oldDay, day }, at) => [
    'autopayPaymentRescheduled',
    { paymentAmount: automaticAmount(at, ordinal), paymentDate: dateText(oldDay), newPaymentDate: dateText(day) },
  ],
  AutopayPaymentCanceled: ({ ordinal, day }, at) => [
    'autopayPaymentCanceled',
    { paymentAmount: automaticAmount(at, ordinal), paymentDate: dateText(day) },
  ],

  TransactionCreated({ move, transaction }, at) {
    const { transactionType, scheduledDay, effective, instrument } = transaction;
    const cents = transaction.actualCents ?? transaction.scheduledCents;
    if (transactionType === 'reimbursement') return move === 'fail' ? null : ['refundScheduled', { amount: amount(cents) }];
    if (transactionType === 'reversal') return ['paymentReversed', { paymentAmount: amount(cents) }];
    if (transactionType !== 'payment' && transactionType !== 'downPayment') return null;
    if (move === 'fail') return failed({ ...transaction, failureReason: transaction.failureReason ?? null }, null);
    const day = move === 'schedule' ? scheduledDay : effective.day;
    if (move !== 'schedule' && isLongPast(at, day)) return null;
    const context = {
      paymentAmount: amount(cents),
      paymentDate: dateText(day),
      ...(instrument === null ? {} : methodOf(at.env, instrument)),
    };
    return [move === 'schedule' ? 'paymentScheduled' : 'paymentConfirmation', context];
  },
  TransactionMoved({ transactionId, move, changes }, at) {
    const transaction = at.state.transactions.get(transactionId);
    if (transaction === undefined) return null;
    if (move === 'fail') return failed(transaction, changes.failureReason ?? null);
    const { transactionType, scheduledCents, effective, instrument, autopayPlanId } = transaction;
    if (transactionType !== 'payment' && transactionType !== 'downPayment') return null;
    if (move === 'cancel') return autopayPlanId === null ? ['futurepayCanceled', { paymentAmount: amount(scheduledCents) }] : null;
    if (move === 'reschedule') {
      const { scheduledDay = transaction.scheduledDay } = changes;
      return ['paymentRescheduled', { paymentAmount: amount(scheduledCents), newPaymentDate: dateText(scheduledDay) }];
    }
    if (move !== 'initiate' && move !== 'post') return null;
    const method = instrument === null ? {} : methodOf(at.env, instrument);
    return ['paymentConfirmation', { paymentAmount: amount(scheduledCents), paymentDate: dateText(effective.day), ...method }];
  },
};

/** What an automatic payment would have taken on its day. */
const automaticAmount = ({ env, state }: At, ordinal: number): Amount | null =>
  orNull(amount, expectedAutopay(state, env).find((payment) => payment.ordinal === ordinal)?.amountCents);

/** What an order on the ledger, or days overdue, bring. */
const BY_CHANGE: Readonly<Record<string, Subject>> = {
  freeze: 'loanFrozen',
  unfreeze: 'loanUnfrozen',
  accelerate: 'loanAccelerated',
  reverseAccelerate: 'loanAccelerationReversed',
  chargeOff: 'loanChargedOff',
  reverseChargeOff: 'loanChargeOffReversed',
};

const BY_MODIFICATION: Readonly<Record<string, Subject>> = {
  changeDueDates: 'dueDatesChanged',
  deferDueDate: 'dueDateDeferred',
  deferSchedule: 'scheduleDeferred',
  changeLoanTerms: 'loanTermsChanged',
  deferRemainingBalances: 'loanPaymentScheduleChanged',
  paymentPlan: 'paymentPlanCreated',
  cancelPaymentPlan: 'paymentPlanCanceled',
};

/** The finer subject where the lender has an enabled template for it, else the one for any change of the schedule. */
function finer(env: DecideEnv, state: LoanState, subject: Subject | undefined): Subject {
  if (subject === undefined) return 'loanPaymentScheduleChanged';
  return isWritten(companyOf(env, env.tenant), subject, recordOf(state).loanTypeId) ? subject : 'loanPaymentScheduleChanged';
}

function failed({ transactionType, scheduledCents, failureReason }: Failing, reason: FailureReason | null): Said | null {
  const context = { paymentAmount: amount(scheduledCents), failureReason: reason ?? failureReason };
  if (transactionType === 'downPayment') return ['downpaymentFailed', context];
  if (transactionType === 'reimbursement') return ['reimbursementFailed', context];
  return transactionType === 'payment' ? ['paymentFailed', context] : null;
}

type Failing = Pick<TransactionRecord, 'transactionType' | 'scheduledCents' | 'failureReason'>;

/** What the templates show of an instrument: its kind and the last four characters of its number. */
export function methodOf(env: Pick<DecideEnv, 'read' | 'open'>, { id, personId, instrumentType }: UsedInstrument): Context {
  const person = env.read<PersonState>('person', personId);
  const instrument = person?.instruments.find((each) => each.id === id);
  const details = person && instrument && withSecretsOpen(env, personId, instrument).details;
  return {
    paymentMethod: instrumentType,
    paymentMethodLastFour: details?.accountNumberLastFour ?? details?.cardNumberLastFour ?? null,
  };
}

/** Days that lie so far back that nothing is sent about them any more. */
const MOST_DAYS_BACK = 3;

const isLongPast = ({ env, state }: At, day: Day): boolean => day < addDays(todayOf(env, state), -MOST_DAYS_BACK);

/** The types of facts that bring notices. */
export const LOAN_NOTICE_FACTS: readonly string[] = Object.keys(ROWS);

/**
 * The notices of a command's facts. `sendNotice: false` in its body or query keeps them back; what is recorded about a day long past, or a
 * loan that is being migrated, brings none.
 */
export function loanNotices({ state, env, body, command }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  if (state.record === null || isInPreparation(state) || isUnwanted(body) || isUnwanted(command.query)) return [];
  return facts.flatMap((draft) => noticeOf(draft, { env, state }));
}

/** The same for what a command of a borrower records on the borrower's own loans. */
export const noticesOnLoans = (context: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  facts.flatMap(({ target, ...draft }) => {
    const state = target?.kind === 'loan' ? context.env.read<LoanState>('loan', target.id) : undefined;
    return state === undefined ? [] : loanNotices({ ...context, id: state.id, state }, [draft]);
  });

/** The notice of what a closed day brings. */
export const dailyLoanNotice = (state: LoanState, draft: FactDraft, env: DecideEnv): readonly FactDraft[] =>
  noticeOf(draft, { env, state });

const isWhole = (said: Said | Notice): said is Notice => 'subject' in said;

function isUnwanted(asked: unknown): boolean {
  const { sendNotice, sendCancellationNotice } = fieldsOf(asked);
  return sendNotice === false || sendCancellationNotice === false;
}

function noticeOf(draft: FactDraft, at: At): readonly FactDraft[] {
  const { type, body, target, effective } = draft;
  const rows: { readonly [Type in string]?: (body: never, at: At) => Said | Notice | null } = ROWS;
  const row = target === undefined ? rows[type] : undefined;
  if (row === undefined || (effective != null && isLongPast(at, effective.day))) return [];
  const said = row(bodyForRow(draft), at);
  if (said === null) return [];
  const { env, state } = at;
  const person = env.read<PersonState>('person', recordOf(state).personId);
  const { caseId = null } = (body ?? {}) as { readonly caseId?: string | null };
  const notice: Notice = isWhole(said) ? said : { subject: said[0], context: said[1] ?? {}, loanId: state.id, caseId };
  return [...(person === undefined ? [] : noticePlanned(env, person, notice)), ...toOthers(env, state, notice, draft)];
}

/** The same for other people on the loan. */
function toOthers(env: DecideEnv, state: LoanState, notice: Notice, draft: FactDraft): readonly FactDraft[] {
  return isFact(draft, 'CreditReported')
    ? directedTo(env, state, reportedPeople(state, draft.body.activityDay), notice)
    : directedToPeople(env, state, notice);
}
