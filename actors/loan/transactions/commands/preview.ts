import { must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec, EvolveEnv } from '../../../kernel/actor.js';
import { amount, centsOf, dateText } from '../../../wire.js';
import { beginAction } from '../../commands/order.js';
import { checkContact, effectiveNow, recordOf, requireBody, statusOf } from '../../context.js';
import { obligationId } from '../../derived-ids.js';
import type { LedgerChanged } from '../../facts.js';
import { type AnyLedgerFact, balancesIn, obligationsIn, recordedWith, runningOf } from '../../ledger/running.js';
import type { LoanState } from '../../state.js';
import { someDetails } from '../check-create.js';
import type { NewTransaction, TransactionCreated } from '../evolve.js';
import { checkExternalId, findInstrument, usedInstrument } from '../instruments.js';
import { countDraft, nextPaymentNumber, settlementTermsOn } from '../moves.js';
import type { UsedInstrument } from '../record.js';
import { requireOwedBack } from '../reimbursement.js';
import type { CreateTransactionRequest, ReimburseRequest } from '../requests.js';
import { settlementOf } from '../settlement.js';
import { allocationIn, type ComputedLedger, rowsOfPayment } from '../update-fields.js';
import type { ResultingBalancesView, TouchedObligationView, TransactionPreviewView } from '../view-types.js';
import { transactionView } from '../view.js';
import { factsOfNew, type Made, newTransaction, standingAfter } from './create.js';
import { decided } from './status.js';

/** `POST L/transactions/preview`: the split that a payment would get, and what it would leave. */
export const previewTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.preview',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const made = newTransaction(context, requireBody<CreateTransactionRequest>(context.body));
    const { transaction } = made;
    const payment = nextPaymentNumber(state);
    const ledger = made.move === 'fail' ? null : ledgerWith(state, env, made, payment);
    return {
      facts: factsOfNew(state, made),
      preview: true,
      reply: (after) => {
        const record = must(after.transactions.get(transaction.id), 'the previewed transaction');
        const shown = ledger ?? { state: runningOf(state, env), allocations: [] };
        const data: TransactionPreviewView = {
          transaction: transactionView(after, env, record),
          allocation: allocationIn(state, env, { ledger: shown, transactionId: transaction.id, payment }),
          balances: balancesView(shown, transaction),
          obligations: touched(state, env, shown, payment),
        };
        return { data };
      },
    };
  },
};

/** The loan's history with the payment in it, through the payment's day. */
function ledgerWith(state: LoanState, env: EvolveEnv, { transaction, move, recording }: Made, payment: number): ComputedLedger {
  const { change, recordedDay } = countDraft(state, transaction, payment, standingAfter(move), recording).body as LedgerChanged;
  const fact = { ...change, effective: transaction.effective, sequence: payment, recordedDay } as AnyLedgerFact;
  const through = Math.max(runningOf(state, env).day, transaction.effective.day) as typeof recordedDay;
  return recordedWith(state, env, through, fact);
}

function balancesView({ state: ledger }: ComputedLedger, { effective }: NewTransaction): ResultingBalancesView {
  const { outstanding, due, overdue, chargedOff, paid } = balancesIn(ledger);
  return {
    effectiveDate: dateText(effective.day),
    loanStatus: ledger.status,
    outstandingTotalAmount: amount(outstanding.totalCents),
    outstandingPrincipalAmount: amount(outstanding.principalCents),
    outstandingInterestAmount: amount(outstanding.interestCents),
    outstandingFeesAmount: amount(outstanding.feesCents),
    dueTotalAmount: amount(due.totalCents),
    overdueTotalAmount: amount(overdue.totalCents),
    chargedOffTotalAmount: amount(chargedOff.totalCents),
    reimbursementAmount: amount(paid.reimbursementCents),
  };
}

function touched(state: LoanState, env: EvolveEnv, ledger: ComputedLedger, payment: number): readonly TouchedObligationView[] {
  const ordinals = new Set(rowsOfPayment(ledger, payment).map((row) => row.obligation));
  return obligationsIn(ledger.state)
    .filter((obligation) => ordinals.has(obligation.ordinal))
    .map((obligation) => ({
      obligationId: obligationId(env, state, obligation.ordinal),
      dueDate: dateText(obligation.dueDay),
      obligationAmount: amount(obligation.obligationCents),
      fulfilledAmount: amount(obligation.fulfilledCents),
      remainingAmount: amount(obligation.remainingCents),
      isFulfilled: obligation.isFulfilled,
    }));
}

/** `POST L/reimburse`: what was paid over goes back to the borrower of a loan that is paid off, or of a line at once. */
export const reimburseLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.reimburse',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ReimburseRequest>(context, recordOf(context.state).type === 'lineOfCredit' ? 'reimburseLine' : 'reimburse');
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
    const told = countDraft(context.state, transaction, payment, 'settled', { at, today, caseId });
    return decided(context, request, transaction.id, [{ type: 'TransactionCreated', body }, told]);
  },
};

/** The service pays to bank accounts alone; what the lender pays itself may go any way. */
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
  /** The number under which the ledger is told. */
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
    settlement: isMoved ? settlementOf(at.day, instrument.instrumentType, settlementTermsOn(state, env, at.day)) : null,
    hold: null,
    returnFeeCounter: null,
    toldDueOn: null,
    createdWhile: statusOf(state),
    ...someDetails({ externalId: request.externalTransactionId ?? null, caseId: request.caseId ?? null }),
  };
}
