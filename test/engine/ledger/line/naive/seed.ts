import { type Day, dueStatusOfSeeded, type LineSeeded, type SeededFee } from '../../../../../engine/index.js';
import { type NaiveState, toleranceOf } from './state.js';
import { type Holder, money, type Part, sum, sure, ZERO } from './holder.js';
import { remainingOf } from './late-fees.js';
import { periodAfter, runningPeriod } from './periods.js';
import { amortize } from './statement.js';

type Period = LineSeeded['period'];

/** The unpaid part of an obligation from before the cutoff, by holder. */
interface Lack {
  readonly period: Period;
  readonly amount: number;
  readonly parts: Map<Holder, { principal: number; interest: number; fees: number }>;
}

/** Starts a line with its balances at the cutoff. */
export function seed(state: NaiveState, fact: LineSeeded): void {
  const holderOf = (draw: number | null): Holder =>
    draw === null ? state.line : sure(state.draws.find(({ terms }) => terms?.draw === draw));
  for (const seeded of fact.draws) {
    const draw = holderOf(seeded.draw);
    for (const dueStatus of ['nonDue', 'due', 'overdue'] as const) {
      draw.principal[dueStatus] = money(seeded[dueStatus].principalCents);
      draw.interest[dueStatus] = money(seeded[dueStatus].interestCents);
    }
    draw.inGrace = sure(draw.terms).grace.isApplicable && seeded.isGraceEligible;
  }
  const fees = [
    ...fact.fees.map((fee) => ({ holder: state.line, fee })),
    ...fact.draws.flatMap(({ draw, fees: own }) => own.map((fee) => ({ holder: holderOf(draw), fee }))),
  ];
  const overdue = overdueLacks(
    state,
    fact,
    fees.filter(({ fee }) => dueStatusOfSeeded(fee) === 'overdue'),
    holderOf,
  );
  for (const { holder, fee } of fees)
    if (dueStatusOfSeeded(fee) !== 'overdue') addFee(state, holder, fee, fee.amountCents, fact.period.dueDate);
  const periods = [...overdue.map(({ period }) => period), fact.period];
  const first = Math.max(1, overdue.length) - overdue.length;
  state.periods = periods.map((period, position) => ({
    ordinal: position < overdue.length ? position : first + position,
    startDay: period.startDate,
    endDay: period.endDate,
    statementDay: period.statementDate,
    dueDay: period.dueDate,
    status: 'closed',
  }));
  state.periods.push(periodAfter(state.terms, state.schedule, sure(state.periods.at(-1))));
  const fullOf = (holder: Holder): number => fact.draws.find(({ draw }) => draw === holder.terms?.draw)?.fullBalanceCents ?? 0;
  const partsOf = (lacked: Lack['parts']): Part[] =>
    state.holders.map((holder): Part => {
      const { principal, interest, fees: ofFees } = lacked.get(holder) ?? { principal: 0, interest: 0, fees: 0 };
      return {
        holder,
        full: money(fullOf(holder)),
        principal: sum(Object.values(holder.principal)),
        interest: money(interest),
        remaining: money(principal + interest + ofFees),
        fulfilled: ZERO,
      };
    });
  overdue.forEach(({ period, amount, parts: lacked }, ordinal) => {
    const parts = partsOf(lacked);
    state.obligations.push({
      ordinal,
      due: period.dueDate,
      amount: money(amount),
      statement: period.statementDate,
      parts,
      withoutLate: sum(parts.map(({ remaining }) => remaining)),
      paused: 0,
      isEnforced: true,
      isFulfilled: sum(parts.map(({ remaining }) => remaining)).lte(toleranceOf(state)),
      base: ZERO,
    });
  });
  const due = new Map(
    state.holders.map((holder) => {
      const ofFees = fees
        .filter((one) => one.holder === holder && dueStatusOfSeeded(one.fee) === 'due')
        .reduce((total, { fee }) => total + fee.amountCents, 0);
      const body = fact.draws.find(({ draw }) => draw === holder.terms?.draw)?.due ?? { principalCents: 0, interestCents: 0 };
      return [holder, { principal: body.principalCents, interest: body.interestCents, fees: ofFees }] as const;
    }),
  );
  const parts = partsOf(due);
  const current = {
    ordinal: Math.max(1, overdue.length),
    due: fact.period.dueDate,
    amount: money(fact.obligation.amountCents),
    statement: fact.period.statementDate,
    parts,
    withoutLate: ZERO,
    paused: 0,
    isEnforced: false,
    isFulfilled: false,
    base: ZERO,
  };
  const remaining = remainingOf(current);
  state.obligations.push({ ...current, withoutLate: remaining, isFulfilled: remaining.lte(toleranceOf(state)) });
  state.reimbursement = money(fact.reimbursementCents);
  // The non-due balance of a draw that amortizes is amortized as if it were purchased now.
  for (const draw of state.draws) {
    const { amortization } = sure(draw.terms);
    if (amortization !== null)
      amortize(state, draw, { principal: draw.principal.nonDue, payment: amortization.payment, from: runningPeriod(state) });
  }
}

/** Assigns overdue balances to the oldest obligation first: fees, then interest, then principal, in the order of the draws. */
function overdueLacks(
  state: NaiveState,
  fact: LineSeeded,
  fees: readonly { readonly holder: Holder; readonly fee: SeededFee }[],
  holderOf: (draw: number) => Holder,
): readonly Lack[] {
  const { obligation, period } = fact;
  const before = (period.startDate - 1) as Day;
  const asOne: Period = {
    startDate: before,
    endDate: before,
    statementDate: period.startDate,
    dueDate: (fact.effective.day - Math.max(1, obligation.daysOverdue)) as Day,
  };
  const stated =
    obligation.overdue ??
    (obligation.overdueCents > 0
      ? [{ period: asOne, amountCents: obligation.overdueCents, remainingCents: obligation.overdueRemainingCents }]
      : []);
  const waiting = [
    ...fees.map(({ holder, fee }) => ({ holder, of: 'fees' as const, fee, cents: fee.amountCents as number })),
    ...fact.draws.map(({ draw, overdue }) => ({
      holder: holderOf(draw),
      of: 'interest' as const,
      fee: null,
      cents: overdue.interestCents as number,
    })),
    ...fact.draws.map(({ draw, overdue }) => ({
      holder: holderOf(draw),
      of: 'principal' as const,
      fee: null,
      cents: overdue.principalCents as number,
    })),
  ];
  return stated.map((one): Lack => {
    const parts: Lack['parts'] = new Map();
    let left: number = one.remainingCents;
    for (const part of waiting) {
      const taken = Math.min(left, part.cents);
      if (taken === 0) continue;
      part.cents -= taken;
      left -= taken;
      const split = parts.get(part.holder) ?? { principal: 0, interest: 0, fees: 0 };
      split[part.of] += taken;
      parts.set(part.holder, split);
      if (part.fee !== null) addFee(state, part.holder, part.fee, taken, one.period.dueDate);
    }
    return { period: one.period, amount: one.amountCents, parts };
  });
}

/** Adds a fee charged before the cutoff; its non-due part falls due with the next statement. */
function addFee(state: NaiveState, holder: Holder, { kind, standing: dueStatus }: SeededFee, cents: number, due: Day): void {
  if (cents === 0) return;
  holder.fees.push({
    open: money(cents),
    dueStatus,
    isNext: true,
    from: null,
    isOfDraw: kind === 'drawFee',
    knownFrom: state.today,
    isSeeded: kind === 'dynamicFee' || kind === 'serviceFee',
    isCarried: dueStatus !== 'nonDue',
    fellDue: dueStatus === 'nonDue' ? null : due,
    late: null,
  });
}
