import { setup } from 'xstate';
import { assert, type Cents, must, sum } from '../../../../engine/index.js';
import type { EventDraft } from '../../../kernel/fact.js';
import type { PageQuery } from '../../../list-order.js';
import { Chart, STAYS, moves } from '../../../statechart.js';
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
import { namesOfTransaction } from '../../events.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../applying.js';

/** Every status of a chargeback; `new` is before the first one. */
const CHARGEBACK_STATUSES = ['new', 'open', 'won', 'lost', 'reversed'] as const;

export type ChargebackStatus = Exclude<(typeof CHARGEBACK_STATUSES)[number], 'new'>;

/**
 * The statuses of a chargeback. While it is open, the payment is in dispute and still counts. Once it is lost, the ledger does not count
 * the money, unless the chargeback is reversed.
 */
export const chargebackMachine = setup({
  types: moves<ChargebackMove>(),
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

/** The status after a move; undefined if the status does not allow it. */
export const targetOf = (from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus | 'new' | undefined =>
  chargebackChart.target(from, move);

export function statusAfter(from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus {
  const target = chargebackChart.after(from, move);
  assert(target !== 'new', 'a chargeback begins with a move');
  return target;
}

/** The move that leads from one status to another; undefined if there is none. */
export const chargebackMoveBetween = (from: ChargebackStatus | 'new', to: ChargebackStatus): ChargebackMove | undefined =>
  chargebackChart.moveBetween(from, to);

export type ChargebackCategory = 'fraud' | 'authorization' | 'processingError' | 'consumerDispute' | 'unauthorizedDebit';

/** A dispute of a payment by the holder of the account or card. */
export interface Chargeback extends ChargebackDetails {
  readonly id: string;
  readonly transactionId: string;
  readonly amountCents: Cents;
  readonly status: ChargebackStatus;
  /** The transaction of the part that was charged back; null if the whole payment was. */
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

/** The part of a payment that was charged back and not reversed. */
export const lostCents = (chargebacks: readonly Chargeback[]): Cents =>
  sum(chargebacks.filter(({ status }) => status === 'lost').map(({ amountCents }) => amountCents));

/** The part of a payment that is charged back or in dispute. */
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
  emitMove(emit, state, body.move, chargeback);
}

function moved({ state, fact, emit }: Applying, { chargebackId, move, changes }: ChargebackMoved): void {
  const before = must(
    state.chargebacks.find(({ id }) => id === chargebackId),
    `${state.id} knows no chargeback ${chargebackId}`,
  );
  const after: Chargeback = { ...before, ...changes, status: statusAfter(before.status, move), updatedAt: fact.businessAt };
  state.chargebacks = state.chargebacks.map((chargeback) => (chargeback === before ? after : chargeback));
  emitMove(emit, state, move, after);
}

const EVENTS: Partial<Record<ChargebackMove, string>> = { lose: 'payment.chargeback', reverse: 'payment.chargeback.reversed' };

function emitMove(emit: Applying['emit'], state: LoanState, move: ChargebackMove, chargeback: Chargeback): void {
  const eventType = EVENTS[move];
  if (emit === null || eventType === undefined) return;
  emit(eventOf(state, eventType, chargeback));
}

function eventOf(state: LoanState, eventType: string, { id, transactionId, amountCents, reasonCode }: Chargeback): EventDraft {
  return {
    eventType,
    objectType: 'transaction',
    objectId: transactionId,
    ...namesOfTransaction(state, must(state.transactions.get(transactionId), `${state.id} knows no transaction ${transactionId}`)),
    data: { transactionId, chargebackId: id, amount: amount(amountCents), reasonCode },
  };
}

/**
 * Facts about chargebacks. Changes of the payment and the ledger are facts of their own in the same batch.
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

/** A chargeback in replies. */
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
  /** The transaction of the part that was charged back; null if the whole payment was. */
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
  /** The case number of the card network or bank. */
  readonly externalCaseNumber?: ShortText | null;
  /** The network's code, or a NACHA return code. */
  readonly reasonCode?: ShortText | null;
  readonly category?: ChargebackCategory | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface CreateChargebackRequest extends ChargebackDescription {
  /** All open and lost chargebacks of one payment together must not exceed it. */
  readonly amount: PositiveAmount;
  /** `lost`: the money was charged back already. */
  readonly status: Extract<ChargebackStatus, 'open' | 'lost'>;
}

/** Absent fields are untouched. */
export interface UpdateChargebackRequest extends ChargebackDescription {
  readonly status?: ChargebackStatus;
  /** Only while it is open. */
  readonly amount?: PositiveAmount;
}

export type ListChargebacksQuery = PageQuery;
