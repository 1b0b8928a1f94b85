import { cents, formatCents, formatDay, type Day, type PrincipalRaised } from '../../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf, dayOfText, secondsOf } from '../../../wire.js';
import { effectiveNow, END_OF_DAY_SECONDS, requireCase, requirePerson, requireProduct, requireMove } from '../../context.js';
import { findDraw } from '../../draws/draw.js';
import type { LedgerChange, LedgerChanged } from '../../facts.js';
import type { LoanState } from '../../state.js';
import type { Why } from '../../applying.js';
import { checkExternalId } from '../../transactions/check.js';
import {
  type PastTransactionMoved,
  type PastTransactionRecorded,
  pastTransactionView,
  type PastExternalIdCleared,
  type PastTransactionReversed,
} from './evolve.js';
import { beginRecording, historyOf, refuseHistory } from './taking.js';
import { type PastSplit, type PastTransaction, pastTransactionChart, type PastTransactionTerms } from './history.js';
import type { MovePastTransactionRequest, PastSplitRequest, PastTransactionRequest } from './types.js';
import { orderReply } from '../../commands/order.js';
import type { ActionRequest } from '../../requests.js';
import type { CancelTransactionQuery, CancelTransactionRequest, ReverseTransactionRequest } from '../../transactions/requests.js';
import { isInPreparation } from '../stage.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

const TYPES = { oneTime: 'payment', downPayment: 'downPayment', serviceCredit: 'serviceCredit' } as const;

/** `POST L/migration/past-transaction`: a transaction from before the cutoff, which changes no balance. */
export const recordPastTransaction: CommandSpec<LoanState, PastTransactionRequest> = {
  kind: 'loan',
  type: 'migration.recordPastTransaction',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    const { state, env } = context;
    requireReason(request.status, request.failureReason);
    const effectiveDay = dayOfText(request.effectiveDate);
    const amountCents = centsOf(request.amount);
    const { splits, faults } = readSplits(state, request.drawSplitDetails ?? []);
    const splitCents = cents(
      splits.reduce((sum, { principalCents, interestCents, feesCents }) => sum + principalCents + interestCents + feesCents, 0),
    );
    refuseHistory([
      ...dateFaults(state, effectiveDay),
      ...faults,
      ...(splitCents <= amountCents
        ? []
        : [
            {
              path: 'drawSplitDetails',
              expected: `${formatCents(amountCents)} or less`,
              message: `has the sum ${formatCents(splitCents)}`,
            },
          ]),
    ]);
    checkExternalId(env, env.tenant, request.externalId);
    const transaction: PastTransactionTerms = {
      id: env.newId('TX'),
      externalId: request.externalId ?? null,
      transactionType: TYPES[request.type ?? 'oneTime'],
      status: request.status ?? 'succeeded',
      amountCents,
      effectiveDay,
      effectiveSeconds: request.effectiveTimeOfDay == null ? END_OF_DAY_SECONDS : secondsOf(request.effectiveTimeOfDay),
      instrumentType: request.paymentInstrumentType ?? null,
      failureReason: request.status === 'failed' ? (request.failureReason ?? null) : null,
      splits,
      parentTransactionId: null,
      reversedByTransactionId: null,
      caseId: request.caseId ?? null,
      metaData: request.metaData ?? null,
    };
    const body: PastTransactionRecorded = { transaction };
    return {
      facts: [{ type: 'PastTransactionRecorded', body }],
      reply: (after) => ({ data: pastTransactionView(after, pastTransactionOf(after, transaction.id)) }),
    };
  },
};

/** `PUT L/migration/past-transaction/{transactionId}`: changes the status, from pending on or to failed. */
export const movePastTransaction: CommandSpec<LoanState, MovePastTransactionRequest> = {
  kind: 'loan',
  type: 'migration.movePastTransaction',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body } = context;
    const { status, failureReason, caseId } = body;
    requirePerson(state, command.params['personId'], env);
    requireProduct(state, 'lineOfCredit');
    requireCase(env, state, command, caseId);
    const past = pastTransactionOf(state, command.params['transactionId']);
    requireReason(status, failureReason);
    requireUndone(past);
    const allowed = pastTransactionChart.nextStates(past.status);
    if (!allowed.includes(status)) {
      refuse('invalidState', `The past transaction is ${past.status}.`, {
        errors: [
          {
            path: 'status',
            expected: allowed.length === 0 ? 'nothing' : allowed.join(' or '),
            message: `the transaction is ${past.status}`,
          },
        ],
      });
    }
    const moved: PastTransactionMoved = { transactionId: past.id, status, failureReason: failureReason ?? null };
    return {
      facts: [
        { type: 'PastTransactionMoved', body: moved },
        ...(status === 'failed' ? owedAgain(context, past, { caseId: caseId ?? null, reason: 'pastTransactionFailed' }) : []),
      ],
      reply: (after) => ({ data: pastTransactionView(after, pastTransactionOf(after, past.id)) }),
    };
  },
};

/** 409 for transactions that accept no further action: reversals, and those that were reversed. */
function requireUndone({ transactionType, reversedByTransactionId }: PastTransaction): void {
  if (transactionType === 'reversal') refuse('invalidState', 'A reversal cannot be changed.');
  if (reversedByTransactionId !== null) refuse('invalidState', 'The transaction was reversed and cannot be changed.');
}

/**
 * The facts by which each draw owes its share of the transaction again. None before the migration: the balances at the cutoff already
 * show it.
 */
function owedAgain({ state, env }: CommandContext<LoanState>, { splits }: PastTransaction, { caseId, reason }: Why): readonly FactDraft[] {
  if (state.line === null) return [];
  const effective = effectiveNow(env, state);
  return splits.flatMap(({ drawId, principalCents, interestCents, feesCents }): readonly FactDraft[] => {
    const draw = findDraw(state, drawId);
    const amountCents = cents(principalCents + interestCents + feesCents);
    if (draw === undefined || amountCents === 0) return [];
    const change: LedgerChange<PrincipalRaised> = { type: 'principalRaised', draw: draw.draw, amountCents };
    const body: LedgerChanged = { change, recordedDay: effective.day, caseId, reason };
    return [{ type: 'LedgerChanged', body, effective }];
  });
}

function requireReason(status: string | undefined, failureReason: string | null | undefined): void {
  if (status === 'failed' && failureReason == null)
    refuseProperty('failureReason', 'the reason of the failure', '`failureReason` is required for a failed transaction.');
}

/** A past transaction is from the activation to the cutoff; later ones are recorded as usual. */
function dateFaults(state: LoanState, day: Day): readonly Fault[] {
  const from = state.migration?.activatedDay ?? null;
  const cutoff = historyOf(state).period?.statementDay ?? null;
  const faults: Fault[] = [];
  if (from !== null && day < from)
    faults.push({ path: 'effectiveDate', expected: `${formatDay(from)} or later`, message: 'is before activation' });
  if (cutoff !== null && day >= cutoff) {
    faults.push({
      path: 'effectiveDate',
      expected: `before ${formatDay(cutoff)}`,
      message: 'is after the cutoff: record it as a current transaction',
    });
  }
  return faults;
}

function readSplits(
  state: LoanState,
  sent: readonly PastSplitRequest[],
): { readonly splits: readonly PastSplit[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const splits = sent.map(({ drawId, principalAmount, interestAmount, feesAmount }, index): PastSplit => {
    const draw = findDraw(state, drawId);
    if (draw === undefined)
      faults.push({ path: `drawSplitDetails[${index}].drawId`, expected: 'a draw of the line', message: 'there is no such draw' });
    return {
      drawId: draw?.id ?? drawId,
      principalCents: centsOf(principalAmount ?? 0),
      interestCents: centsOf(interestAmount ?? 0),
      feesCents: centsOf(feesAmount ?? 0),
    };
  });
  return { splits, faults };
}

/** The past transaction that an id names; 404 if there is none. */
function pastTransactionOf(state: LoanState, anyId: string | undefined): PastTransaction {
  return findPastTransaction(state, anyId) ?? refuse('notFound', `The line of credit ${state.id} has no past transaction ${anyId ?? ''}.`);
}

export const findPastTransaction = (state: LoanState, anyId: string | undefined): PastTransaction | undefined =>
  historyOf(state).pastTransactions.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/**
 * `POST L/transactions/{transactionId}/reverse` of a past transaction: a linked transaction returns the money. After the migration, each
 * draw owes its share again; before it, the balances at the cutoff must show the reversal.
 */
export function reversePast(context: Context<ReverseTransactionRequest>): Decision<LoanState> {
  const { state, env } = context;
  const { request, past } = begin(context);
  if (past.status !== 'succeeded') {
    refuse('invalidState', `The past transaction is ${past.status}.`, {
      errors: [{ path: 'status', expected: 'succeeded', message: `the transaction is ${past.status}` }],
    });
  }
  const caseId = request.caseId ?? null;
  const { day: effectiveDay, seconds: effectiveSeconds } = effectiveNow(env, state);
  const reversal: PastTransactionTerms = {
    id: env.newId('TX'),
    externalId: null,
    transactionType: 'reversal',
    status: 'succeeded',
    amountCents: past.amountCents,
    effectiveDay,
    effectiveSeconds,
    instrumentType: past.instrumentType,
    failureReason: null,
    splits: past.splits,
    parentTransactionId: past.id,
    reversedByTransactionId: null,
    caseId,
    metaData: null,
  };
  const body: PastTransactionReversed = { transactionId: past.id, reversal };
  return decided(context, request, past, [
    { type: 'PastTransactionReversed', body },
    ...owedAgain(context, past, { caseId, reason: 'pastTransactionReversed' }),
  ]);
}

/** `POST L/transactions/{transactionId}/cancel` of a past transaction: keeps it and frees its external id. */
export function clearPast(context: CommandContext<LoanState, CancelTransactionRequest, CancelTransactionQuery>): Decision<LoanState> {
  const { request: body, past } = begin(context);
  const request = { ...context.command.query, ...body };
  if (request.clearExternalId !== true) {
    refuse('invalidState', 'A past transaction cannot be canceled. Set `clearExternalId` to true to free its external id.', {
      errors: [{ path: 'clearExternalId', expected: 'true', message: 'the transaction is past' }],
    });
  }
  const cleared: PastExternalIdCleared = { transactionId: past.id, caseId: request.caseId ?? null };
  return decided(context, request, past, past.externalId === null ? [] : [{ type: 'PastExternalIdCleared', body: cleared }]);
}

function begin<Request extends Pick<ActionRequest, 'caseId'>>(
  context: Context<Request>,
): { readonly request: Request; readonly past: PastTransaction } {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  const past = pastTransactionOf(state, command.params['transactionId']);
  requireUndone(past);
  if (!isInPreparation(state)) requireMove(state, 'manageMoney');
  requireCase(env, state, command, request.caseId);
  return { request, past };
}

const decided = (
  context: Context,
  request: Pick<ActionRequest, 'previewMode'>,
  { id }: PastTransaction,
  facts: Decision<LoanState>['facts'],
): Decision<LoanState> => ({
  facts,
  preview: request.previewMode === true,
  reply: (after) => orderReply(context, request, { data: pastTransactionView(after, pastTransactionOf(after, id)) }),
});
