import { namesOf } from '../../../engine/index.js';
import { type NewTransaction, NO_DETAILS, type Own, recordFrom, type SparseDetails } from './new-record.js';
import { packAgent, type PackedAgent, unpackAgent } from '../facts.js';
import type { TransactionRecord, TransactionTimestamps } from './record.js';

/*
 * A transaction in a snapshot: an array of values, since property names would take more room than their values, and the details that it
 * has.
 */

export type PackedTransaction = readonly [Common, Times, Partial<SparseDetails> | null];

type Common = readonly [
  TransactionRecord['id'],
  TransactionRecord['transactionType'],
  TransactionRecord['status'],
  TransactionRecord['instrument'],
  TransactionRecord['currency'],
  TransactionRecord['serviceCredit'],
  TransactionRecord['reimbursement'],
  TransactionRecord['payment'],
  TransactionRecord['effective']['day'],
  TransactionRecord['effective']['seconds'],
  TransactionRecord['originalEffectiveDay'],
  TransactionRecord['scheduledDay'],
  TransactionRecord['settlement'],
  TransactionRecord['hold'],
  TransactionRecord['returnFeeCounter'],
  TransactionRecord['toldDueOn'],
  PackedAgent,
  TransactionRecord['createdWhile'],
  TransactionRecord['createdStamp'],
  TransactionRecord['updatedStamp'],
  TransactionRecord['isExternal'],
  TransactionRecord['scheduledCents'],
  TransactionRecord['actualCents'],
];

type At = number | null;
type Times = readonly [createdAt: number, updatedAt: number, ...reached: readonly [At, At, At, At, At, At, At, At]];

export function packTransaction(record: TransactionRecord): PackedTransaction {
  return [
    [
      record.id,
      record.transactionType,
      record.status,
      record.instrument,
      record.currency,
      record.serviceCredit,
      record.reimbursement,
      record.payment,
      record.effective.day,
      record.effective.seconds,
      record.originalEffectiveDay,
      record.scheduledDay,
      record.settlement,
      record.hold,
      record.returnFeeCounter,
      record.toldDueOn,
      packAgent(record.createdBy),
      record.createdWhile,
      record.createdStamp,
      record.updatedStamp,
      record.isExternal,
      record.scheduledCents,
      record.actualCents,
    ],
    packTimes(record.timestamps),
    detailsOf(record),
  ];
}

export function unpackTransaction([common, times, details]: PackedTransaction): TransactionRecord {
  const [
    id,
    transactionType,
    status,
    instrument,
    currency,
    serviceCredit,
    reimbursement,
    payment,
    day,
    seconds,
    originalEffectiveDay,
    scheduledDay,
    settlement,
    hold,
    returnFeeCounter,
    toldDueOn,
    createdBy,
    createdWhile,
    createdStamp,
    updatedStamp,
    isExternal,
    scheduledCents,
    actualCents,
  ] = common;
  const asked: NewTransaction = {
    id,
    transactionType,
    instrument,
    currency,
    serviceCredit,
    reimbursement,
    payment,
    effective: { day, seconds },
    originalEffectiveDay,
    scheduledDay,
    settlement,
    hold,
    returnFeeCounter,
    toldDueOn,
    createdWhile,
    isExternal,
    scheduledCents,
    actualCents,
    ...details,
  };
  const own: Own = { status, createdBy: unpackAgent(createdBy), createdStamp, updatedStamp, timestamps: unpackTimes(times) };
  return recordFrom(asked, own);
}

const packTimes = (times: TransactionTimestamps): Times => [
  times.createdAt,
  times.updatedAt,
  times.initiatedAt,
  times.pendingAt,
  times.succeededAt,
  times.failedAt,
  times.canceledAt,
  times.inDisputeAt,
  times.chargebackAt,
  times.appliedAt,
];

const unpackTimes = ([
  createdAt,
  updatedAt,
  initiatedAt,
  pendingAt,
  succeededAt,
  failedAt,
  canceledAt,
  inDisputeAt,
  chargebackAt,
  appliedAt,
]: Times): TransactionTimestamps => ({
  createdAt,
  updatedAt,
  initiatedAt,
  pendingAt,
  succeededAt,
  failedAt,
  canceledAt,
  inDisputeAt,
  chargebackAt,
  appliedAt,
});

const SPARSE = namesOf(NO_DETAILS);

function detailsOf(record: TransactionRecord): Partial<SparseDetails> | null {
  let details: Record<string, unknown> | null = null;
  for (const name of SPARSE) {
    const value = record[name];
    if (value !== NO_DETAILS[name]) (details ??= {})[name] = value;
  }
  return details;
}
