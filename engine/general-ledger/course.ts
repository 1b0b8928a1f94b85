import { addDays, civil, type Day, dayOf } from '../calendar/index.js';
import { accruedOf, type EntryComponent, type EntrySource } from '../ledger/core/index.js';
import { accruedUnits, roundAccrued } from '../money/index.js';
import { BUCKETS, type Component } from '../waterfall.js';
import type { Cause } from './believed.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Nonaccrual } from './nonaccrual.js';
import type { PaidPart } from './own-share-ledger.js';
import type { FeePart, Parts } from './parts.js';
import type { CourseAccrual, CourseAllocation, CourseEntry, Report } from './reports.js';
import { RoundedInterest } from './rounded-interest.js';

/** What happened to a loan, with its day and cause. */
export interface CourseItem {
  readonly cause: Cause;
  readonly day: Day;
  readonly isDaily: boolean;
  readonly exact?: bigint;
  readonly draw?: number;
  /** The fact whose money it moves on, where that is not its own. */
  readonly meets?: string;
  readonly event: AccountingEvent;
  /** What it has paid of payments; only for loans with several owners. */
  readonly paid?: readonly PaidPart[];
}

/** What an entry changes, of all draws together. */
export interface Changes {
  readonly principal: number;
  /** What the general ledger hold as accrued interest moves by this. */
  readonly interest: number;
  /** Whole cents of interest that were paid or moved away: the ledger drops a fraction beside them. */
  readonly wholeInterest: number;
  /** The part of what was taken that was accrued in earlier years: the oldest interest is taken first. */
  readonly earlierInterest: number;
  readonly fees: readonly FeePart[];
  readonly chargedOffPrincipal: number;
  readonly chargedOffInterest: number;
  readonly chargedOffFees: number;
  /** The only draw of the entry. */
  readonly draw?: number;
}

const FEE_KINDS: Readonly<Partial<Record<EntryComponent | 'drawFees', string>>> = {
  originationFees: 'origination',
  drawFees: 'draw',
  lateFees: 'late',
  modificationFees: 'modification',
  dynamicFees: 'other',
};

/** The parts of a cent that a whole cent has, in the ledger's unit of exact interest. */
const CENT = 160_308_000_000_000n;

/** How a product's entries become events, and who caused them. */
export interface CourseReader {
  causeOf(source: EntrySource, day: Day): Cause;
  /** The interest of each day of an accrual. */
  readonly eachDay: (accrual: CourseAccrual, see: (day: Day, interest: bigint) => void) => void;
  /** The events of an entry that is no accrual. */
  eventsOf(entry: CourseEntry, changes: Changes, owedBackCents: number): readonly AccountingEvent[];
}

/** The days that are read. */
export interface CourseDays {
  readonly through: Day;
  /** What is daily is left out before this day: it is only added up. */
  readonly dailyFrom: Day;
}

/** Reads the reports of a ledger, and says in the words of the general ledger what has happened. */
export class Course {
  readonly items: CourseItem[] = [];
  readonly #interest = new Map<number | null, RoundedInterest>();
  /** Exact interest that is outstanding, by the year of its days, oldest first. */
  readonly #years = new Map<number, bigint>();
  #year: { readonly year: number; readonly first: number; readonly next: number } = { year: 0, first: 0, next: 0 };
  #lastSource: EntrySource = { type: 'activation' };
  /** What payments have paid since the last entry. */
  #paid = new Map<number, PaidPart>();
  /** Payments whose parts are followed: by number, with their effective days. */
  #followed: ReadonlyMap<number, Day> = new Map();

  constructor(
    private readonly days: CourseDays,
    private readonly reader: CourseReader,
    private readonly nonaccrual: Nonaccrual | null,
    private readonly paidOff: (day: Day) => void = () => undefined,
  ) {}

  /** From now on, what these payments pay is noted at the entries. */
  followPayments(days: ReadonlyMap<number, Day>): void {
    this.#followed = days;
  }

  read(reports: readonly Report[]): void {
    for (const report of reports) {
      switch (report.type) {
        case 'accrued':
          this.#accrue(report.accrual);
          break;
        case 'booked':
          this.#booked(report.entry, report.owedBackCents);
          break;
        case 'allocated':
          this.#allocated(report.allocation);
          break;
        case 'late':
          this.#late(report.day, report.daysOverdue);
          break;
        case 'paidOff':
          this.paidOff(report.day);
          break;
      }
    }
  }

  #allocated({ transaction, bucket, amountCents }: CourseAllocation): void {
    const component = COMPONENT_OF.get(bucket);
    const day = this.#followed.get(transaction);
    if (component === undefined || day === undefined) return;
    this.notePaid({ ...NOTHING_PAID, transaction, day, [component]: amountCents });
  }

  notePaid({ transaction, day, principal, interest, fees }: PaidPart): void {
    const known = this.#paid.get(transaction) ?? NOTHING_PAID;
    this.#paid.set(transaction, {
      transaction,
      day,
      principal: known.principal + principal,
      interest: known.interest + interest,
      fees: known.fees + fees,
    });
  }

  #booked(entry: CourseEntry, owedBackCents: number): void {
    const changes = this.#changesOf(entry);
    this.#lastSource = entry.source;
    const events = this.reader.eventsOf(entry, changes, owedBackCents);
    const cause = this.reader.causeOf(entry.source, entry.day);
    for (const [at, event] of events.entries())
      this.add({ cause, day: entry.day, isDaily: false, event, ...drawOf(changes.draw), ...(at === 0 ? this.#takePaid() : {}) });
  }

  #takePaid(): { readonly paid?: readonly PaidPart[] } {
    if (this.#paid.size === 0) return {};
    const paid = [...this.#paid.values()];
    this.#paid = new Map();
    return { paid };
  }

  add(item: CourseItem): void {
    const items = this.nonaccrual === null ? [item] : this.nonaccrual.follow(item);
    if (!item.isDaily || item.day >= this.days.dailyFrom) this.items.push(...items);
  }

  /** After each change of what is overdue, and on each further day. */
  #late(day: Day, daysOverdue: number | null): void {
    if (this.nonaccrual === null) return;
    const cause = this.reader.causeOf({ type: 'dailyJob' }, day);
    this.items.push(...this.nonaccrual.late(day, daysOverdue, { cause, earlierInterest: () => this.#earlierThan(civil(day).year) }));
  }

  /** The ledger was computed: a loan that is paid off has earned what was held back of its payments. */
  finish({ status, statusSince }: { readonly status: string; readonly statusSince: Day }): void {
    if (this.nonaccrual === null || status !== 'paidOff' || statusSince > this.days.through) return;
    this.items.push(...this.nonaccrual.ended(statusSince, this.reader.causeOf(this.#lastSource, statusSince)));
  }

  /** Unpaid interest of the years before one, in cents. */
  #earlierThan(year: number): number {
    let earlier = 0n;
    for (const [of, unpaid] of this.#years) if (of < year) earlier += unpaid;
    return roundAccrued(accruedUnits(earlier), 'halfUp');
  }

  #accrue(accrual: CourseAccrual): void {
    const { from, until } = accrual;
    const last = addDays(until, -1);
    if (last < this.days.dailyFrom && last <= this.days.through && this.#yearOf(from) === this.#yearOf(last)) {
      this.#accrueDay(from, accruedOf(accrual.interest), accrual.draw);
      return;
    }
    this.reader.eachDay(accrual, (day, interest) => {
      if (day <= this.days.through && interest !== 0n) this.#accrueDay(day, interest, accrual.draw);
    });
  }

  /** The interest of a day; before the first day whose items are wanted, of days of one year together. */
  #accrueDay(day: Day, interest: bigint, draw: number | undefined): void {
    const rounded = this.#roundedOf(draw ?? null);
    const year = this.#yearOf(day);
    this.#years.set(year, (this.#years.get(year) ?? 0n) + interest);
    if (this.nonaccrual === null && day < this.days.dailyFrom) {
      rounded.add(interest);
      return;
    }
    const amount = rounded.move(interest);
    const cause = this.reader.causeOf({ type: 'dailyJob' }, day);
    this.add({ cause, day, isDaily: true, exact: interest, event: { type: 'accrual', amount }, ...drawOf(draw) });
  }

  /** Days come nearly in their order, so that a year is seldom looked for. */
  #yearOf(day: Day): number {
    const { first, next } = this.#year;
    if (day >= first && day < next) return this.#year.year;
    const { year } = civil(day);
    this.#year = { year, first: dayOf(year, 1, 1), next: dayOf(year + 1, 1, 1) };
    return year;
  }

  #changesOf({ day, lines }: CourseEntry): Changes {
    const fees = new Map<string, number>();
    const interest = new Map<number | null, bigint>();
    const draws = new Set<number>();
    let [principal, chargedOffPrincipal, chargedOffInterest, chargedOffFees] = [0, 0, 0, 0];
    for (const { bucket, component, amount, draw = null } of lines) {
      if (component === 'counter') continue;
      if (draw !== null) draws.add(draw);
      const cents = Number(amount / CENT);
      const feeKind = FEE_KINDS[component];
      if (bucket === 'chargedOff') {
        if (component === 'principal') chargedOffPrincipal += cents;
        else if (component === 'interest') chargedOffInterest += cents;
        else chargedOffFees += cents;
      } else if (component === 'principal') principal += cents;
      else if (component === 'interest') interest.set(draw, (interest.get(draw) ?? 0n) + amount);
      else if (feeKind !== undefined) fees.set(feeKind, (fees.get(feeKind) ?? 0) + cents);
    }
    let [moved, whole, earlier] = [0, 0, 0n];
    const year = this.#yearOf(day);
    for (const [draw, amount] of interest) {
      if (amount < 0n) earlier += this.#take(-amount, year);
      moved += this.#roundedOf(draw).move(amount);
      whole += Number(amount / CENT);
    }
    const [draw] = draws;
    return {
      principal,
      interest: moved,
      wholeInterest: whole,
      earlierInterest: Math.min(roundAccrued(accruedUnits(earlier), 'halfUp'), Math.max(0, -whole)),
      fees: [...fees].flatMap(([kind, amount]) => (amount === 0 ? [] : [{ kind, amount }])),
      chargedOffPrincipal,
      chargedOffInterest,
      chargedOffFees,
      ...(draws.size === 1 && draw !== undefined ? { draw } : {}),
    };
  }

  /** Takes the oldest interest first, and returns what is of years before. */
  #take(amount: bigint, year: number): bigint {
    let left = amount;
    let earlier = 0n;
    for (const [of, unpaid] of this.#years) {
      const taken = unpaid < left ? unpaid : left;
      if (of < year) earlier += taken;
      left -= taken;
      this.#years.set(of, unpaid - taken);
    }
    return earlier;
  }

  #roundedOf(draw: number | null): RoundedInterest {
    const known = this.#interest.get(draw);
    if (known !== undefined) return known;
    const made = new RoundedInterest();
    this.#interest.set(draw, made);
    return made;
  }
}

const NOTHING_PAID = { principal: 0, interest: 0, fees: 0 };

/** What money in a bucket has paid; overpaid money has paid nothing. */
const COMPONENT_OF: ReadonlyMap<string, Component> = new Map<string, Component>([
  ...Object.entries(BUCKETS).map(([bucket, { component }]) => [bucket, component] as const),
  ['chargedOffPrincipal', 'principal'],
  ['chargedOffInterest', 'interest'],
  ['chargedOffFees', 'fees'],
]);

const drawOf = (draw: number | undefined) => (draw === undefined ? {} : { draw });

/** What an entry has taken from the balances: whole cents of interest, the fraction beside them is rounding. */
export const takenParts = (changes: Changes): Parts => ({
  principal: -changes.principal,
  interest: -changes.wholeInterest,
  fees: changes.fees.map(({ kind, amount }) => ({ kind, amount: -amount })),
  chargedOffPrincipal: -changes.chargedOffPrincipal,
  chargedOffInterest: -changes.chargedOffInterest,
  chargedOffFees: -changes.chargedOffFees,
});

/** What an entry has added to the balances. */
export const addedParts = ({
  principal,
  wholeInterest,
  fees,
  chargedOffPrincipal,
  chargedOffInterest,
  chargedOffFees,
}: Changes): Parts => ({
  principal,
  interest: wholeInterest,
  fees,
  chargedOffPrincipal,
  chargedOffInterest,
  chargedOffFees,
});

/** The cent by which booked interest moves beside whole cents, and the claim of a charged-off loan. */
export function beside(changes: Changes): readonly AccountingEvent[] {
  const { chargedOffPrincipal: principal, chargedOffInterest: interest, chargedOffFees: fees } = changes;
  const rounding = changes.wholeInterest - changes.interest;
  return [
    ...(rounding === 0 ? [] : [{ type: 'interestRounding', amount: rounding } as const]),
    ...(principal === 0 && interest === 0 && fees === 0 ? [] : [{ type: 'claim', principal, interest, fees } as const]),
  ];
}
