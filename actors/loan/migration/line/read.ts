import { type Cents, day, fieldOf, sum, tableOf, ZERO } from '../../../../engine/index.js';
import { centsOf, dayOfText, orNull } from '../../../wire.js';
import type {
  DrawMigrationPeriodTerms,
  DrawPart,
  LinePart,
  MigratedBalances,
  MigratedObligation,
  MigrationPeriodTerms,
  OverdueObligation,
  Part,
  PastPeriodTerms,
  PeriodDays,
} from './history.js';
import { DRAW_PARTS, LINE_PARTS, DUE_STATUSES } from './history.js';
import type {
  MigratedObligationRequest,
  OverdueObligationRequest,
  UpdateDrawMigrationPeriodRequest,
  UpdateMigrationPeriodRequest,
  UpdatePastPeriodRequest,
} from './types.js';

/* Reads bodies into the values that facts store. Absent fields keep their known values; the type of a first body requires the others. */

const NO_DAY = day(0);
const NO_DAYS: PeriodDays = { startDay: NO_DAY, endDay: NO_DAY, statementDay: NO_DAY, dueDay: NO_DAY };

interface Dates {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly statementDate?: string;
  readonly dueDate?: string;
}

const readDays = ({ startDate, endDate, statementDate, dueDate }: Dates, known: PeriodDays): PeriodDays => ({
  startDay: startDate === undefined ? known.startDay : dayOfText(startDate),
  endDay: endDate === undefined ? known.endDay : dayOfText(endDate),
  statementDay: statementDate === undefined ? known.statementDay : dayOfText(statementDate),
  dueDay: dueDate === undefined ? known.dueDay : dayOfText(dueDate),
});

const amountOr = (sent: number | null | undefined, known: Cents): Cents =>
  sent === undefined ? known : sent === null ? ZERO : centsOf(sent);

export function readPastPeriod(request: UpdatePastPeriodRequest, known: PastPeriodTerms | null, id: string): PastPeriodTerms {
  const { statementDocumentId, statementBalanceAmount, minPaymentAmount } = request;
  return {
    ...readDays(request, known ?? NO_DAYS),
    id,
    statementDocumentId: statementDocumentId === undefined ? (known?.statementDocumentId ?? null) : statementDocumentId,
    statementBalanceCents:
      statementBalanceAmount === undefined ? (known?.statementBalanceCents ?? null) : orNull(centsOf, statementBalanceAmount),
    minPaymentCents: minPaymentAmount === undefined ? (known?.minPaymentCents ?? null) : orNull(centsOf, minPaymentAmount),
  };
}

const NO_OBLIGATION: MigratedObligation = {
  obligationCents: ZERO,
  remainingCents: ZERO,
  overdueCents: ZERO,
  overdueRemainingCents: ZERO,
  daysOverdue: 0,
  isGracePeriodEligible: false,
  overdue: [],
};

const NO_BALANCES = { nonDue: {}, due: {}, overdue: {} } as const;

export function readMigrationPeriod(
  request: UpdateMigrationPeriodRequest,
  known: MigrationPeriodTerms | null,
  id: string,
): MigrationPeriodTerms {
  return {
    ...readDays(request, known ?? NO_DAYS),
    id,
    balances: readBalances<LinePart>(request, known?.balances ?? NO_BALANCES, LINE_PARTS),
    reimbursementCents: amountOr(request.reimbursementAmount, known?.reimbursementCents ?? ZERO),
    obligation: readObligation(request.obligation, known?.obligation ?? NO_OBLIGATION),
  };
}

/**
 * The overdue amount and its unpaid part. If only one is given, both are equal; if obligations are given by due date, they are the sums.
 */
function readObligation(request: MigratedObligationRequest | null | undefined, known: MigratedObligation): MigratedObligation {
  if (request === undefined) return known;
  if (request === null) return NO_OBLIGATION;
  const {
    migratedOverdueAmount,
    migratedOverdueRemainingAmount,
    obligationAmount,
    remainingAmount,
    migratedDaysOverdue,
    overdueObligations,
  } = request;
  const isFirst = known === NO_OBLIGATION;
  const overdue =
    overdueObligations === undefined ? known.overdue : (overdueObligations ?? []).map(readOverdue).sort((a, b) => a.dueDay - b.dueDay);
  const before =
    overdueObligations == null
      ? known
      : {
          overdueCents: sum(overdue.map(({ obligationCents }) => obligationCents)),
          overdueRemainingCents: sum(overdue.map(({ remainingCents }) => remainingCents)),
        };
  const isAlone = isFirst && overdueObligations == null;
  return {
    obligationCents: amountOr(obligationAmount ?? (isFirst ? remainingAmount : undefined), known.obligationCents),
    remainingCents: amountOr(remainingAmount ?? (isFirst ? obligationAmount : undefined), known.remainingCents),
    overdueCents: amountOr(migratedOverdueAmount ?? (isAlone ? migratedOverdueRemainingAmount : undefined), before.overdueCents),
    overdueRemainingCents: amountOr(
      migratedOverdueRemainingAmount ?? (isAlone ? migratedOverdueAmount : undefined),
      before.overdueRemainingCents,
    ),
    daysOverdue: migratedDaysOverdue ?? known.daysOverdue,
    isGracePeriodEligible: request.isGracePeriodEligible ?? known.isGracePeriodEligible,
    overdue,
  };
}

const readOverdue = ({ dueDate, obligationAmount, remainingAmount }: OverdueObligationRequest): OverdueObligation => ({
  dueDay: dayOfText(dueDate),
  obligationCents: centsOf(obligationAmount ?? remainingAmount),
  remainingCents: centsOf(remainingAmount),
});

export function readDrawPeriod(
  request: UpdateDrawMigrationPeriodRequest,
  known: DrawMigrationPeriodTerms | null,
  ids: { readonly id: string; readonly drawId: string },
): DrawMigrationPeriodTerms {
  return {
    ...readDays(request, known ?? NO_DAYS),
    ...ids,
    balances: readBalances<DrawPart>(request, known?.balances ?? NO_BALANCES, DRAW_PARTS),
    isGracePeriodEligible: request.isGracePeriodEligible ?? known?.isGracePeriodEligible ?? false,
    fullBalanceCents: amountOr(request.fullBalanceAmount, known?.fullBalanceCents ?? ZERO),
  };
}

type SentBalances = { readonly [Key in 'nonDueBalances' | 'dueBalances' | 'overdueBalances']?: object | null };

function readBalances<Name extends Part>(
  request: SentBalances,
  known: MigratedBalances<Name>,
  parts: readonly Name[],
): MigratedBalances<Name> {
  return tableOf(DUE_STATUSES, (at) => {
    const sent = request[`${at}Balances`];
    if (sent === undefined) return known[at];
    const block: { [Key in Name]?: Cents } = sent === null ? {} : { ...known[at] };
    for (const part of parts) {
      const value = fieldOf(sent, `${at}${part}Amount`);
      if (value === null) delete block[part];
      else if (typeof value === 'number') block[part] = centsOf(value);
    }
    return block;
  });
}
