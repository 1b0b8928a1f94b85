import type { Big } from 'big.js';
import type { DueDateDeferred, DueDateRule, LedgerTerms, ScheduleChanged } from '../../../engine/index.js';
import { amountOf, dueDateAfter, nextDateOfRule, ZERO } from './parts.js';
import { type Amortization, changedRows, type MostOn, type NaiveRow, relevelled } from './schedule.js';

/** The due dates of a loan with their amounts, and which of them is next. */
export class DueDates {
  #rows: readonly NaiveRow[];
  #rule: DueDateRule;
  #at = 0;

  constructor(terms: LedgerTerms) {
    this.#rule = terms.dueDateRule;
    this.#rows = terms.rows.map(({ date, amountCents, isForced }) => ({
      date,
      amount: amountOf(amountCents),
      kind: isForced ? 'forced' : 'level',
    }));
  }

  get next(): NaiveRow | undefined {
    return this.#rows[this.#at];
  }

  get coming(): readonly NaiveRow[] {
    return this.#rows.slice(this.#at);
  }

  /** Sets the amount of an interest-only row to the interest that was paid in advance. */
  expect(row: NaiveRow | undefined, amount: Big): void {
    if (row?.kind === 'interestOnly') this.#rows = this.#rows.map((other) => (other === row ? { ...row, amount } : other));
  }

  get isLast(): boolean {
    return this.#at === this.#rows.length - 1;
  }

  /** The position of the next row. */
  get ordinal(): number {
    return this.#at;
  }

  pass(): void {
    this.#at += 1;
  }

  get amounts(): ReadonlyMap<number, Big> {
    return new Map(this.#rows.map(({ date, amount }) => [date, amount]));
  }

  /** Dates that have fallen due or were skipped. */
  get passed(): readonly number[] {
    return this.#rows.slice(0, this.#at).map(({ date }) => date);
  }

  /** Skips dates that have passed without falling due. */
  skipThrough(day: number): void {
    while ((this.next?.date ?? day + 1) <= day) this.#at += 1;
  }

  /** Moves the open rows to the open dates after the day, and then to dates by the rule. */
  shift(day: number): void {
    const open = this.#rows.slice(this.#at);
    const dates = open.map(({ date }) => date).filter((date) => date > day);
    for (let last = this.#rows.at(-1)?.date ?? day; dates.length < open.length; ) {
      last = dueDateAfter(this.#rule, last);
      if (last > day) dates.push(last);
    }
    this.#rows = [...this.#rows.slice(0, this.#at), ...open.map((row, position) => ({ ...row, date: dates[position] ?? row.date }))];
  }

  /** Whether an open date has passed. */
  hasMissed(day: number): boolean {
    return (this.next?.date ?? day + 1) <= day;
  }

  /** Adds a closing row for the balance that is left after the last row. */
  close(day: number): void {
    const last = this.#rows.at(-1)?.date ?? day;
    this.#rows = [...this.#rows, { date: nextDateOfRule(this.#rule, Math.max(day, last)), amount: ZERO, kind: 'closing' }];
  }

  relevel(input: Amortization, mostOn: MostOn): void {
    const [before, open] = this.#split(input.from);
    if (open[0] === undefined || open[0].kind === 'closing') return;
    this.#rows = [...before, ...relevelled(input, open, mostOn)];
  }

  /** The schedule stays unchanged if the new terms would not pay the loan off. */
  change(input: Amortization, { dueDates, from = dueDates[0], payment, rowTerms = [], rule }: ScheduleChanged, mostOn: MostOn): void {
    const [before, open] = this.#split(input.from);
    const kept = open.filter(({ date }) => from === undefined || date < from);
    const rows = changedRows(input, { kept, dates: dueDates, terms: rowTerms, payment }, mostOn);
    if (rows === null) return;
    this.#rows = [...before, ...rows];
    this.#rule = rule ?? this.#rule;
  }

  /** Moves the amount of a due date to a later one. */
  defer({ dueDay, newDay }: Pick<DueDateDeferred, 'dueDay' | 'newDay'>): void {
    const row = this.#rows.find(({ date }, position) => position >= this.#at && date === dueDay);
    if (row === undefined || row.kind === 'deferred' || newDay <= dueDay) return;
    const there = this.#rows.find(({ date }) => date === newDay);
    const moved: NaiveRow =
      there === undefined
        ? { ...row, date: newDay, kind: 'level' }
        : { date: newDay, amount: there.amount.plus(row.amount), kind: 'forced' };
    const others = this.#rows.filter((other) => other !== row && other !== there);
    this.#rows = [...others, { date: dueDay, amount: ZERO, kind: 'deferred' } as const, moved].sort((a, b) => a.date - b.date);
  }

  #split(day: number): readonly [readonly NaiveRow[], readonly NaiveRow[]] {
    let open = this.#at;
    while ((this.#rows[open]?.date ?? day + 1) <= day) open += 1;
    return [this.#rows.slice(0, open), this.#rows.slice(open)];
  }
}
