import { cents, formatCents, must } from '../../../../engine/index.js';
import { failureReasonOf } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf } from '../../../wire.js';
import { finished } from '../../commands/order.js';
import { effectiveNow, requireBody, requireCase, requireMove, requirePerson } from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { refuseDone, transactionOf } from '../find.js';
import type { Recording } from '../ledger-facts.js';
import { isCredit, type TransactionRecord } from '../record.js';
import { feesUndone, returnFee } from '../return-fee.js';
import { partCreated, partWithdrawn, paymentAfter } from './effects.js';
import type { ChargebackMoved, ChargebackRecorded } from './evolve.js';
import { chargebackMoveBetween, statusAfter, targetOf } from './machine.js';
import { type Chargeback, type ChargebackDetails, chargebacksOf, disputedCents } from './record.js';
import type { CreateChargebackRequest, UpdateChargebackRequest } from './requests.js';
import { chargebackView } from './view.js';

/** `POST L/transactions/{transactionId}/chargebacks`. */
const createChargeback: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'chargeback.create',
  place: { on: 'target' },
  decide(context) {
    const { request, record, known, recording } = begin<CreateChargebackRequest>(context);
    requireDisputable(record);
    const { env } = context;
    const amountCents = centsOf(request.amount);
    const move = request.status === 'open' ? 'open' : 'lose';
    const isPart = move === 'lose' && amountCents < (record.actualCents ?? record.scheduledCents);
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

/** `PUT L/transactions/{transactionId}/chargebacks/{chargebackId}`: its status, and what is known of it. */
const updateChargeback: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'chargeback.update',
  place: { on: 'target' },
  decide(context) {
    const { request, record, known, recording } = begin<UpdateChargebackRequest>(context);
    const before = chargebackOf(known, context.command.params['chargebackId']);
    const move = moveOf(before, request);
    const isLostInPart =
      move === 'lose' &&
      (request.amount === undefined ? before.amountCents : centsOf(request.amount)) < (record.actualCents ?? record.scheduledCents);
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

export const chargebackCommands: readonly CommandSpec<LoanState>[] = [createChargeback, updateChargeback];

interface Begun<Request> {
  readonly request: Request;
  readonly record: TransactionRecord;
  /** All chargebacks of the payment. */
  readonly known: readonly Chargeback[];
  readonly recording: Recording;
}

function begin<Request extends Pick<ActionRequest, 'caseId'>>(context: CommandContext<LoanState>): Begun<Request> {
  const { state, env, command } = context;
  const request = requireBody<Request>(context.body);
  requirePerson(state, command.params['personId'], env);
  const record = transactionOf(state, command.params['transactionId']);
  refuseDone(record);
  if (record.status === 'failed') refuse('invalidState', 'The transaction has failed: nothing of it is left to dispute.');
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

/** A chargeback whose code is a bank's return for lack of funds brings the fee of one. */
function feeOfReturn(
  { state, env }: CommandContext<LoanState>,
  record: TransactionRecord,
  { reasonCode }: ChargebackDetails,
  recording: Recording,
): readonly FactDraft[] {
  return reasonCode === null ? [] : returnFee(state, env, { record, failureReason: failureReasonOf(reasonCode), recording });
}

/** Money that arrived by an account or a card, and counts. */
function requireDisputable(record: TransactionRecord): void {
  if (isCredit(record)) refuse('invalidState', 'A credit moved no money that could be charged back.');
  const instrumentType = record.instrument?.instrumentType ?? null;
  if (instrumentType !== null && instrumentType !== 'bankAccount' && instrumentType !== 'card') {
    refuse('invalidState', `Money that came by ${instrumentType} is not charged back.`, {
      errors: [{ path: 'transactionId', expected: 'a payment by bank account or card', message: `it came by ${instrumentType}` }],
    });
  }
  if (record.status === 'succeeded' || record.status === 'inDispute') return;
  refuse('invalidState', `The transaction is ${record.status}; it must be succeeded or inDispute.`, {
    errors: [{ path: 'status', expected: 'succeeded or inDispute', message: `the transaction is ${record.status}` }],
  });
}

/** 422 when more would be disputed than was paid. */
function requireFits(record: TransactionRecord, after: readonly Chargeback[]): void {
  const actualCents = record.actualCents ?? record.scheduledCents;
  const excessCents = disputedCents(after) - actualCents;
  if (excessCents <= 0) return;
  const largest = formatCents(cents(Math.max(0, (after.at(-1)?.amountCents ?? 0) - excessCents)));
  refuse('ruleViolation', 'More would be charged back than was paid.', {
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
  return refuse('invalidState', `A chargeback that is ${before.status} cannot become ${status}.`, {
    errors: [{ path: 'status', expected: 'a status that follows', message: `the chargeback is ${before.status}` }],
  });
}

function amendedCents(before: Chargeback, amount: number): Chargeback['amountCents'] {
  const amountCents = centsOf(amount);
  if (amountCents === before.amountCents || targetOf(before.status, 'amend') !== undefined) return amountCents;
  return refuse('invalidState', `The chargeback is ${before.status}: its amount is fixed.`, {
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
    reply: (after) => finished(context, request, { data: chargebackView(chargebackOf(after.chargebacks, id)) }),
  };
}
