import { accruedOf, type LineFee, lineOwedCents, type LineState } from '../../../../engine/index.js';

const CENT = 160_308_000_000_000n;

const allFees = (state: LineState): readonly LineFee[] => [...state.fees, ...state.draws.flatMap(({ fees }) => fees)];

export function isNothingNegative(state: LineState): boolean {
  const numbers = [
    ...state.draws.flatMap(({ balances: { nonDueInterest, ...cents } }) => [
      nonDueInterest.cents,
      nonDueInterest.parts,
      ...Object.values(cents),
    ]),
    ...allFees(state).flatMap((fee) => [fee.openCents, fee.amountCents - fee.openCents]),
    ...state.obligations.flatMap((obligation) => [
      obligation.remainingCents,
      obligation.amountCents,
      obligation.withoutLateFeesCents,
      obligation.principalCents,
    ]),
    ...state.obligations.flatMap(({ draws }) => draws.flatMap((part) => [part.amountCents, part.remainingCents])),
    state.prepaidCents,
    state.unassignedCents,
    state.processingPayments,
    ...state.payments.flatMap((payment) => [payment.principalCents, payment.interestCents, payment.feesCents, payment.overCents]),
  ];
  return numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
}

/** What was drawn, accrued and charged is either paid, owed, forgone or given back. */
export function isNothingLost(state: LineState): boolean {
  const { totals } = state;
  const sum = (of: (draw: LineState['draws'][number]) => number): number => state.draws.reduce((total, draw) => total + of(draw), 0);
  const principal = sum(
    ({ balances: b }) => b.nonDuePrincipalCents + b.duePrincipalCents + b.overduePrincipalCents + b.chargedOffPrincipalCents,
  );
  const added = totals.purchasesCents + totals.capitalizedInterestCents + totals.capitalizedFeesCents + totals.owedAgainCents;
  const principalHolds = added === principal + totals.paidPrincipalCents + totals.refundsCents + totals.canceledPrincipalCents;
  const dueInterest = sum(({ balances: b }) => b.dueInterestCents + b.overdueInterestCents + b.chargedOffInterestCents);
  const nonDue = state.draws.reduce((total, { balances }) => total + accruedOf(balances.nonDueInterest), 0n);
  const settled = BigInt(dueInterest + totals.paidInterestCents + totals.capitalizedInterestCents) * CENT;
  const interestHolds =
    accruedOf(totals.interestAccrued) === nonDue + settled + accruedOf(totals.forgoneRounding) + accruedOf(totals.reversedInterest);
  const openFees = allFees(state).reduce((total, fee) => total + fee.openCents, 0);
  const feesHold = totals.feesChargedCents === openFees + totals.paidFeesCents + totals.capitalizedFeesCents + totals.canceledFeesCents;
  return principalHolds && interestHolds && feesHold;
}

/** For each draw, obligations sum to the due and overdue balances, except for fees for which they have counted other money. */
export function areObligationsWhole(state: LineState): boolean {
  if (!isLessWithoutLateFees(state)) return false;
  const isBefore = state.status === 'active' || state.status === 'frozen';
  return [null, ...state.draws.map(({ draw }) => draw)].every(
    (of) => isWhole(state, of, ['due', 'overdue', 'chargedOff']) && (!isBefore || isWhole(state, of, ['overdue'])),
  );
}

/** Without late fees no obligation that is open would lack more. */
const isLessWithoutLateFees = (state: LineState): boolean =>
  state.obligations.every(({ isFulfilled, remainingCents, withoutLateFeesCents }) => isFulfilled || withoutLateFeesCents <= remainingCents);

/** Money may have paid overdue balances within the tolerance instead of due ones. */
function isWhole(state: LineState, of: number | null, among: readonly ('due' | 'overdue' | 'chargedOff')[]): boolean {
  const draw = state.draws.find((candidate) => candidate.draw === of);
  const fees = (of === null ? state.fees : (draw?.fees ?? [])).filter((fee) => fee.carriedBy !== null && isIn(among, fee.dueStatus));
  const openCents = fees.reduce((sum, fee) => sum + fee.openCents, 0);
  const body = among.reduce(
    (sum, name) => sum + (draw?.balances[`${name}PrincipalCents`] ?? 0) + (draw?.balances[`${name}InterestCents`] ?? 0),
    0,
  );
  const asking = state.obligations.filter(({ isEnforced }) => isEnforced || isIn(among, 'due'));
  const asked = (obligations: typeof asking): number =>
    obligations
      .flatMap(({ draws }) => draws)
      .filter((part) => part.draw === of)
      .reduce((sum, part) => sum + part.remainingCents, 0);
  const above = body + openCents - asked(asking);
  const letPass = isIn(among, 'due') ? 0 : asked(asking.filter(({ isFulfilled }) => isFulfilled));
  return above >= -letPass && above <= openCents;
}

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

/** What is owed to fractions of a cent. */
export const owedExactly = (state: LineState): bigint =>
  BigInt(lineOwedCents(state)) * CENT + state.draws.reduce((sum, { balances }) => sum + BigInt(balances.nonDueInterest.parts), 0n);
