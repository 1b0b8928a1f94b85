import { type OpenContent, type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import { applyFact, type FactTable } from '../../kernel/fact-table.js';
import { type Cents, cents, type Day, LAST_DAY, must, ZERO } from '../../../engine/index.js';
import type { ActorDefinition, DecideEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';

/*
 * A settlement: what an investor gets of the payments on its loans through a day. Each loan records its lines as mass work, as differences
 * from what earlier settlements have paid; then the totals and the file of the lines are recorded, and then the file leaves.
 *
 *   pending ─► initiated ─► succeeded | failed        pending ─► canceled        pending ─► succeeded (nothing to pay)
 *                                                     pending ─► failed (its account was archived)
 */

export type SettlementStatus = 'pending' | 'initiated' | 'succeeded' | 'failed' | 'canceled';

/** Whether what the loans have recorded for a settlement counts as paid. */
export const isPaidBy = (status: SettlementStatus): boolean => status !== 'failed' && status !== 'canceled';

export interface SettlementTotals {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCollectedCents: Cents;
  /** What payments have brought since the settlement before. */
  readonly grossCents: Cents;
  /** Fees of processors that are kept from the proceeds. */
  readonly feesCents: Cents;
  /** What was paid before and has to come back: payments that have failed since, or were allocated otherwise. */
  readonly clawbackCents: Cents;
  /** Below zero: what the investor owed after the settlement before. */
  readonly carriedCents: Cents;
  readonly netCents: Cents;
  readonly transactionCount: number;
}

export const NO_TOTALS: SettlementTotals = {
  principalCents: ZERO,
  interestCents: ZERO,
  feesCollectedCents: ZERO,
  grossCents: ZERO,
  feesCents: ZERO,
  clawbackCents: ZERO,
  carriedCents: ZERO,
  netCents: ZERO,
  transactionCount: 0,
};

/** Some lines that follow each other. */
interface LineBatch {
  readonly count: number;
  readonly content: SealedContent;
}

interface SettlementFile extends SealedContent {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 in hexadecimal, recorded before the file leaves. */
  readonly digest: string;
}

export interface SettlementState {
  readonly id: string;
  readonly tenant: Tenant;
  investorId: string;
  settlementInstrumentId: string;
  /** The day on which the money goes. */
  settlementDay: Day;
  /** Null: from the first payment on. */
  periodStart: Day | null;
  periodEnd: Day;
  status: SettlementStatus;
  operationId: string;
  /** Null until all loans have recorded their lines. */
  totals: SettlementTotals | null;
  /** The settlements that could pay nothing and were carried into this one; null in those of earlier releases. */
  carriedFrom: readonly string[] | null;
  batches: readonly LineBatch[];
  file: SettlementFile | null;
  /** Why the file could not be put; null if nothing prevents it. */
  deliveryError: string | null;
  /** Milliseconds of the company's clock. */
  deliveredAt: number | null;
  failureReason: string | null;
  createdAt: number;
  updatedAt: number;
  /** Microseconds; 0 before it is ordered. */
  createdStamp: number;
  updatedStamp: number;
}

export interface SettlementFacts {
  readonly SettlementOrdered: Pick<
    SettlementState,
    'investorId' | 'settlementInstrumentId' | 'settlementDay' | 'periodStart' | 'periodEnd' | 'operationId'
  >;
  readonly SettlementComputed: {
    readonly totals: SettlementTotals;
    readonly carriedFrom?: readonly string[];
    readonly batches: readonly LineBatch[];
    readonly file: SettlementFile;
    /** `succeeded`: there is nothing to pay. */
    readonly status: 'pending' | 'succeeded';
  };
  /** The file could not be put; it is tried again. */
  readonly SettlementUndelivered: { readonly error: string };
  /** The file has left, if it has a receiver, and the money goes. */
  readonly SettlementInitiated: { readonly isFileDelivered: boolean };
  readonly SettlementEnded: { readonly status: 'succeeded' | 'failed' | 'canceled'; readonly failureReason: string | null };
}

const APPLY: FactTable<SettlementState, SettlementFacts> = {
  SettlementOrdered(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  SettlementComputed(state, { totals, carriedFrom = null, batches, file, status }) {
    Object.assign(state, { totals, carriedFrom, batches, file, status });
  },
  SettlementUndelivered(state, { error }) {
    state.deliveryError = error;
  },
  SettlementInitiated(state, { isFileDelivered }, fact) {
    state.status = 'initiated';
    state.deliveryError = null;
    state.deliveredAt = isFileDelivered ? fact.businessAt : null;
  },
  SettlementEnded(state, { status, failureReason }) {
    state.status = status;
    state.failureReason = failureReason;
  },
};

export const SETTLEMENT = 'settlement';

export const settlementDefinition: ActorDefinition<SettlementState> = {
  kind: SETTLEMENT,
  prefix: 'SE',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    investorId: '',
    settlementInstrumentId: '',
    settlementDay: LAST_DAY,
    periodStart: null,
    periodEnd: LAST_DAY,
    status: 'pending',
    operationId: '',
    totals: null,
    carriedFrom: null,
    batches: [],
    file: null,
    deliveryError: null,
    deliveredAt: null,
    failureReason: null,
    createdAt: 0,
    updatedAt: 0,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact) {
    applyFact(APPLY, state, fact);
  },
  clone: (state) => ({ ...state }),
  row: ({ id, createdStamp, updatedStamp, investorId, status, settlementDay, totals }) =>
    createdStamp === 0
      ? null
      : {
          id,
          externalId: null,
          createdStamp,
          updatedStamp,
          parentId: investorId,
          fields: { status, settlementDay, isPaid: isPaidBy(status), openCents: openCents(totals ?? NO_TOTALS) },
        },
  pack: (state) => state,
  unpack(packed: SettlementState) {
    return { ...packed, carriedFrom: packed.carriedFrom ?? null };
  },
};

/** The newest settlement of an investor that was not taken back. */
export function lastPaidOf(env: Pick<DecideEnv, 'list' | 'read'>, investorId: string): SettlementState | null {
  const page = env.list(SETTLEMENT, {
    parentId: investorId,
    limit: 1,
    matches: ({ fields }) => fields['isPaid'] === true,
  });
  const [row] = page.rows;
  return row === undefined ? null : (env.read<SettlementState>(SETTLEMENT, row.id) ?? null);
}

/** What a settlement was to pay by its own lines, without what it has transferred. Nothing is transferred below zero. */
const openCents = ({ netCents, carriedCents }: SettlementTotals): number => netCents - carriedCents - Math.max(netCents, 0);

/**
 * What is carried into the next settlement of an investor: all that the settlements before were to pay, without what they have transferred.
 * One that fails later takes both back, so that what it had carried itself is open again.
 */
export function carriedInto(env: Pick<DecideEnv, 'list'>, investorId: string, before = Number.MAX_SAFE_INTEGER): Cents {
  const { rows } = env.list(SETTLEMENT, {
    parentId: investorId,
    limit: Number.MAX_SAFE_INTEGER,
    matches: ({ fields, createdStamp }) => createdStamp < before && fields['isPaid'] === true && fields['openCents'] !== 0,
  });
  return cents(rows.reduce((sum, { fields }) => sum + Number(fields['openCents']), 0));
}

/**
 * The settlements before that could pay nothing, and that no transfer has paid since: the next transfer to the investor pays them. One that
 * fails later opens again what it had paid of others.
 */
export function carriedSettlements(
  env: Pick<DecideEnv, 'list' | 'read'>,
  { investorId, createdStamp }: SettlementState,
): readonly string[] {
  const { rows } = env.list(SETTLEMENT, {
    parentId: investorId,
    limit: Number.MAX_SAFE_INTEGER,
    matches: ({ fields, createdStamp: stamp }) => stamp < createdStamp && fields['isPaid'] === true,
  });
  const before = rows.flatMap(({ id }) => env.read<SettlementState>(SETTLEMENT, id) ?? []);
  const paid = new Set(before.flatMap(({ totals, carriedFrom }) => ((totals?.netCents ?? 0) > 0 ? (carriedFrom ?? []) : [])));
  return before
    .filter(({ id, totals, carriedFrom }) => totals !== null && carriedFrom !== null && totals.netCents <= 0 && !paid.has(id))
    .map(({ id }) => id)
    .reverse(); // oldest first
}

const CONTENTS = sealedContentsOf('settlement');

export const sealContent = CONTENTS.seal;

export const openedContent = (env: Parameters<typeof CONTENTS.open>[0], id: string, content: SealedContent): OpenContent =>
  must(CONTENTS.open(env, id, content), 'the key of a settlement is never destroyed');
