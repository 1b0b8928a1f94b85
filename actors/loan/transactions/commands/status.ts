import { formatDay, must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf, dayOfText, secondsOf } from '../../../wire.js';
import {
  activatedOf,
  effectiveNow,
  END_OF_DAY_SECONDS,
  FIRST_USER_SECONDS,
  requireCase,
  requireMove,
  requirePerson,
  todayOf,
} from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { type NewTransaction, someDetails } from '../new-record.js';
import type { TransactionChanges, TransactionCreated } from '../evolve.js';
import { refuseCharged, refuseDone, requireTransactionMove, transactionOf } from '../check.js';
import { findInstrument, usedInstrument } from '../instruments.js';
import { paymentFailed } from '../returns.js';
import type { TransactionMove } from '../machine.js';
import { movedDraft, moveDraft, returned, settlementTermsOn, voidDraft } from '../moves.js';
import { checkChangeNotFarAbove } from '../far-above.js';
import { isCredit, isInternalMoney, type Settlement, type TransactionRecord } from '../record.js';
import { refuseReimbursed } from '../reimbursement.js';
import { feesUndone } from '../return-fees.js';
import type {
  BackdateTransactionRequest,
  CancelTransactionQuery,
  CancelTransactionRequest,
  PaymentQuery,
  RescheduleTransactionRequest,
  ReverseTransactionRequest,
} from '../requests.js';
import { type BankReturn, settlementOf } from '../settlement.js';
import { decided } from './create.js';

interface Begun<Request> {
  readonly request: Request;
  readonly record: TransactionRecord;
}

/** Checks that every action on a transaction makes first: the person of the path, the statuses of transaction and loan, and the case. */
function beginMove<Request extends Pick<ActionRequest, 'caseId'>>(
  context: CommandContext<LoanState, Request>,
  move: TransactionMove,
): Begun<Request> {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  const record = transactionOf(state, command.params['transactionId']);
  refuseDone(record);
  requireTransactionMove(record, move);
  requireMove(state, 'manageMoney');
  requireCase(env, state, command, request.caseId);
  return { request, record };
}

/**
 * A bank has returned a payment, before its settlement day or after it: the money is gone in any status of the loan. Money on its way back
 * to the borrower may be returned, too. Only the settlement part of the service sends this command; it has no route.
 */
export const returnTransaction: CommandSpec<LoanState, Pick<BankReturn, 'returnCode'>> = {
  kind: 'loan',
  type: 'transaction.return',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body } = context;
    const { returnCode } = body;
    const record = transactionOf(state, command.params['transactionId']);
    if (!isInternalMoney(record)) refuse('invalidState', 'Only a payment that the service has collected can be returned.');
    if (record.status === 'failed' && record.achReturnCode === returnCode) return decided(context, {}, record.id, []);
    if (record.transactionType !== 'reimbursement' && record.transactionType !== 'reversal') refuseDone(record);
    if (record.status === 'scheduled') refuse('invalidState', 'The transaction is scheduled and was not collected yet.');
    requireTransactionMove(record, 'fail');
    refuseCharged(state, record);
    const at = effectiveNow(env, state);
    const facts = paymentFailed(state, env, { record, failure: returned(returnCode), recording: { at, today: at.day, caseId: null } });
    return decided(context, {}, record.id, facts);
  },
};

/** `POST L/transactions/{transactionId}/cancel`: only while it is scheduled. */
export const cancelTransaction: CommandSpec<LoanState, CancelTransactionRequest, CancelTransactionQuery> = {
  kind: 'loan',
  type: 'transaction.cancel',
  place: { on: 'target' },
  decide(context) {
    const { request: body, record } = beginMove(context, 'cancel');
    const request = { ...context.command.query, ...body };
    const cancelReason = request.cancelReason ?? 'canceledByUser';
    const changes = { cancelReason, ...(request.clearExternalId === true ? { externalId: null } : {}) };
    return decided(context, request, record.id, [moveDraft(record, 'cancel', changes, request.caseId ?? null)]);
  },
};

/** `POST L/transactions/{transactionId}/backdate`: the loan is computed again from the earlier day on. */
export const backdateTransaction: CommandSpec<LoanState, BackdateTransactionRequest> = {
  kind: 'loan',
  type: 'transaction.backdate',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { request, record } = beginMove(context, 'backdate');
    const seconds = request.effectiveTimeOfDay == null ? END_OF_DAY_SECONDS : secondsOf(request.effectiveTimeOfDay);
    if (seconds < FIRST_USER_SECONDS) {
      refuseProperty('effectiveTimeOfDay', '02:00:00 or later', 'The time must be 02:00:00 or later: daily processing runs before that.');
    }
    const effective = { day: dayOfText(request.effectiveDate), seconds };
    const { activation } = activatedOf(state).contract.terms;
    if (effective.day >= record.effective.day || effective.day < activation) {
      const expected = `a day from ${formatDay(activation)} to the day before ${formatDay(record.effective.day)}`;
      refuse('ruleViolation', '`effectiveDate` must be before the present effective date, and not before the activation of the loan.', {
        errors: [{ path: 'effectiveDate', expected, message: 'is not such a day' }],
      });
    }
    const at = effectiveNow(env, state);
    const caseId = request.caseId ?? null;
    const payment = must(record.payment, 'what succeeded and was not reversed counts');
    return decided(context, request, record.id, [
      moveDraft(record, 'backdate', { effective }, caseId),
      movedDraft(payment, effective, { at, today: at.day, caseId }),
    ]);
  },
};

/** `POST L/transactions/{transactionId}/reschedule`: another day, amount or payment method while it is scheduled. */
export const rescheduleTransaction: CommandSpec<LoanState, RescheduleTransactionRequest, PaymentQuery> = {
  kind: 'loan',
  type: 'transaction.reschedule',
  place: { on: 'target' },
  decide(context) {
    const { request, record } = beginMove(context, 'reschedule');
    const changes = changesOf(context, record, request);
    checkChangeNotFarAbove(context, { record, changes, paths: { scheduled: 'amount', actual: 'amount' } });
    return decided(context, request, record.id, [moveDraft(record, 'reschedule', changes, request.caseId ?? null)]);
  },
};

function changesOf(
  { state, env }: CommandContext<LoanState>,
  record: TransactionRecord,
  request: RescheduleTransactionRequest,
): TransactionChanges {
  const scheduledDay = dayOfText(request.scheduledDate);
  const today = todayOf(env, state);
  if (scheduledDay < today) refuseProperty('scheduledDate', `${formatDay(today)} or later`, 'The scheduled date must not be in the past.');
  const changes: TransactionChanges = { scheduledDay, effective: { ...record.effective, day: scheduledDay }, toldDueOn: null };
  const { amount, paymentInstrumentId } = request;
  return {
    ...changes,
    ...(amount === undefined ? {} : { scheduledCents: centsOf(amount) }),
    ...(paymentInstrumentId === undefined ? {} : { instrument: instrumentFor(env, state, record, paymentInstrumentId) }),
  };
}

function instrumentFor(
  env: CommandContext<LoanState>['env'],
  state: LoanState,
  record: TransactionRecord,
  anyId: string,
): TransactionRecord['instrument'] {
  const persons = [...new Set([state.record?.personId ?? '', record.instrument?.personId ?? ''])];
  const found = findInstrument(env, persons, anyId);
  const fault = (message: string): never =>
    refuse('ruleViolation', `The payment instrument ${anyId} cannot be used: ${message}.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a payment instrument of the same kind', message }],
    });
  if (found === undefined) return fault('there is no such object');
  if (found.instrument.isExternal === isInternalMoney(record))
    return fault('an internal payment needs an internal instrument, an external payment an external one');
  if (isInternalMoney(record) && found.instrument.status !== 'active') {
    refuse('invalidState', `The payment instrument ${found.instrument.id} is ${found.instrument.status}; it must be active.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'an active payment instrument', message: `it is ${found.instrument.status}` }],
    });
  }
  return usedInstrument(found);
}

/**
 * `POST L/transactions/{transactionId}/reverse`: a new, linked transaction returns the money, and the ledger is as if the reversed one had
 * never existed.
 */
export const reverseTransaction: CommandSpec<LoanState, ReverseTransactionRequest> = {
  kind: 'loan',
  type: 'transaction.reverse',
  place: { on: 'target' },
  decide(context) {
    const { request, record } = beginMove(context, 'reverse');
    if (record.isExternal) {
      refuse('invalidState', 'An external transaction cannot be reversed. Set its status to failed instead.', {
        errors: [{ path: 'isExternal', expected: 'false', message: 'the service did not move this money' }],
      });
    }
    refuseCharged(context.state, record);
    const facts = reversal(context, record, request.caseId ?? null);
    refuseReimbursed(context.state, context.env, facts);
    return decided(context, request, record.id, facts);
  },
};

function reversal({ state, env }: CommandContext<LoanState>, record: TransactionRecord, caseId: string | null): readonly FactDraft[] {
  const at = effectiveNow(env, state);
  const id = env.newId('TX');
  const created: TransactionCreated = { move: isCredit(record) ? 'succeed' : 'initiate', transaction: moneyBack(record), caseId };
  const facts: FactDraft[] = [
    moveDraft(record, 'reverse', { payment: null, reversedByTransactionId: id }, caseId),
    { type: 'TransactionCreated', body: created },
  ];
  const recording = { at, today: at.day, caseId };
  if (record.payment !== null) facts.push(voidDraft(record.payment, recording));
  facts.push(...feesUndone(state, env, record.id, recording));
  return facts;

  function moneyBack(original: TransactionRecord): NewTransaction {
    const { instrument } = original;
    return {
      id,
      transactionType: 'reversal',
      isExternal: false,
      scheduledCents: original.scheduledCents,
      actualCents: original.actualCents,
      instrument,
      currency: original.currency,
      serviceCredit: null,
      payment: null,
      effective: at,
      originalEffectiveDay: at.day,
      scheduledDay: at.day,
      settlement:
        instrument === null ? null : settlementBack(original, settlementOf(at.day, instrument, settlementTermsOn(state, env, at.day))),
      hold: null,
      toldDueOn: null,
      reimbursement: null,
      returnFeeCounter: null,
      createdWhile: original.createdWhile,
      parentTransactionId: original.id,
      reversedTransactionId: original.id,
      ...someDetails({ caseId }),
    };
  }
}

/** A card gets its money back from the processor that has charged it, whichever is used by now. */
const settlementBack = ({ settlement }: TransactionRecord, made: Settlement): Settlement =>
  settlement?.card === undefined ? made : { ...made, card: { ...settlement.card, resultDay: null } };
