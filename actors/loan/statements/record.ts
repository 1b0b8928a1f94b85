import { type Cents, type Day, type MinimumPaymentWarning, tableOf } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { MetaData } from '../../wire.js';

/** Every figure of a statement in whole cents, in the order of the stored arrays. */
export const FIGURES = [
  'minimumDueAmount',
  'newBalanceAmount',
  'overdueAmount',
  'fulfilledAmount',
  'remainingAmount',
  'overpaymentsAmount',
  'previousBalance',
  'totalAdvancesForThisPeriod',
  'totalInterestForThisPeriod',
  'totalFeesForThisPeriod',
  'totalPaymentsForThisPeriod',
  'totalPaymentReversalsForThisPeriod',
  'totalCreditsForThisPeriod',
  'totalCreditReversalsForThisPeriod',
  'totalRefundsForThisPeriod',
  'totalAdjustmentsForThisPeriod',
  'creditBalanceAmount',
  'newPrincipalBalance',
  'yearToDateFeesCharged',
  'yearToDateInterestCharged',
  'lateFeeUpToAmount',
  'lastPeriodPrincipalPaid',
  'lastPeriodInterestPaid',
  'lastPeriodFeesPaid',
] as const;

export type Figure = (typeof FIGURES)[number];

/** The figures of a statement; null if a statement of another system does not state one. */
export type Figures = Readonly<Record<Figure, Cents | null>>;

export const packFigures = (figures: Figures): readonly (Cents | null)[] => FIGURES.map((name) => figures[name]);

export function figuresOf({ figures }: Pick<StatementRecord, 'figures'>): Figures {
  return tableOf(FIGURES, (_name, at) => figures[at] ?? null);
}

const ACTIVITY_KINDS = [
  'payment',
  'paymentReversal',
  'credit',
  'creditReversal',
  'refund',
  'purchase',
  'fee',
  'feeReversal',
  'interest',
  'adjustment',
  'advance',
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A line of a statement. */
export interface StatementActivity {
  readonly kind: ActivityKind;
  readonly postedDay: Day;
  readonly transactionDay: Day;
  /** A fixed description of its kind, or the name of a product's fee. */
  readonly description: string;
  /** Positive, in the direction of its kind; an adjustment is negative if it lowers the balance. */
  readonly amountCents: Cents;
  readonly transactionId: string | null;
  readonly feeId: string | null;
  /** The number of a line's draw. */
  readonly draw?: number;
  readonly purchaseId?: string;
}

/** The interest of all days with the same rate. */
export interface StatementInterest {
  /** Integer of 1e-8. */
  readonly rate: number;
  readonly days: number;
  /** Ten decimals. */
  readonly unrounded: string;
}

/** Figures that only statements of lines of credit have. */
export interface LineFigures {
  readonly purchasesCents: Cents;
  readonly cashAdvancesCents: Cents;
  readonly limitCents: Cents;
  readonly availableCents: Cents;
  readonly draws: readonly DrawFigures[];
  /** Absent: the law asks for none, or the statement is of a release that gave none. */
  readonly minimumPaymentWarning?: MinimumPaymentWarning;
}

export interface DrawFigures {
  readonly draw: number;
  readonly previousCents: Cents;
  readonly newCents: Cents;
  readonly principalCents: Cents;
  readonly minimumCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  /** Payments and credits. */
  readonly paymentsCents: Cents;
  readonly purchasesCents: Cents;
  /** Integer of 1e-8. */
  readonly rate: number;
  readonly averageDailyCents: Cents;
  readonly isGraceEligible: boolean;
  /** The last due date of an amortized draw. */
  readonly endDay: Day | null;
}

/** The property with the texts of merchants and agents that a statement prints instead of descriptions. */
export const LINE_TEXTS = 'lineTexts';

/** An issued statement. It is stored as it was issued, and no replay changes it. */
export interface StatementRecord {
  readonly id: string;
  /** The ordinal of its period. */
  readonly period: number;
  /** Counted from 1 in its period; tests are counted separately. */
  readonly version: number;
  readonly isExternal: boolean;
  readonly isTest: boolean;
  readonly startDay: Day;
  /** Inclusive. */
  readonly endDay: Day;
  readonly dueDay: Day;
  readonly statementDay: Day;
  readonly nextStatementDay: Day | null;
  readonly documentDescriptorId: string | null;
  /** The version of the template that its document is made of; absent: the plain page of the service. */
  readonly templateVersionId?: string;
  readonly metaData: MetaData | null;
  /** The number of ledger facts when it was made: later facts about its past are adjustments in the next statement. */
  readonly knownFacts: number;
  /** In the order of `FIGURES`. */
  readonly figures: readonly (Cents | null)[];
  readonly activities: readonly StatementActivity[];
  /** By the number of the line, from 0. Bytes while the data key is missing; null if there are none, or after the borrower was erased. */
  readonly [LINE_TEXTS]: LineTexts | Uint8Array | null;
  readonly interest: readonly StatementInterest[];
  /** Only of a line of credit. */
  readonly ofLine?: LineFigures;
  readonly createdBy: Agent;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type LineTexts = readonly (readonly [line: number, text: string])[];

/** The printed text of each line. */
export function descriptionsOf(statement: Pick<StatementRecord, 'activities' | typeof LINE_TEXTS>): readonly string[] {
  const { activities, [LINE_TEXTS]: texts } = statement;
  const own = new Map(texts === null || texts instanceof Uint8Array ? [] : texts);
  return activities.map(({ description }, line) => own.get(line) ?? description);
}

/** The version in force of each period, by due date. */
export function activeStatements(statements: readonly StatementRecord[]): readonly StatementRecord[] {
  const active = new Map<number, StatementRecord>();
  for (const statement of statements) if (!statement.isTest) active.set(statement.period, statement);
  return [...active.values()].sort((a, b) => a.dueDay - b.dueDay);
}

export function nextVersion(statements: readonly StatementRecord[], period: number, isTest: boolean): number {
  return statements.filter((statement) => statement.period === period && statement.isTest === isTest).length + 1;
}
