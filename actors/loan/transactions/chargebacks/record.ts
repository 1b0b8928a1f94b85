import { setup } from 'xstate';
import { assert, type Cents, must, sum } from '../../../../engine/index.js';
import type { EventDraft } from '../../../kernel/fact.js';
import type { PageQuery } from '../../../list-order.js';
import { Chart, STAYS } from '../../../statechart.js';
import {
  amount,
  type Amount,
  type AnyId,
  dateTimeText,
  type DateTimeText,
  type PositiveAmount,
  type ShortText,
  type Text,
} from '../../../wire.js';
import { recordOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../tell.js';

/** Every status of a chargeback, with the moment before its first one. */
const CHARGEBACK_STATUSES = ['new', 'open', 'won', 'lost', 'reversed'] as const;

export type ChargebackStatus = Exclude<(typeof CHARGEBACK_STATUSES)[number], 'new'>;

/**
 * The life of a chargeback: while it is open the payment is in dispute and still counts; once it is lost the money is gone
 * from the ledger, until the bank gives it back after all.
 */
export const chargebackMachine = setup({
  types: { events: {} as { readonly type: ChargebackMove } },
}).createMachine({
  id: 'chargeback',
  initial: 'new',
  states: {
    new: { on: { open: 'open', lose: 'lost' } },
    open: { on: { win: 'won', lose: 'lost', amend: STAYS, describe: STAYS } },
    won: { on: { describe: STAYS } },
    lost: { on: { reverse: 'reversed', describe: STAYS } },
    reversed: { on: { describe: STAYS } },
  },
});

export type ChargebackMove = 'open' | 'win' | 'lose' | 'reverse' | 'amend' | 'describe';

export const chargebackChart = new Chart<ChargebackStatus | 'new', ChargebackMove>(chargebackMachine);

/** Undefined when the status does not allow the move. */
export const targetOf = (from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus | 'new' | undefined =>
  chargebackChart.target(from, move);

export function statusAfter(from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus {
  const target = chargebackChart.after(from, move);
  assert(target !== 'new', 'a chargeback begins with a move');
  return target;
}

/** The move that leads from one status to another; undefined when none does. */
export const chargebackMoveBetween = (from: ChargebackStatus | 'new', to: ChargebackStatus): ChargebackMove | undefined =>
  chargebackChart.moveBetween(from, to);

type ChargebackCategory = 'fraud' | 'authorization' | 'processingError' | 'consumerDispute' | 'unauthorizedDebit';

/** What the holder of the account or card has disputed of a payment. */
export interface Chargeback extends ChargebackDetails {
  readonly id: string;
  readonly transactionId: string;
  readonly amountCents: Cents;
  readonly status: ChargebackStatus;
  /** The record of the money that went back, where only a part of the payment was charged back. */
  readonly partTransactionId: string | null;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ChargebackDetails {
  readonly description: string | null;
  readonly externalCaseNumber: string | null;
  readonly reasonCode: string | null;
  readonly category: ChargebackCategory | null;
}

export const chargebacksOf = (all: readonly Chargeback[], transactionId: string): readonly Chargeback[] =>
  all.length === 0 ? all : all.filter((chargeback) => chargeback.transactionId === transactionId);

/** What of a payment was charged back for good, as far as anybody knows. */
export const lostCents = (chargebacks: readonly Chargeback[]): Cents =>
  sum(chargebacks.filter(({ status }) => status === 'lost').map(({ amountCents }) => amountCents));

/** What of a payment is charged back or may still be. */
export const disputedCents = (chargebacks: readonly Chargeback[]): Cents =>
  sum(chargebacks.filter(({ status }) => status === 'lost' || status === 'open').map(({ amountCents }) => amountCents));

/** Applies the facts of chargebacks. */
export const APPLY_CHARGEBACKS: {
  readonly [Type in keyof ChargebackFacts]: (applying: Applying, body: ChargebackFacts[Type]) => void;
} = {
  ChargebackRecorded: recorded,
  ChargebackMoved: moved,
};

function recorded({ state, fact, emit }: Applying, body: ChargebackRecorded): void {
  const { id, transactionId, amountCents, partTransactionId, description, externalCaseNumber, reasonCode, category } = body;
  const { businessAt: at } = fact;
  const chargeback: Chargeback = {
    id,
    transactionId,
    amountCents,
    status: statusAfter('new', body.move),
    partTransactionId,
    description,
    externalCaseNumber,
    reasonCode,
    category,
    createdAt: at,
    updatedAt: at,
  };
  state.chargebacks = [...state.chargebacks, chargeback];
  tellMove(emit, state, body.move, chargeback);
}

function moved({ state, fact, emit }: Applying, { chargebackId, move, changes }: ChargebackMoved): void {
  const before = must(
    state.chargebacks.find(({ id }) => id === chargebackId),
    `${state.id} knows no chargeback ${chargebackId}`,
  );
  const after: Chargeback = { ...before, ...changes, status: statusAfter(before.status, move), updatedAt: fact.businessAt };
  state.chargebacks = state.chargebacks.map((chargeback) => (chargeback === before ? after : chargeback));
  tellMove(emit, state, move, after);
}

const EVENTS: Partial<Record<ChargebackMove, string>> = { lose: 'payment.chargeback', reverse: 'payment.chargeback.reversed' };

function tellMove(emit: Applying['emit'], state: LoanState, move: ChargebackMove, chargeback: Chargeback): void {
  const eventType = EVENTS[move];
  if (emit === null || eventType === undefined) return;
  emit(eventOf(state, eventType, chargeback));
}

function eventOf(state: LoanState, eventType: string, { id, transactionId, amountCents, reasonCode }: Chargeback): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'transaction',
    objectId: transactionId,
    refs: { loanId: state.id, personId, transactionId },
    externalIds: { loanId: externalId, transactionId: state.transactions.get(transactionId)?.externalId ?? null },
    data: { transactionId, chargebackId: id, amount: amount(amountCents), reasonCode },
  };
}

/**
 * What happens to chargebacks. What follows for the payment and the ledger are facts of their own, in the same batch.
 */
export interface ChargebackFacts {
  readonly ChargebackRecorded: ChargebackRecorded;
  readonly ChargebackMoved: ChargebackMoved;
}

export interface ChargebackRecorded
  extends ChargebackDetails,
    Pick<Chargeback, 'id' | 'transactionId' | 'amountCents' | 'partTransactionId'> {
  readonly move: Extract<ChargebackMove, 'open' | 'lose'>;
  readonly caseId: string | null;
}

/** `changes`: the fields that change, with their new values. */
export interface ChargebackMoved {
  readonly chargebackId: string;
  readonly move: ChargebackMove;
  readonly changes: Partial<ChargebackDetails & Pick<Chargeback, 'amountCents' | 'partTransactionId'>>;
  readonly caseId: string | null;
}

/** A chargeback as replies show it. */
export interface ChargebackView {
  readonly object: 'chargeback';
  readonly id: string;
  readonly originalTransactionId: string;
  readonly amount: Amount;
  readonly status: ChargebackStatus;
  readonly description: string | null;
  readonly externalCaseNumber: string | null;
  readonly reasonCode: string | null;
  readonly category: ChargebackCategory | null;
  /** The record of the money that went back, where only a part of the payment was charged back. */
  readonly chargebackTransactionId: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export const chargebackView = (chargeback: Chargeback): ChargebackView => ({
  object: 'chargeback',
  id: chargeback.id,
  originalTransactionId: chargeback.transactionId,
  amount: amount(chargeback.amountCents),
  status: chargeback.status,
  description: chargeback.description,
  externalCaseNumber: chargeback.externalCaseNumber,
  reasonCode: chargeback.reasonCode,
  category: chargeback.category,
  chargebackTransactionId: chargeback.partTransactionId,
  createdAt: dateTimeText(chargeback.createdAt),
  updatedAt: dateTimeText(chargeback.updatedAt),
  deletedAt: null,
});

/** Bodies of chargebacks. */

interface ChargebackDescription {
  readonly description?: Text | null;
  /** The case of the card network or bank. */
  readonly externalCaseNumber?: ShortText | null;
  /** Of the network, or a NACHA return code. */
  readonly reasonCode?: ShortText | null;
  readonly category?: ChargebackCategory | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface CreateChargebackRequest extends ChargebackDescription {
  /** All that is open or lost of one payment may not exceed it. */
  readonly amount: PositiveAmount;
  /** `lost`: the money is gone already. */
  readonly status: Extract<ChargebackStatus, 'open' | 'lost'>;
}

/** Absent fields are untouched. */
export interface UpdateChargebackRequest extends ChargebackDescription {
  readonly status?: ChargebackStatus;
  /** While it is open. */
  readonly amount?: PositiveAmount;
}

export type ListChargebacksQuery = PageQuery;
