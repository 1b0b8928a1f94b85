import type { Cents, Day } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { MetaData } from '../../wire.js';

/** Every figure of a statement in whole cents, in the order in which records keep them. */
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

/** What each figure came to when the statement was made; null where a statement from outside does not say. */
export type Figures = Readonly<Record<Figure, Cents | null>>;

export const packFigures = (figures: Figures): readonly (Cents | null)[] => FIGURES.map((name) => figures[name]);

export function figuresOf({ figures }: Pick<StatementRecord, 'figures'>): Figures {
  return Object.fromEntries(FIGURES.map((name, index) => [name, figures[index] ?? null])) as Figures;
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
  /** A word for all of its kind, or the name of a product's fee. */
  readonly description: string;
  /** Positive: what the kind says; the sign of an adjustment is the balance's. */
  readonly amountCents: Cents;
  readonly transactionId: string | null;
  readonly feeId: string | null;
  /** Of a line of credit: the number of the draw. */
  readonly draw?: number;
  readonly purchaseId?: string;
}

/** Interest of the days of one rate. */
export interface StatementInterest {
  /** Integer of 1e-8. */
  readonly rate: number;
  readonly days: number;
  /** Ten decimals. */
  readonly unrounded: string;
}

/** What only the statement of a line of credit says. */
export interface LineFigures {
  readonly purchasesCents: Cents;
  readonly cashAdvancesCents: Cents;
  readonly limitCents: Cents;
  readonly availableCents: Cents;
  readonly draws: readonly DrawFigures[];
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

/** The name under which a statement has what it prints in the place of descriptions: texts of merchants and agents. */
export const LINE_TEXTS = 'lineTexts';

/** An issued statement: what it says is a fact and never changes by itself. */
export interface StatementRecord {
  readonly id: string;
  /** The row that its period ends with. */
  readonly period: number;
  /** Counted from 1 in its period, tests apart. */
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
  /** How many facts of the ledger it knew: later ones about its past are adjustments of the next. */
  readonly knownFacts: number;
  /** In the order of `FIGURES`. */
  readonly figures: readonly (Cents | null)[];
  readonly activities: readonly StatementActivity[];
  /** By the number of the line, from 0; bytes while they cannot be read, null once the borrower was erased and where there are none. */
  readonly [LINE_TEXTS]: LineTexts | Uint8Array | null;
  readonly interest: readonly StatementInterest[];
  /** Of a line of credit alone. */
  readonly ofLine?: LineFigures;
  readonly createdBy: Agent;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type LineTexts = readonly (readonly [line: number, text: string])[];

/** What a statement prints of each line. */
export function descriptionsOf(statement: Pick<StatementRecord, 'activities' | typeof LINE_TEXTS>): readonly string[] {
  const { activities, [LINE_TEXTS]: texts } = statement;
  const own = new Map(texts === null || texts instanceof Uint8Array ? [] : texts);
  return activities.map(({ description }, line) => own.get(line) ?? description);
}

/** The version that counts for each period, by due date. */
export function activeStatements(statements: readonly StatementRecord[]): readonly StatementRecord[] {
  const active = new Map<number, StatementRecord>();
  for (const statement of statements) if (!statement.isTest) active.set(statement.period, statement);
  return [...active.values()].sort((a, b) => a.dueDay - b.dueDay);
}

export function nextVersion(statements: readonly StatementRecord[], period: number, isTest: boolean): number {
  return statements.filter((statement) => statement.period === period && statement.isTest === isTest).length + 1;
}
