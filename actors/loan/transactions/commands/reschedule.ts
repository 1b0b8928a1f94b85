import { formatDay } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { centsOf, dayOfText } from '../../../wire.js';
import { todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { TransactionChanges } from '../evolve.js';
import { findInstrument, usedInstrument } from '../instruments.js';
import { moveDraft } from '../moves.js';
import { isInternalMoney, type TransactionRecord } from '../record.js';
import type { RescheduleTransactionRequest } from '../requests.js';
import { beginMove, decided } from './decision.js';

/** `POST L/transactions/{transactionId}/reschedule`: another day, amount or payment method while it is scheduled. */
export const rescheduleTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.reschedule',
  place: { on: 'target' },
  decide(context) {
    const { request, record } = beginMove<RescheduleTransactionRequest>(context, 'reschedule');
    const changes = changesOf(context, record, request);
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
  if (scheduledDay < today) refuseProperty('scheduledDate', `${formatDay(today)} or later`, 'The scheduled date lies in the past.');
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
    return fault('an internal payment needs an internal one, an external an external');
  if (isInternalMoney(record) && found.instrument.status !== 'active') {
    refuse('invalidState', `The payment instrument ${found.instrument.id} is ${found.instrument.status}; it must be active.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'an active payment instrument', message: `it is ${found.instrument.status}` }],
    });
  }
  return usedInstrument(found);
}
