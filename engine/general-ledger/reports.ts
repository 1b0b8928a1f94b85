import type { Day } from '../calendar/index.js';
import type { Accrual, Allocation, EntryComponent, EntryLine, EntrySource } from '../ledger/core/index.js';

/** An entry of a ledger of either product. */
export interface CourseEntry {
  readonly day: Day;
  readonly entryType: string;
  readonly source: EntrySource;
  readonly lines: readonly (Omit<EntryLine, 'component'> & {
    readonly component: EntryComponent | 'drawFees';
    readonly draw?: number | null;
  })[];
}

export type CourseAccrual = Accrual & { readonly draw?: number; readonly isTakenBack?: true };

export type CourseAllocation = Pick<Allocation, 'transaction' | 'bucket' | 'amountCents'>;

/** What a ledger has reported while it was computed. */
export type Report =
  | { readonly type: 'accrued'; readonly accrual: CourseAccrual }
  | { readonly type: 'booked'; readonly entry: CourseEntry; readonly owedBackCents: number }
  | { readonly type: 'allocated'; readonly allocation: CourseAllocation }
  | { readonly type: 'late'; readonly day: Day; readonly daysOverdue: number | null }
  | { readonly type: 'paidOff'; readonly day: Day };

const ACCRUING: ReadonlySet<string> = new Set(['interestAccrual', 'retroactiveInterest', 'graceLost']);

/**
 * Listens to a ledger while it is computed through the day after `through`, whose first step is the interest of `through`, and keeps what
 * the general ledger needs of it, in order.
 */
export class Reports {
  readonly all: Report[] = [];
  #accruals: CourseAccrual[] = [];
  /** Receives what each payment pays; absent: nobody asks. */
  allocated?: (allocation: CourseAllocation) => void;

  constructor(
    private readonly through: Day,
    { areAllocationsAsked }: { readonly areAllocationsAsked: boolean },
  ) {
    if (areAllocationsAsked) this.allocated = (allocation) => this.all.push({ type: 'allocated', allocation });
  }

  happened({ type, day, newStatus }: { readonly type: string; readonly day: Day; readonly newStatus?: string }): void {
    if (type === 'statusChanged' && newStatus === 'paidOff' && day <= this.through) this.all.push({ type: 'paidOff', day });
  }

  accrued(accrual: CourseAccrual): void {
    if (accrual.isTakenBack !== true && (accrual.interest.cents !== 0 || accrual.interest.parts !== 0)) this.#accruals.push(accrual);
  }

  booked(entry: CourseEntry, owedBackCents: number): void {
    const accruals = this.#accruals;
    if (accruals.length > 0) this.#accruals = [];
    const { day, entryType, source } = entry;
    const isKnown = day <= this.through;
    if (ACCRUING.has(entryType) && (accruals.length > 0 || entry.lines.length === 0)) {
      if (isKnown || entryType === 'interestAccrual') for (const accrual of accruals) this.all.push({ type: 'accrued', accrual });
    } else if (isKnown) {
      // A ledger makes the lines of an entry each time that they are read.
      this.all.push({ type: 'booked', entry: { day, entryType, source, lines: entry.lines }, owedBackCents });
    }
  }

  late(day: Day, daysOverdue: number | null): void {
    if (day <= this.through) this.all.push({ type: 'late', day, daysOverdue });
  }
}

/**
 * The first day to which the reports behind those that both have in common belong; null: both are the same. Days before it have accrued the
 * same interest in both, in the same order.
 */
export function firstDifference(a: readonly Report[], b: readonly Report[]): Day | null {
  const length = Math.min(a.length, b.length);
  let same = 0;
  for (; same < length; same += 1) {
    const [one, other] = [a[same], b[same]];
    if (one === undefined || other === undefined || !areSame(one, other)) break;
  }
  let first: Day | null = null;
  for (const reports of [a, b])
    for (let at = same; at < reports.length; at += 1) {
      const day = dayOf(reports[at]);
      if (day !== null && (first === null || day < first)) first = day;
    }
  return first;
}

function dayOf(report: Report | undefined): Day | null {
  switch (report?.type) {
    case 'accrued':
      return report.accrual.from;
    case 'booked':
      return report.entry.day;
    case 'late':
    case 'paidOff':
      return report.day;
    case 'allocated':
    case undefined:
      return null; // the entry behind it has the day
  }
}

function areSame(a: Report, b: Report): boolean {
  switch (a.type) {
    case 'accrued':
      return b.type === 'accrued' && areSameAccruals(a.accrual, b.accrual);
    case 'booked':
      return b.type === 'booked' && a.owedBackCents === b.owedBackCents && areSameEntries(a.entry, b.entry);
    case 'allocated':
      return b.type === 'allocated' && areSameAllocations(a.allocation, b.allocation);
    case 'late':
      return b.type === 'late' && a.day === b.day && a.daysOverdue === b.daysOverdue;
    case 'paidOff':
      return b.type === 'paidOff' && a.day === b.day;
  }
}

const areSameAccruals = (a: CourseAccrual, b: CourseAccrual): boolean =>
  a.from === b.from &&
  a.until === b.until &&
  a.interest.cents === b.interest.cents &&
  a.interest.parts === b.interest.parts &&
  a.principalCents === b.principalCents &&
  a.rate === b.rate &&
  a.draw === b.draw;

const areSameEntries = (a: CourseEntry, b: CourseEntry): boolean =>
  a.day === b.day &&
  a.entryType === b.entryType &&
  sequenceOf(a.source) === sequenceOf(b.source) &&
  a.source.type === b.source.type &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, at) => areSameLines(line, b.lines[at]));

const sequenceOf = (source: EntrySource): number | null => (source.type === 'fact' ? source.sequence : null);

type CourseLine = CourseEntry['lines'][number];

const areSameLines = (a: CourseLine, b: CourseLine | undefined): boolean =>
  b !== undefined && a.bucket === b.bucket && a.component === b.component && a.amount === b.amount && a.draw === b.draw;

const areSameAllocations = (a: CourseAllocation, b: CourseAllocation): boolean =>
  a.transaction === b.transaction && a.bucket === b.bucket && a.amountCents === b.amountCents;
