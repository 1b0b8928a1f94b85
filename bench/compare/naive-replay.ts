import { Big } from 'big.js';

/** A loan as the day-by-day replay needs it; amounts in dollars, rates a year. */
export interface NaiveLoan {
  readonly principal: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly rateOn: (day: number) => string;
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

const DAYS = new Big(365);
const MONTHS = 12;

/** The replay as one would first write it: each day in decimals, interest by the day, payments over interest and principal. */
export function naiveReplay(loan: NaiveLoan): NaiveLedger {
  let principal = new Big(loan.principal);
  let interest = new Big(0);
  let due = new Big(0);
  let entries = 0;
  for (let day = loan.firstDay; day < loan.lastDay; day++) {
    if (loan.dueDays.has(day)) due = due.plus(loan.level);
    const paid = loan.payments.get(day);
    if (paid !== undefined) {
      const amount = new Big(paid);
      const toInterest = amount.lt(interest) ? amount : interest.round(2);
      interest = interest.minus(toInterest);
      principal = principal.minus(amount.minus(toInterest));
      due = due.minus(amount);
      entries += 1;
    }
    interest = interest.plus(principal.times(loan.rateOn(day)).div(DAYS));
    entries += 1;
  }
  let left = principal;
  for (let row = 0; row < loan.remainingRows; row++) {
    const monthly = left.times(loan.rateOn(loan.lastDay)).div(MONTHS).round(2);
    left = left.minus(new Big(loan.level).minus(monthly));
    entries += 1;
  }
  return { principal, interest, entries };
}
