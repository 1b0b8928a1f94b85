import { type EffectiveTime, formatDay, must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { dayOfText } from '../../../wire.js';
import { effectiveNow, END_OF_DAY_SECONDS, requireCase, requireMove, requirePerson, activatedOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { TransactionChanges } from '../evolve.js';
import { checkExternalId, refuseCharged, refuseDone, transactionOf } from '../check.js';
import { checkChangeNotFarAbove } from '../far-above.js';
import { paymentFailed } from '../returns.js';
import {
  applyScheduled,
  reinstateMoney,
  paymentDraft,
  type MoneyStatus,
  movedDraft,
  moveDraft,
  nextPaymentNumber,
  type Recording,
  settledDraft,
  settlementTermsOn,
  voidMoney,
  updateDraft,
  voidDraft,
} from '../moves.js';
import { moveBetween, type TransactionMove } from '../machine.js';
import { isPaidToBorrower, isCredit, isInternalMoney, type TransactionRecord } from '../record.js';
import { requireOwedBack } from '../reimbursement.js';
import type { PaymentQuery, UpdateTransactionRequest } from '../requests.js';
import { changesOf, refuseInternal, withoutSentBack } from '../update-fields.js';
import { transactionView } from '../view.js';
import { decided } from './create.js';

/** `PUT L/transactions/{transactionId}`: changes details of every transaction, and status and amounts of external ones. */
export const updateTransaction: CommandSpec<LoanState, UpdateTransactionRequest, PaymentQuery> = {
  kind: 'loan',
  type: 'transaction.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const record = transactionOf(state, command.params['transactionId']);
    const request = withoutSentBack(context.body, transactionView(state, env, record));
    if (record.transactionType !== 'reimbursement') refuseDone(record);
    if (record.status === 'canceled') refuse('invalidState', 'A canceled transaction cannot be changed.');
    requireCase(env, state, command, request.caseId);
    if (!record.isExternal) refuseInternal(request, isTestReturn(context, record, request) ? TEST_RETURN : []);
    if (record.isExternal && request.isExternal === false) refuse('invalidState', 'An external transaction cannot become internal.');
    if (request.externalId !== record.externalId) checkExternalId(env, env.tenant, request.externalId);
    return decided(context, request, record.id, factsOfUpdate(context, record, request));
  },
};

/** Fields by which a test-mode caller simulates a bank's return of an internal payment. */
const TEST_RETURN = ['status', 'failureReason', 'achReturnCode'];

const isTestReturn = ({ env }: CommandContext<LoanState>, record: TransactionRecord, { status }: UpdateTransactionRequest): boolean =>
  env.tenant.mode === 'test' && status === 'failed' && isInternalMoney(record);

function factsOfUpdate(
  context: CommandContext<LoanState, unknown, PaymentQuery>,
  record: TransactionRecord,
  request: UpdateTransactionRequest,
): readonly FactDraft[] {
  const { state, env } = context;
  const at = effectiveNow(env, state);
  const recording: Recording = { at, today: at.day, caseId: request.caseId ?? null };
  const changes = { ...changesOf(request, record), ...datesOf(context, record, request) };
  const move = moveOf(record, request);
  const isAboutMoney = move !== null || changes.effective !== undefined || isAmended(record, changes);
  if (isAboutMoney) {
    requireMove(state, 'manageMoney');
    refuseCharged(state, record);
  }
  if (record.transactionType === 'reimbursement' && changes.actualCents != null)
    requireOwedBack(state, env, changes.actualCents, { path: 'actualAmount', instead: record });
  if (changes.scheduledCents !== undefined && record.status !== 'scheduled') {
    refuse('invalidState', `The transaction is ${record.status}: its scheduled amount can no longer be changed.`, {
      errors: [{ path: 'scheduledAmount', expected: 'a scheduled transaction', message: `the transaction is ${record.status}` }],
    });
  }
  const countsAfter = move === null ? record.status !== 'failed' : move === 'post' || move === 'succeed';
  if (countsAfter) checkChangeNotFarAbove(context, { record, changes, paths: { scheduled: 'scheduledAmount', actual: 'actualAmount' } });
  return move === null ? keepStatus(state, record, changes, recording) : changeStatus(context, { record, move, changes, recording });
}

/** The move to the requested status; null if the status stays. */
function moveOf(record: TransactionRecord, { status }: UpdateTransactionRequest): TransactionMove | null {
  if (status === undefined || status === record.status) return null;
  const move = moveBetween(record.status, status);
  if (move !== undefined && (CALLER_MOVES.has(move) || (DISPUTES.has(move) && isDisputable(record)))) return move;
  return refuse('invalidState', `A transaction with the status ${record.status} cannot become ${status}.`, {
    errors: [{ path: 'status', expected: 'a status to which it can move', message: `the transaction is ${record.status}` }],
  });
}

/** Moves that a caller may make; only the service initiates and hands over. */
const CALLER_MOVES: ReadonlySet<TransactionMove> = new Set<TransactionMove>(['post', 'succeed', 'fail', 'cancel']);

/** Moves of disputes, which only concern payments of a borrower. */
const DISPUTES: ReadonlySet<TransactionMove> = new Set<TransactionMove>(['dispute', 'winDispute', 'chargeBack', 'reverseChargeback']);

const isDisputable = (record: TransactionRecord): boolean => !isPaidToBorrower(record) && !isCredit(record);

const isAmended = (record: TransactionRecord, changes: TransactionChanges): boolean =>
  record.payment !== null &&
  ((changes.actualCents !== undefined && changes.actualCents !== record.actualCents) ||
    (changes.enablePrepayments !== undefined && changes.enablePrepayments !== record.enablePrepayments));

function keepStatus(state: LoanState, record: TransactionRecord, changes: TransactionChanges, recording: Recording): readonly FactDraft[] {
  if (Object.keys(changes).length === 0) return [];
  const { changes: all, drafts } = withLedger(state, {
    record,
    changes,
    recording,
    moneyStatus: record.status === 'pending' ? 'processing' : 'settled',
  });
  return [updateDraft(record, all, recording.caseId), ...drafts];
}

interface MoneyChange {
  readonly record: TransactionRecord;
  readonly changes: TransactionChanges;
  readonly recording: Recording;
  /** The status after the change. */
  readonly moneyStatus: MoneyStatus;
}

/**
 * The ledger facts of changed fields, for a transaction that counts before and after: another amount voids the payment and counts it again,
 * another day moves it.
 */
function withLedger(
  state: LoanState,
  { record, changes, recording, moneyStatus }: MoneyChange,
): { readonly changes: TransactionChanges; readonly drafts: readonly FactDraft[] } {
  if (record.payment === null) return { changes, drafts: [] };
  if (isAmended(record, changes)) {
    const payment = nextPaymentNumber(state, 1);
    const counted = paymentDraft(state, { ...record, ...changes }, payment, moneyStatus, recording);
    return { changes: { ...changes, payment }, drafts: [voidDraft(record.payment, recording), counted] };
  }
  return { changes, drafts: changes.effective === undefined ? [] : [movedDraft(record.payment, changes.effective, recording)] };
}

interface StatusChange {
  readonly record: TransactionRecord;
  readonly move: TransactionMove;
  readonly changes: TransactionChanges;
  readonly recording: Recording;
}

function changeStatus({ state, env }: CommandContext<LoanState>, change: StatusChange): readonly FactDraft[] {
  const { record, move, changes, recording } = change;
  switch (move) {
    case 'post':
    case 'succeed': {
      if (isPaidToBorrower(record)) return [moveDraft(record, move, changes, recording.caseId)];
      if (record.payment !== null) return succeed(state, change);
      const effective = changes.effective ?? (record.effective.day > recording.today ? recording.at : record.effective);
      return applyScheduled(state, record, move, {
        product: settlementTermsOn(state, env, recording.today),
        effective,
        changes,
        recording,
      });
    }
    case 'fail': {
      const failureReason = changes.failureReason ?? record.failureReason;
      if (failureReason === null)
        refuseProperty('failureReason', 'the reason of the failure', '`failureReason` is required for a failed transaction.');
      const failure = { failureReason, achReturnCode: changes.achReturnCode ?? record.achReturnCode };
      return paymentFailed(state, env, { record, failure, recording, changes });
    }
    case 'cancel':
      return [moveDraft(record, move, { ...changes, cancelReason: changes.cancelReason ?? 'canceledByUser' }, recording.caseId)];
    case 'chargeBack':
      return voidMoney(record, move, changes, recording);
    case 'reverseChargeback':
      return reinstateMoney(state, record, changes, recording);
    case 'backdate':
    case 'dispute':
    case 'expireHold':
    case 'fallDue':
    case 'handOver':
    case 'initiate':
    case 'reschedule':
    case 'reverse':
    case 'schedule':
    case 'winDispute': {
      const { changes: all, drafts } = withLedger(state, { record, changes, recording, moneyStatus: 'settled' });
      return [moveDraft(record, move, all, recording.caseId), ...drafts];
    }
  }
}

function succeed(state: LoanState, { record, changes, recording }: StatusChange): readonly FactDraft[] {
  const payment = must(record.payment, 'money that counts');
  const { changes: all, drafts } = withLedger(state, { record, changes, recording, moneyStatus: 'settled' });
  const moved = moveDraft(record, 'succeed', all, recording.caseId);
  return isAmended(record, changes) ? [moved, ...drafts] : [moved, settledDraft(payment, recording), ...drafts];
}

/** The dates that the caller of an external transaction sets. */
function datesOf(
  { state, env }: CommandContext<LoanState>,
  record: TransactionRecord,
  { timestamps, status }: UpdateTransactionRequest,
): TransactionChanges {
  const changes: { scheduledDay?: TransactionRecord['scheduledDay']; effective?: EffectiveTime } = {};
  const { day: today } = effectiveNow(env, state);
  const staysScheduled = record.status === 'scheduled' && (status === undefined || status === 'scheduled');
  if (timestamps?.scheduledDate !== undefined) {
    if (!staysScheduled) refuse('invalidState', `The transaction is ${record.status}: its scheduled date can no longer be changed.`);
    changes.scheduledDay = dayOfText(timestamps.scheduledDate);
    changes.effective = { ...record.effective, day: changes.scheduledDay };
    if (changes.scheduledDay < today)
      refuseProperty('timestamps.scheduledDate', `${formatDay(today)} or later`, 'The scheduled date must not be in the past.');
  }
  if (timestamps?.effectiveDate !== undefined) {
    changes.effective = effectiveTime(
      { state, record, latest: staysScheduled ? (changes.scheduledDay ?? record.scheduledDay) : today },
      timestamps.effectiveDate,
    );
  }
  return changes;
}

interface Dating extends Pick<CommandContext<LoanState>, 'state'> {
  readonly record: TransactionRecord;
  /** The latest effective day: today for money that counts, its own day for a scheduled transaction. */
  readonly latest: TransactionRecord['scheduledDay'];
}

function effectiveTime({ state, record, latest }: Dating, text: string): EffectiveTime {
  const day = dayOfText(text);
  const { activation } = activatedOf(state).contract.terms;
  if (day < activation || day > latest) {
    refuse('ruleViolation', 'The effective date is out of range.', {
      errors: [
        {
          path: 'timestamps.effectiveDate',
          expected: `${formatDay(activation)} to ${formatDay(latest)}`,
          message: 'is outside of this range',
        },
      ],
    });
  }
  return day === record.effective.day ? record.effective : { day, seconds: END_OF_DAY_SECONDS };
}
