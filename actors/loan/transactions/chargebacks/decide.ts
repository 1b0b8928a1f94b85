import { cents, type Cents, formatCents, must } from '../../../../engine/index.js';
import { failureReasonOf } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf } from '../../../wire.js';
import { orderReply } from '../../commands/order.js';
import { activationOf, effectiveNow, requireCase, requireMove, requirePerson } from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { type NewTransaction, someDetails } from '../new-record.js';
import type { TransactionCreated, TransactionUpdated } from '../evolve.js';
import { refuseDone, transactionOf } from '../check.js';
import { moveBetween, type TransactionStatus } from '../machine.js';
import {
  chargebackReversedDraft,
  chargedBackDraft,
  reinstateMoney,
  paymentDraft,
  moveDraft,
  nextPaymentNumber,
  type Recording,
  voidMoney,
  voidDraft,
} from '../moves.js';
import { isCredit, movedCents, type TransactionRecord } from '../record.js';
import { feesUndone, returnFee } from '../return-fees.js';
import {
  type Chargeback,
  type ChargebackDetails,
  type ChargebackMove,
  chargebackMoveBetween,
  type ChargebackMoved,
  type ChargebackRecorded,
  chargebacksOf,
  chargebackView,
  type CreateChargebackRequest,
  disputedCents,
  lostCents,
  statusAfter,
  targetOf,
  type UpdateChargebackRequest,
} from './record.js';

/** A payment, its chargebacks after a move, and the chargeback that moved. */
interface Disputed {
  readonly record: TransactionRecord;
  readonly after: readonly Chargeback[];
  readonly move: ChargebackMove;
  readonly chargeback: Chargeback;
}

/**
 * The facts of a payment after a move of its chargebacks. It is in dispute while one is open, charged back if nothing of it is left,
 * otherwise succeeded. The ledger counts what is left, from the payment's own effective time. If the loan type has an order for
 * charge-backs, the ledger counts the whole payment, and what it had paid is owed again from now on.
 */
function paymentAfter({ state }: CommandContext<LoanState>, disputed: Disputed, recording: Recording): readonly FactDraft[] {
  const { record, after } = disputed;
  const actualCents = movedCents(record);
  const leftCents = cents(actualCents - lostCents(after));
  const status = leftCents === 0 ? 'chargeback' : after.some((chargeback) => chargeback.status === 'open') ? 'inDispute' : 'succeeded';
  if (isOwedAgain(state)) return owedAgain(state, disputed, status, recording);
  if (status === 'chargeback') return record.status === status ? [] : voidMoney(record, 'chargeBack', {}, recording);
  if (record.status === 'chargeback') return reinstateMoney(state, record, {}, recording, leftCents);
  const recount = recountOf(state, record, leftCents, recording);
  const changes = recount === null ? {} : { payment: recount.payment };
  const move = status === record.status ? null : must(moveBetween(record.status, status), `a way from ${record.status} to ${status}`);
  if (move !== null) return [moveDraft(record, move, changes, recording.caseId), ...(recount?.facts ?? [])];
  if (recount === null) return [];
  const body: TransactionUpdated = { transactionId: record.id, changes, caseId: recording.caseId };
  return [{ type: 'TransactionUpdated', body }, ...recount.facts];
}

/** Whether the loan type has an order in which a charge-back makes paid amounts owed again. */
const isOwedAgain = ({ servicing }: LoanState): boolean => (servicing?.contract.terms.keeping?.chargebackOrder ?? null) !== null;

/** The payment stays as it was. What it had paid is owed again after a chargeback is lost, until that is reversed. */
function owedAgain(
  state: LoanState,
  { record, move, chargeback }: Disputed,
  status: TransactionStatus,
  recording: Recording,
): readonly FactDraft[] {
  const known = state.chargebacks.findIndex(({ id }) => id === chargeback.id);
  const number = known === -1 ? state.chargebacks.length : known;
  const payment = must(record.payment ?? undefined, 'the ledger counts what can be disputed');
  const moved =
    status === record.status
      ? []
      : [moveDraft(record, must(moveBetween(record.status, status), `a way from ${record.status} to ${status}`), {}, recording.caseId)];
  if (move === 'lose') return [...moved, chargedBackDraft({ chargeback: number, payment, amountCents: chargeback.amountCents }, recording)];
  return move === 'reverse' ? [...moved, chargebackReversedDraft(number, recording)] : moved;
}

interface Recount {
  readonly payment: number;
  readonly facts: readonly FactDraft[];
}

/** Voids the payment and counts what is left of it. Null if the ledger counts that amount already. */
function recountOf(state: LoanState, record: TransactionRecord, leftCents: Cents, recording: Recording): Recount | null {
  if (record.payment === null || countedCents(state, record.payment) === leftCents) return null;
  const payment = nextPaymentNumber(state, 1);
  return {
    payment,
    facts: [
      voidDraft(record.payment, recording),
      paymentDraft(state, { ...record, actualCents: leftCents }, payment, 'settled', recording),
    ],
  };
}

function countedCents(state: LoanState, payment: number): Cents {
  const counted = must(activationOf(state), `${state.id} has no ledger`).facts.at(payment - 1)?.fact;
  if (counted?.type !== 'payment') throw new TypeError(`${state.id} counts no payment ${payment}`);
  return counted.amountCents;
}

/** The transaction of the part that was charged back. The ledger does not count it, but counts what is left of the payment. */
function partCreated(id: string, record: TransactionRecord, amountCents: Cents, { at, today, caseId }: Recording): FactDraft {
  const transaction: NewTransaction = {
    id,
    transactionType: 'chargeback',
    isExternal: record.isExternal,
    scheduledCents: amountCents,
    actualCents: amountCents,
    instrument: record.instrument,
    currency: record.currency,
    serviceCredit: null,
    payment: null,
    effective: at,
    originalEffectiveDay: today,
    scheduledDay: today,
    settlement: null,
    hold: null,
    toldDueOn: null,
    reimbursement: null,
    returnFeeCounter: null,
    createdWhile: record.createdWhile,
    parentTransactionId: record.id,
    ...someDetails({ caseId }),
  };
  const body: TransactionCreated = { move: 'succeed', transaction, caseId };
  return { type: 'TransactionCreated', body };
}

/** Fails the transaction of the part after its chargeback was reversed. */
function partWithdrawn(state: LoanState, { partTransactionId }: Chargeback, { caseId }: Recording): readonly FactDraft[] {
  if (partTransactionId === null) return [];
  const part = must(state.transactions.get(partTransactionId), `${state.id} knows no transaction ${partTransactionId}`);
  return [moveDraft(part, 'fail', {}, caseId)];
}

/** `POST L/transactions/{transactionId}/chargebacks`. */
export const createChargeback: CommandSpec<LoanState, CreateChargebackRequest> = {
  kind: 'loan',
  type: 'chargeback.create',
  place: { on: 'target' },
  decide(context) {
    const { request, record, known, recording } = begin(context);
    requireDisputable(record);
    const { env } = context;
    const amountCents = centsOf(request.amount);
    const move = request.status === 'open' ? 'open' : 'lose';
    const isPart = move === 'lose' && amountCents < movedCents(record);
    const body: ChargebackRecorded = {
      move,
      id: env.newId('TC'),
      transactionId: record.id,
      amountCents,
      partTransactionId: isPart ? env.newId('TX') : null,
      description: request.description ?? null,
      externalCaseNumber: request.externalCaseNumber ?? null,
      reasonCode: request.reasonCode ?? null,
      category: request.category ?? null,
      caseId: recording.caseId,
    };
    const { move: _move, caseId: _caseId, ...fields } = body;
    const chargeback: Chargeback = { ...fields, status: statusAfter('new', move), createdAt: env.now, updatedAt: env.now };
    const after = [...known, chargeback];
    requireFits(record, after);
    const part = body.partTransactionId === null ? [] : [partCreated(body.partTransactionId, record, amountCents, recording)];
    const facts = [
      { type: 'ChargebackRecorded', body },
      ...part,
      ...paymentAfter(context, { record, after, move, chargeback }, recording),
      ...(move === 'lose' ? feeOfReturn(context, record, body, recording) : []),
    ];
    return decided(context, request, body.id, facts);
  },
};

/** `PUT L/transactions/{transactionId}/chargebacks/{chargebackId}`: changes its status and details. */
export const updateChargeback: CommandSpec<LoanState, UpdateChargebackRequest> = {
  kind: 'loan',
  type: 'chargeback.update',
  place: { on: 'target' },
  decide(context) {
    const { request, record, known, recording } = begin(context);
    const before = chargebackOf(known, context.command.params['chargebackId']);
    const move = moveOf(before, request);
    const isLostInPart =
      move === 'lose' && (request.amount === undefined ? before.amountCents : centsOf(request.amount)) < movedCents(record);
    const changes: ChargebackMoved['changes'] = {
      ...detailsOf(request),
      ...(request.amount === undefined ? {} : { amountCents: amendedCents(before, request.amount) }),
      ...(isLostInPart ? { partTransactionId: context.env.newId('TX') } : {}),
    };
    const moved: Chargeback = { ...before, ...changes, status: statusAfter(before.status, move) };
    const after = known.map((chargeback) => (chargeback === before ? moved : chargeback));
    requireFits(record, after);
    const body: ChargebackMoved = { chargebackId: before.id, move, changes, caseId: recording.caseId };
    const facts: FactDraft[] = [{ type: 'ChargebackMoved', body }];
    if (isLostInPart) facts.push(partCreated(must(moved.partTransactionId, 'a part has a record'), record, moved.amountCents, recording));
    if (move === 'reverse') facts.push(...partWithdrawn(context.state, before, recording));
    facts.push(...paymentAfter(context, { record, after, move, chargeback: moved }, recording));
    if (move === 'lose') facts.push(...feeOfReturn(context, record, moved, recording));
    if (move === 'reverse') facts.push(...feesUndone(context.state, context.env, record.id, recording));
    return decided(context, request, before.id, facts);
  },
};

interface Begun<Request> {
  readonly request: Request;
  readonly record: TransactionRecord;
  /** All chargebacks of the payment. */
  readonly known: readonly Chargeback[];
  readonly recording: Recording;
}

function begin<Request extends Pick<ActionRequest, 'caseId'>>(context: CommandContext<LoanState, Request>): Begun<Request> {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  const record = transactionOf(state, command.params['transactionId']);
  refuseDone(record);
  if (record.status === 'failed') refuse('invalidState', 'The transaction has failed: there is nothing to dispute.');
  requireMove(state, 'manageMoney');
  requireCase(env, state, command, request.caseId);
  const at = effectiveNow(env, state);
  return {
    request,
    record,
    known: chargebacksOf(state.chargebacks, record.id),
    recording: { at, today: at.day, caseId: request.caseId ?? null },
  };
}

/** The fee of a returned payment, for a chargeback whose code is a bank's return for insufficient funds. */
function feeOfReturn(
  { state, env }: CommandContext<LoanState>,
  record: TransactionRecord,
  { reasonCode }: ChargebackDetails,
  recording: Recording,
): readonly FactDraft[] {
  return reasonCode === null ? [] : returnFee(state, env, { record, failureReason: failureReasonOf(reasonCode), recording });
}

/** 409 unless the payment was made by bank account or card and counts. */
function requireDisputable(record: TransactionRecord): void {
  if (isCredit(record)) refuse('invalidState', 'A credit cannot be charged back: it has moved no money.');
  const instrumentType = record.instrument?.instrumentType ?? null;
  if (instrumentType !== null && instrumentType !== 'bankAccount' && instrumentType !== 'card') {
    refuse('invalidState', `A payment by ${instrumentType} cannot be charged back.`, {
      errors: [
        { path: 'transactionId', expected: 'a payment by bank account or card', message: `the payment was made by ${instrumentType}` },
      ],
    });
  }
  if (record.status === 'succeeded' || record.status === 'inDispute') return;
  refuse('invalidState', `The transaction is ${record.status}; it must be succeeded or inDispute.`, {
    errors: [{ path: 'status', expected: 'succeeded or inDispute', message: `the transaction is ${record.status}` }],
  });
}

/** 422 if more would be disputed than was paid. */
function requireFits(record: TransactionRecord, after: readonly Chargeback[]): void {
  const actualCents = movedCents(record);
  const excessCents = disputedCents(after) - actualCents;
  if (excessCents <= 0) return;
  const largest = formatCents(cents(Math.max(0, (after.at(-1)?.amountCents ?? 0) - excessCents)));
  refuse('ruleViolation', 'The chargebacks would exceed the payment.', {
    errors: [{ path: 'amount', expected: `${largest} or less`, message: `the payment is ${formatCents(actualCents)}` }],
  });
}

export function chargebackOf(known: readonly Chargeback[], id: string | undefined): Chargeback {
  return known.find((chargeback) => chargeback.id === id) ?? refuse('notFound', `The transaction has no chargeback ${id ?? ''}.`);
}

function moveOf(before: Chargeback, { status }: UpdateChargebackRequest): ChargebackMoved['move'] {
  if (status === undefined || status === before.status) return 'describe';
  const move = chargebackMoveBetween(before.status, status);
  if (move !== undefined) return move;
  return refuse('invalidState', `A chargeback with the status ${before.status} cannot become ${status}.`, {
    errors: [{ path: 'status', expected: 'a status to which it can move', message: `the chargeback is ${before.status}` }],
  });
}

function amendedCents(before: Chargeback, amount: number): Chargeback['amountCents'] {
  const amountCents = centsOf(amount);
  if (amountCents === before.amountCents || targetOf(before.status, 'amend') !== undefined) return amountCents;
  return refuse('invalidState', `The chargeback is ${before.status}: its amount can no longer be changed.`, {
    errors: [{ path: 'amount', expected: 'an open chargeback', message: `the chargeback is ${before.status}` }],
  });
}

const DETAILS = ['description', 'externalCaseNumber', 'reasonCode', 'category'] as const satisfies readonly (keyof ChargebackDetails)[];

function detailsOf(request: UpdateChargebackRequest): Partial<ChargebackDetails> {
  const details: Record<string, unknown> = {};
  for (const name of DETAILS) if (request[name] !== undefined) details[name] = request[name];
  return details;
}

function decided(
  context: CommandContext<LoanState>,
  request: Pick<ActionRequest, 'previewMode'>,
  id: string,
  facts: readonly FactDraft[],
): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: chargebackView(chargebackOf(after.chargebacks, id)) }),
  };
}
