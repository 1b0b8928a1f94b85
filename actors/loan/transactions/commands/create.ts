import { resolveId } from '../../../kernel/ids.js';
import { cents, formatCents, must, positionOfPayment } from '../../../../engine/index.js';
import { isExpiredOn } from '../../../borrower/index.js';
import { companyOf, paymentTypeOfCard, processorFor } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { amount, centsOf, dayOfText } from '../../../wire.js';
import { orderReply } from '../../commands/order.js';
import {
  activatedOf,
  effectiveNow,
  isWithAgency,
  recordOf,
  requireCase,
  requireMove,
  requirePerson,
  statusOf,
  todayOf,
} from '../../context.js';
import { drawOf, requireDrawMove } from '../../draws/draw.js';
import { type AnyLedgerFact, simulatedWith } from '../../ledger/running.js';
import { isMigrationTrial } from '../../migration/stage.js';
import { payersOn } from '../../people/index.js';
import type { LoanState } from '../../state.js';
import { datesAndFirstMove, type Planned, refuseBodyFaults, refuseFaults, requirePermission } from '../check-create.js';
import { type NewTransaction, someDetails } from '../new-record.js';
import type { TransactionCreated } from '../evolve.js';
import { checkExternalId } from '../check.js';
import { checkNotFarAbove } from '../far-above.js';
import { findInstrument, type FoundInstrument, usedInstrument } from '../instruments.js';
import {
  paymentDraft,
  settlementAndHold,
  type MoneyStatus,
  nextPaymentNumber,
  productOn,
  type Recording,
  settlementTermsOn,
} from '../moves.js';
import type { TransactionType } from '../record.js';
import type { PaymentQuery, CreateTransactionRequest } from '../requests.js';
import { transactionView } from '../view.js';

type Context = CommandContext<LoanState, unknown, PaymentQuery>;

/** `POST L/transactions`: a payment, a down payment or a credit. */
export const createTransaction: CommandSpec<LoanState, CreateTransactionRequest, PaymentQuery> = {
  kind: 'loan',
  type: 'transaction.create',
  place: { on: 'target' },
  decide(context) {
    const made = newTransaction(context, context.body);
    return decided(context, context.body, made.transaction.id, factsOfNew(context.state, made));
  },
};

/**
 * The decision of any command on a transaction: its facts, previewed or recorded. The reply is the transaction after them, with the id
 * of the finished operation.
 */
export function decided(
  context: CommandContext<LoanState>,
  request: Pick<CreateTransactionRequest, 'previewMode'>,
  transactionId: string,
  facts: readonly FactDraft[],
): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => {
      const record = must(after.transactions.get(transactionId), `the transaction ${transactionId} is there`);
      const data = transactionView(after, context.env, record);
      const { fromInstrument, toInstrument } = data.paymentDetails;
      const showsDigits = (fromInstrument ?? toInstrument)?.accountNumberLastFour != null;
      return orderReply(context, request, showsDigits && record.instrument ? { data, sealedFor: record.instrument.personId } : { data });
    },
  };
}

const TYPES: Readonly<Record<CreateTransactionRequest['type'], TransactionType>> = {
  oneTime: 'payment',
  downPayment: 'downPayment',
  serviceCredit: 'serviceCredit',
};

/** A valid new transaction, with the move by which it enters its statechart (`machine.ts`). */
export interface Made {
  readonly transaction: NewTransaction;
  readonly move: Planned['move'];
  readonly recording: Recording;
}

/** Makes a new transaction of a request, with all checks. */
export function newTransaction(context: Context, request: CreateTransactionRequest): Made {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  refuseBodyFaults(request, todayOf(env, state), isMigrationTrial(state));
  const payer = payerOf(context, request);
  const isExternal = request.isExternal === true || payer?.instrument.isExternal === true;
  if (!isExternal && request.status !== undefined) {
    refuseFaults([{ path: 'status', expected: 'nothing', message: 'can only be set on an external transaction' }]);
  }
  checkPermissions(context, request, isExternal);
  requireCase(env, state, command, request.caseId);
  checkLoan(context, request, isExternal);
  checkPayer(payer, isExternal);
  if (payer !== null && !isExternal) checkCard(context, payer);
  checkExternalId(env, env.tenant, request.externalId);

  const today = todayOf(env, state);
  const { activation } = activatedOf(state).contract.terms;
  const { move, scheduledDay, effective } = datesAndFirstMove(request, isExternal, {
    today,
    now: effectiveNow(env, state),
    activation,
    isRecordingThePast: isMigrationTrial(state),
  });
  const scheduledCents = centsOf(request.amount);
  const isCounted = move !== 'schedule' && move !== 'fail';
  const basis = {
    transactionType: TYPES[request.type],
    isExternal,
    instrument: payer === null ? null : usedInstrument(payer),
    hold: request.holdDaysEndDate == null ? null : { endDay: dayOfText(request.holdDaysEndDate), isOver: false },
  };
  const { settlement, hold } = isCounted
    ? settlementAndHold(basis, settlementTermsOn(state, env, today), today, effective)
    : { settlement: null, hold: basis.hold };
  const details = someDetails({
    externalId: request.externalId ?? null,
    enablePrepayments: request.enablePrepayments ?? null,
    draw: directedDraw(context, request),
    evidenceDocumentId: request.evidenceDocumentId ?? null,
    consentDocumentId: request.consentDocumentId ?? null,
    caseId: request.caseId ?? null,
    metaData: request.metaData ?? null,
    failureReason: move === 'fail' ? (request.failureReason ?? null) : null,
  });
  const transaction: NewTransaction = {
    id: env.newId('TX'),
    transactionType: basis.transactionType,
    isExternal,
    instrument: basis.instrument,
    hold,
    settlement,
    currency: recordOf(state).currency,
    scheduledCents,
    actualCents: isCounted ? scheduledCents : null,
    serviceCredit: request.serviceCreditDetails == null ? null : readCredit(request.serviceCreditDetails),
    payment: isCounted ? nextPaymentNumber(state) : null,
    effective,
    originalEffectiveDay: effective.day,
    scheduledDay,
    toldDueOn: null, // `payment.due.today` was not published yet
    reimbursement: null,
    returnFeeCounter: request.type === 'serviceCredit' ? null : env.reserveIds(1),
    createdWhile: statusOf(state),
    ...details, // last: properties that follow a spread cost microseconds
  };
  const made: Made = { transaction, move, recording: { at: effective, today, caseId: request.caseId ?? null } };
  // While the past is being recorded, the amounts are checked by the migration, when everything is there.
  if (request.type === 'serviceCredit' && isCounted && !isMigrationTrial(state)) checkCreditFits(context, made);
  if (request.type !== 'serviceCredit' && move !== 'fail') checkNotFarAbove(context, { amountCents: scheduledCents, path: 'amount' });
  return made;
}

/** Money that is not settled at once is in processing. */
export const moneyStatusAfter = (move: Planned['move']): MoneyStatus => (move === 'succeed' ? 'settled' : 'processing');

/** `TransactionCreated`, then `LedgerChanged`, the ledger fact (`paymentDraft`). Money that does not count yet has none. */
export function factsOfNew(state: LoanState, { transaction, move, recording }: Made): readonly FactDraft[] {
  const body: TransactionCreated = { move, transaction, caseId: recording.caseId };
  const created: FactDraft = { type: 'TransactionCreated', body };
  const { payment } = transaction;
  return payment === null
    ? [created]
    : [created, paymentDraft(state, transaction, nextPaymentNumber(state), moneyStatusAfter(move), recording)];
}

function payerOf(
  { state, env, command }: CommandContext<LoanState>,
  { paymentInstrumentId }: CreateTransactionRequest,
): FoundInstrument | null {
  if (paymentInstrumentId == null) return null;
  const { personId } = recordOf(state);
  const onPath = command.params['personId'] === undefined ? undefined : resolveId(env, env.tenant, 'person', command.params['personId']);
  const isPayer = onPath !== undefined && payersOn(recordOf(state), todayOf(env, state)).includes(onPath);
  const persons = isPayer ? [onPath, personId] : [personId];
  return (
    findInstrument(env, persons, paymentInstrumentId) ??
    refuse('ruleViolation', `There is no payment instrument ${paymentInstrumentId}.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a payment instrument of the borrower', message: 'there is no such object' }],
    })
  );
}

function checkPermissions({ command }: CommandContext<LoanState>, { type }: CreateTransactionRequest, isExternal: boolean): void {
  if (type === 'serviceCredit') requirePermission(command, 'transaction:create.servicecredit');
  else if (isExternal) {
    requirePermission(command, 'transaction:create');
    requirePermission(command, 'payment.instrument:external');
  } else requirePermission(command, type === 'downPayment' ? 'transaction:create.downpayment' : 'transaction:create.onetimepayment');
}

/** The number of the draw that the payment is directed to; 400 for a loan without draws, 409 if the draw accepts no payments. */
function directedDraw(context: CommandContext<LoanState>, { drawId }: CreateTransactionRequest): number | null {
  if (drawId == null) return null;
  if (recordOf(context.state).type === 'installment')
    refuseFaults([{ path: 'drawId', expected: 'nothing', message: 'can only be set for a line of credit' }]);
  const draw = drawOf(context.state, drawId);
  requireDrawMove(context, draw, 'pay');
  return draw.draw;
}

/** Checks what the loan's status and its product allow. */
function checkLoan({ state, env }: CommandContext<LoanState>, { type }: CreateTransactionRequest, isExternal: boolean): void {
  requireMove(state, type === 'downPayment' ? 'payDown' : 'pay');
  if (!isExternal && isWithAgency(state)) {
    refuse('invalidState', 'A collection agency services the loan. Only external transactions are accepted.', {
      errors: [{ path: 'isExternal', expected: 'true', message: 'the loan is with a collection agency' }],
    });
  }
  // External money is recorded in any case. A service credit is always the lender's own, external or not.
  if ((isExternal && type !== 'serviceCredit') || statusOf(state) !== 'chargedOff') return;
  if (!productOn(state, env, todayOf(env, state)).paymentAllowedWhenChargedOff) {
    refuse('invalidState', 'The product does not accept payments on charged-off loans.', {
      errors: [{ path: 'status', expected: 'active or accelerated', message: 'the loan is chargedOff' }],
    });
  }
}

/** Only an active payment instrument can be charged; an external one is only recorded. */
function checkPayer(payer: FoundInstrument | null, isExternal: boolean): void {
  if (payer === null || isExternal || payer.instrument.status === 'active') return;
  const { id, status } = payer.instrument;
  refuse('invalidState', `The payment instrument ${id} is ${status}; it must be active.`, {
    errors: [{ path: 'paymentInstrumentId', expected: 'an active payment instrument', message: `it is ${status}` }],
  });
}

/** A card is charged until the end of the month in which it expires, and only while there is a processor for it. */
function checkCard({ state, env }: CommandContext<LoanState>, { instrument }: FoundInstrument): void {
  const { id, instrumentType, details } = instrument;
  if (instrumentType !== 'card') return;
  const today = todayOf(env, state);
  if (isExpiredOn(details, today))
    refuse('invalidState', `The card ${id} has expired.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a card that has not expired', message: 'the card has expired' }],
    });
  const type = paymentTypeOfCard(details.cardType);
  if (processorFor(companyOf(env, state.tenant), productOn(state, env, today), type) === null)
    refuse('businessValidation', `No active payment processor takes payments by ${type} for the loan.`);
}

/** Refuses a credit above the balances that it can lower, and names the largest possible credit. */
function checkCreditFits({ state, env }: CommandContext<LoanState>, made: Made): void {
  const { transaction } = made;
  const payment = nextPaymentNumber(state);
  const { change, recordedDay } = paymentDraft(state, transaction, payment, 'settled', made.recording).body;
  const fact = { ...change, effective: transaction.effective, sequence: payment, recordedDay } as AnyLedgerFact;
  const after = simulatedWith(state, env, fact);
  const at = positionOfPayment(after.payments, payment);
  const overCents = (at < 0 ? undefined : after.payments.at(at))?.overCents ?? 0;
  if (overCents === 0) return;
  const largest = cents(transaction.scheduledCents - overCents);
  refuse('amountExceedsEligible', 'The credit is larger than the balances that credits can lower.', {
    errors: [{ path: 'amount', expected: `${formatCents(largest)} or less`, message: 'is more than the balances that credits can lower' }],
    extra: { maximumAmount: amount(largest) },
  });
}

const readCredit = (details: NonNullable<CreateTransactionRequest['serviceCreditDetails']>): NewTransaction['serviceCredit'] => ({
  type: details.type,
  sponsor: details.sponsor ?? null,
  reason: details.reason ?? null,
  displayName: details.displayName ?? null,
});
