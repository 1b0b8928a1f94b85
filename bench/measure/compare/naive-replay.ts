import { Big } from 'big.js';

/** A loan for the naive replays; amounts in dollars, rates a year. */
export interface NaiveLoan {
  readonly principal: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly rateOn: (day: number) => string;
  /** The days on which another rate begins. */
  readonly rateDays: readonly number[];
  readonly dueDays: ReadonlySet<number>;
  readonly level: string;
  /** By day, in dollars. */
  readonly payments: ReadonlyMap<number, string>;
  readonly remainingRows: number;
}

export interface NaiveLedger {
  readonly principal: Big;
  readonly interest: Big;
  readonly entries: number;
}

interface Running {
  principal: Big;
  interest: Big;
  due: Big;
  entries: number;
}

const DAYS = new Big(365);
const MONTHS = 12;

/** A straightforward replay: each day in decimals, interest by the day, payments over interest and principal. */
export function replayByDay(loan: NaiveLoan): NaiveLedger {
  const running = begin(loan);
  for (let day = loan.firstDay; day < loan.lastDay; day++) {
    runDay(loan, running, day);
    running.interest = running.interest.plus(running.principal.times(loan.rateOn(day)).div(DAYS));
    running.entries += 1;
  }
  return projected(loan, running);
}

/** The same with one multiplication from one day with an event to the next; the events are sorted first. */
export function replayBySegment(loan: NaiveLoan): NaiveLedger {
  const running = begin(loan);
  const stops = [...new Set([loan.firstDay, ...loan.dueDays, ...loan.payments.keys(), ...loan.rateDays, loan.lastDay])]
    .filter((day) => day >= loan.firstDay && day <= loan.lastDay)
    .sort((a, b) => a - b);
  stops.forEach((day, at) => {
    const next = stops[at + 1];
    if (next === undefined) return;
    runDay(loan, running, day);
    running.interest = running.interest.plus(
      running.principal
        .times(loan.rateOn(day))
        .times(next - day)
        .div(DAYS),
    );
    running.entries += 1;
  });
  return projected(loan, running);
}

const begin = (loan: NaiveLoan): Running => ({ principal: new Big(loan.principal), interest: new Big(0), due: new Big(0), entries: 0 });

function runDay({ dueDays, payments, level }: NaiveLoan, running: Running, day: number): void {
  if (dueDays.has(day)) running.due = running.due.plus(level);
  const paid = payments.get(day);
  if (paid === undefined) return;
  const amount = new Big(paid);
  const toInterest = amount.lt(running.interest) ? amount : running.interest.round(2);
  running.interest = running.interest.minus(toInterest);
  running.principal = running.principal.minus(amount.minus(toInterest));
  running.due = running.due.minus(amount);
  running.entries += 1;
}

function projected({ remainingRows, rateOn, lastDay, level }: NaiveLoan, { principal, interest, entries }: Running): NaiveLedger {
  let left = principal;
  for (let row = 0; row < remainingRows; row++) {
    const monthly = left.times(rateOn(lastDay)).div(MONTHS).round(2);
    left = left.minus(new Big(level).minus(monthly));
  }
  return { principal, interest, entries: entries + remainingRows };
}
