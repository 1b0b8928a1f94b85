import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { centsOf } from '../../../wire.js';
import { beginAction } from '../../commands/order.js';
import { checkContact, effectiveNow, recordOf, statusOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { type NewTransaction, someDetails } from '../new-record.js';
import type { TransactionCreated } from '../evolve.js';
import { checkExternalId } from '../check.js';
import { findInstrument, usedInstrument } from '../instruments.js';
import { paymentDraft, nextPaymentNumber, settlementTermsOn } from '../moves.js';
import type { UsedInstrument } from '../record.js';
import { requireOwedBack } from '../reimbursement.js';
import type { ReimburseRequest } from '../requests.js';
import { settlementOf } from '../settlement.js';
import { decided } from './create.js';

/** `POST L/reimburse`: returns an overpayment to the borrower, of an installment loan once it is paid off. */
export const reimburseLoan: CommandSpec<LoanState, ReimburseRequest> = {
  kind: 'loan',
  type: 'loan.reimburse',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, recordOf(context.state).type === 'lineOfCredit' ? 'reimburseLine' : 'reimburse');
    const { env } = context;
    const isExternal = request.isExternal === true;
    if (!isExternal && request.transactionStatus !== undefined) {
      refuseProperty('transactionStatus', 'nothing', '`transactionStatus` can only be set on an external reimbursement.');
    }
    const instrument = instrumentFor(context, request, isExternal);
    checkContact(context, { contactId: request.contactId ?? null, channels: ['mail'] });
    requireOwedBack(context.state, env, centsOf(request.reimbursementAmount), { path: 'reimbursementAmount' });
    checkExternalId(env, env.tenant, request.externalTransactionId);
    const payment = nextPaymentNumber(context.state);
    const transaction = moneyBack(context, request, { instrument, payment });
    const move = !isExternal ? 'initiate' : request.transactionStatus === 'succeeded' ? 'succeed' : 'post';
    const caseId = request.caseId ?? null;
    const body: TransactionCreated = { move, transaction, caseId };
    const { effective: at, scheduledDay: today } = transaction;
    const counted = paymentDraft(context.state, transaction, payment, 'settled', { at, today, caseId });
    return decided(context, request, transaction.id, [{ type: 'TransactionCreated', body }, counted]);
  },
};

/** The service pays to bank accounts only; the lender may pay an external reimbursement in any way. */
function instrumentFor({ state, env }: CommandContext<LoanState>, request: ReimburseRequest, isExternal: boolean): UsedInstrument | null {
  const { paymentInstrumentId, paymentInstrumentType } = request;
  if (paymentInstrumentId == null) {
    return isExternal
      ? null
      : refuseProperty(
          'paymentInstrumentId',
          'a bank account of the borrower',
          '`paymentInstrumentId` is required: the service pays to a bank account.',
        );
  }
  const fault = (message: string): never =>
    refuse('ruleViolation', `The payment instrument ${paymentInstrumentId} cannot be used: ${message}.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a bank account of the borrower', message }],
    });
  const found = findInstrument(env, [recordOf(state).personId], paymentInstrumentId);
  if (found === undefined) return fault('there is no such object');
  const { instrumentType, status, isExternal: isRecord } = found.instrument;
  if (paymentInstrumentType != null && paymentInstrumentType !== instrumentType) return fault(`it is a ${instrumentType}`);
  if (!isExternal && (instrumentType !== 'bankAccount' || isRecord)) return fault('the service pays only to bank accounts');
  if (!isExternal && status !== 'active')
    refuse('invalidState', `The payment instrument ${found.instrument.id} is ${status}; it must be active.`);
  return usedInstrument(found);
}

interface Way {
  readonly instrument: UsedInstrument | null;
  /** Its number in the ledger. */
  readonly payment: number;
}

function moneyBack({ state, env }: CommandContext<LoanState>, request: ReimburseRequest, { instrument, payment }: Way): NewTransaction {
  const at = effectiveNow(env, state);
  const isExternal = request.isExternal === true;
  const cents = centsOf(request.reimbursementAmount);
  const isMoved = !isExternal && instrument !== null;
  return {
    id: env.newId('TX'),
    transactionType: 'reimbursement',
    isExternal,
    scheduledCents: cents,
    actualCents: cents,
    instrument,
    currency: recordOf(state).currency,
    serviceCredit: null,
    reimbursement: { instrumentType: request.paymentInstrumentType ?? null, contactId: request.contactId ?? null },
    payment,
    effective: at,
    originalEffectiveDay: at.day,
    scheduledDay: at.day,
    settlement: isMoved ? settlementOf(at.day, instrument, settlementTermsOn(state, env, at.day)) : null,
    hold: null,
    returnFeeCounter: null,
    toldDueOn: null,
    createdWhile: statusOf(state),
    ...someDetails({ externalId: request.externalTransactionId ?? null, caseId: request.caseId ?? null }),
  };
}
