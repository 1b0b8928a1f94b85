import { setup } from 'xstate';
import type { Cents, Day } from '../../../../engine/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { Agent, FactDraft } from '../../../kernel/fact.js';
import { Chart } from '../../../statechart.js';
import { recordOf } from '../../context.js';
import type { DrawCreated } from '../../draws/evolve.js';
import { readDrawTerms } from '../../draws/read-terms.js';
import { firstTimestamps } from '../../origination/read.js';
import type { MetaData } from '../../origination/terms.js';
import type { LoanRecord, LoanState } from '../../state.js';
import type { MigrationChanged } from '../evolve.js';

/*
 * The history of a line of credit in another system: periods, transactions and fees before the cutoff, which change no balance, and the
 * balances at the cutoff, with which its ledger begins.
 */

export interface LineHistory {
  /** By their start, oldest first. */
  readonly pastPeriods: readonly PastPeriod[];
  /** The last closed period of the line; its statement date is the cutoff. */
  readonly period: MigrationPeriod | null;
  readonly drawPeriods: readonly DrawMigrationPeriod[];
  /** In the order of recording. */
  readonly pastTransactions: readonly PastTransaction[];
  /** In the order of recording. */
  readonly pastFees: readonly PastFee[];
}

export const NO_HISTORY: LineHistory = { pastPeriods: [], period: null, drawPeriods: [], pastTransactions: [], pastFees: [] };

export interface PeriodDays {
  readonly startDay: Day;
  /** Inclusive, as in the interface. */
  readonly endDay: Day;
  readonly statementDay: Day;
  readonly dueDay: Day;
}

export interface PastPeriodTerms extends PeriodDays {
  readonly id: string;
  readonly statementDocumentId: string | null;
  readonly statementBalanceCents: Cents | null;
  readonly minPaymentCents: Cents | null;
}

export interface PastPeriod extends PastPeriodTerms, Recorded {}

/** Milliseconds of the company's clock. */
interface Recorded {
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const DUE_STATUSES = ['nonDue', 'due', 'overdue'] as const;
export type DueStatus = (typeof DUE_STATUSES)[number];

/** The parts of a line's own balances, and of a draw's, by their names in the interface. */
export const LINE_PARTS = ['Principal', 'Interest', 'OriginationFees', 'DynamicFees', 'ServiceFees'] as const;
export const DRAW_PARTS = ['Principal', 'Interest', 'DrawFees', 'DynamicFees', 'ServiceFees'] as const;
export type LinePart = (typeof LINE_PARTS)[number];
export type DrawPart = (typeof DRAW_PARTS)[number];
export type Part = LinePart | DrawPart;

/** Amounts that are not stated are absent and count as zero. */
export type MigratedBalances<Name extends Part = Part> = { readonly [At in DueStatus]: { readonly [Key in Name]?: Cents } };

export interface MigrationPeriodTerms extends PeriodDays {
  readonly id: string;
  /** Principal and interest must be the sums over the line's draws. */
  readonly balances: MigratedBalances<LinePart>;
  /** The amount owed to the borrower. */
  readonly reimbursementCents: Cents;
  readonly obligation: MigratedObligation;
}

export interface MigrationPeriod extends MigrationPeriodTerms, Recorded {}

export interface MigratedObligation {
  readonly obligationCents: Cents;
  readonly remainingCents: Cents;
  readonly overdueCents: Cents;
  readonly overdueRemainingCents: Cents;
  readonly daysOverdue: number;
  readonly isGracePeriodEligible: boolean;
  /** Overdue obligations by due date, oldest first; empty: the whole overdue amount is one obligation. */
  readonly overdue: readonly OverdueObligation[];
}

export interface OverdueObligation {
  readonly dueDay: Day;
  readonly obligationCents: Cents;
  readonly remainingCents: Cents;
}

export interface DrawMigrationPeriodTerms extends PeriodDays {
  readonly id: string;
  readonly drawId: string;
  readonly balances: MigratedBalances<DrawPart>;
  readonly isGracePeriodEligible: boolean;
  readonly fullBalanceCents: Cents;
}

export interface DrawMigrationPeriod extends DrawMigrationPeriodTerms, Recorded {}

export type PastTransactionStatus = 'pending' | 'succeeded' | 'failed';

export interface PastTransactionTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly transactionType: 'payment' | 'downPayment' | 'serviceCredit' | 'reversal';
  readonly status: PastTransactionStatus;
  readonly amountCents: Cents;
  readonly effectiveDay: Day;
  readonly effectiveSeconds: number;
  readonly instrumentType: string | null;
  readonly failureReason: string | null;
  readonly splits: readonly PastSplit[];
  /** For a reversal: the transaction that it reversed. */
  readonly parentTransactionId: string | null;
  readonly reversedByTransactionId: string | null;
  readonly caseId: string | null;
  readonly metaData: MetaData | null;
}

export interface PastTransaction extends PastTransactionTerms, Recorded {
  readonly createdBy: Agent;
}

/** The part of a past payment that was applied to one draw. */
export interface PastSplit {
  readonly drawId: string;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

/** A fee that the other system charged before the cutoff. Its unpaid part is in the balances at the cutoff. */
export interface PastFeeTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly feeTypeId: string;
  readonly customDisplayName: string | null;
  readonly amountCents: Cents;
  readonly chargeDay: Day;
  readonly originalDrawId: string;
  readonly originalTransactionId: string | null;
  readonly originalPurchaseId: string | null;
  readonly caseId: string | null;
}

export interface PastFee extends PastFeeTerms {
  readonly createdAt: number;
  readonly createdBy: Agent;
  readonly canceledAt: number | null;
  readonly canceledBy: Agent | null;
}

/** The statuses of a transaction that another system recorded. It can begin in any of them. */
export const pastTransactionMachine = setup({}).createMachine({
  id: 'pastTransaction',
  initial: 'pending',
  states: {
    pending: { on: { succeed: 'succeeded', fail: 'failed' } },
    succeeded: { on: { fail: 'failed' } },
    failed: { type: 'final' },
  },
});

type PastTransactionMove = 'succeed' | 'fail';

export const pastTransactionChart = new Chart<PastTransactionStatus, PastTransactionMove>(pastTransactionMachine);

/** The facts by which the preparation of a new loan begins: for a line also the draw that holds its history. */
export function preparation(migration: MigrationChanged, product: LoanRecord['type'], env: DecideEnv): readonly FactDraft[] {
  const changed: FactDraft = { type: 'MigrationChanged', body: migration };
  return product === 'lineOfCredit' && migration.move === 'prepare' ? [staticDraw(env, 1), changed] : [changed];
}

/** The facts for a loan that exists: a line has only one such draw. */
export function preparationLater(state: LoanState, env: DecideEnv, migration: MigrationChanged): readonly FactDraft[] {
  const changed: FactDraft = { type: 'MigrationChanged', body: migration };
  const lacksDraw =
    recordOf(state).type === 'lineOfCredit' && migration.move === 'prepare' && !state.draws.some(({ drawType }) => drawType === 'static');
  return lacksDraw ? [staticDraw(env, state.draws.length + 1), changed] : [changed];
}

function staticDraw(env: DecideEnv, draw: number): FactDraft {
  const body: DrawCreated = {
    draw: {
      draw,
      id: env.newId('LN'),
      externalId: null,
      drawType: 'static',
      status: 'originated',
      nickname: 'History',
      isClosed: false,
      declineReason: null,
      cancellationReason: null,
      labels: [],
      additionalPeople: [],
      metaData: null,
      atOrigination: readDrawTerms({}),
      rates: null,
      timestamps: firstTimestamps(env.now, 'originated'),
    },
    caseId: null,
  };
  return { type: 'DrawCreated', body };
}
