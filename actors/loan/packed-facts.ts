import type { LedgerFact, LineFact, Payment } from '../../engine/index.js';
import type { Agent } from '../kernel/fact.js';
import type { FactCodec } from './ledger/fact-list.js';
import type { StoredLineFact } from './line/state.js';
import type { StoredLedgerFact } from './state.js';

/*
 * The facts of a ledger as they lie in a snapshot: values by their place. Their sequence is their place in the list.
 */

export type PackedAgent = readonly [type: Agent['type'], id: string, userId: string | null];

type Head = readonly [recordedAt: number, by: PackedAgent, caseId: string | null, day: number, seconds: number, recordedDay: number];

type PackedFact = readonly [...head: Head, change: PackedPayment | OtherChange];

/** Nearly all facts of a loan are payments. */
type PackedPayment = readonly [
  transaction: number,
  kind: Payment['kind'],
  amountCents: number,
  isPrepaymentEnabled: boolean | null,
  isProcessing: boolean,
];

type Placed = 'sequence' | 'effective' | 'recordedDay';
type OtherChange = Readonly<Record<string, unknown>>;

function packFact({ fact, recordedAt, by, caseId }: StoredLedgerFact): PackedFact {
  const { day, seconds } = fact.effective;
  return [
    recordedAt,
    packAgent(by),
    caseId,
    day,
    seconds,
    fact.recordedDay,
    fact.type === 'payment' && fact.principalOnlyCents === undefined ? packPayment(fact) : changeOf(fact),
  ];
}

const packPayment = (fact: Payment): PackedPayment => [
  fact.transaction,
  fact.kind,
  fact.amountCents,
  fact.isPrepaymentEnabled,
  fact.isProcessing,
];

/** Of a line of credit, whose facts are of many kinds. */
type PackedLineFact = readonly [...head: Head, change: OtherChange];

const packLineFact = ({ fact, recordedAt, by, caseId }: StoredLineFact): PackedLineFact => [
  recordedAt,
  packAgent(by),
  caseId,
  fact.effective.day,
  fact.effective.seconds,
  fact.recordedDay,
  changeOf(fact),
];

function unpackLineFact([recordedAt, by, caseId, day, seconds, recordedDay, change]: PackedLineFact, index: number): StoredLineFact {
  const placed = { effective: { day, seconds }, sequence: index + 1, recordedDay };
  return { fact: { ...change, ...placed } as LineFact, recordedAt, by: unpackAgent(by), caseId };
}

function changeOf(fact: LedgerFact | LineFact): OtherChange {
  const { sequence: _place, effective: _effective, recordedDay: _recordedDay, ...change } = fact;
  return change;
}

function unpackFact([recordedAt, by, caseId, day, seconds, recordedDay, change]: PackedFact, index: number): StoredLedgerFact {
  const placed = { effective: { day, seconds }, sequence: index + 1, recordedDay } as Pick<LedgerFact, Placed>;
  const fact = isPayment(change) ? unpackPayment(change, placed) : ({ ...change, ...placed } as LedgerFact);
  return { fact, recordedAt, by: unpackAgent(by), caseId };
}

export const ledgerFacts: FactCodec<StoredLedgerFact> = {
  pack: packFact,
  unpack: (packed, index) => unpackFact(packed as PackedFact, index),
};

export const lineFacts: FactCodec<StoredLineFact> = {
  pack: packLineFact,
  unpack: (packed, index) => unpackLineFact(packed as PackedLineFact, index),
};

const isPayment = (change: PackedPayment | OtherChange): change is PackedPayment => Array.isArray(change);

const unpackPayment = (packed: PackedPayment, { effective, sequence, recordedDay }: Pick<LedgerFact, Placed>): LedgerFact => ({
  type: 'payment',
  transaction: packed[0],
  kind: packed[1],
  amountCents: packed[2] as Payment['amountCents'],
  isPrepaymentEnabled: packed[3],
  isProcessing: packed[4],
  effective,
  sequence,
  recordedDay,
});

export const packAgent = ({ type, id, userId }: Agent): PackedAgent => [type, id, userId ?? null];

/** Few agents write many facts: one object serves them all. */
export function unpackAgent([type, id, userId]: PackedAgent): Agent {
  const key = `${type}/${id}/${userId ?? ''}`;
  const known = agents.get(key);
  if (known !== undefined) return known;
  if (agents.size >= MAX_AGENTS) agents.clear();
  const agent: Agent = userId === null ? { type, id } : { type, id, userId };
  agents.set(key, agent);
  return agent;
}

const MAX_AGENTS = 4_096;
const agents = new Map<string, Agent>();
