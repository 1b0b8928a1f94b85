import { addDays } from '../../calendar/index.js';
import type { Accrued, Cents } from '../../money/index.js';
import { accruedOf, centsOfInterest, type Interest, minus, NO_INTEREST } from '../core/interest.js';
import { blockOf, interestAndFeesOf, paidOf, sumOfBlocks } from '../installment/shared.js';
import type { FeeStanding } from '../core/state.js';
import { accrueTo } from './accrue.js';
import { cloneToAccrue } from './clone.js';
import { creditOf } from './credit.js';
import { drawOf } from './draws.js';
import { isOriginal } from './entering.js';
import { openFeesCents } from './owed.js';
import type { DrawState, LineFee, LineState } from './state.js';
import type { LineBalanceBlock, LineBalances } from './views.js';

/** Every block of balances at the state's day: of the line with all its draws, or of one draw. */
export function lineBalancesOf(state: LineState, draw: number | null = null): LineBalances {
  const holders: readonly (DrawState | null)[] = draw === null ? [null, ...state.draws] : [drawOf(state, draw)];
  const block = (standing: FeeStanding): LineBalanceBlock =>
    sumOfLineBlocks(holders.map((holder) => blockOfHolder(state, holder, standing)));
  const nonDue = block('nonDue');
  const due = block('due');
  const overdue = block('overdue');
  const totals = draw === null ? state.totals : drawOf(state, draw).totals;
  return {
    outstanding: sumOfLineBlocks([nonDue, due, overdue]),
    nonDue,
    due,
    overdue,
    chargedOff: block('chargedOff'),
    paid: paidOf(totals),
    interestAndFees: interestAndFeesOf(totals, { forgoneCap: NO_INTEREST, dailyInterest: dailyInterestOf(state, draw) }),
    credit: creditOf(state, draw),
  };
}

function blockOfHolder(state: LineState, draw: DrawState | null, standing: FeeStanding): LineBalanceBlock {
  const fees = draw === null ? state.fees : draw.fees;
  const originalCents = openFeesCents(fees.filter((fee) => isOriginal(fee) && fee.standing === standing));
  const parts = { ...bodyIn(draw, standing), originationCents: originalCents };
  const block = blockOf(
    fees.filter((fee: LineFee) => !isOriginal(fee)),
    standing,
    parts,
  );
  if (draw === null) return { ...block, drawFeesCents: 0 as Cents };
  return { ...block, originationFeesCents: 0 as Cents, drawFeesCents: originalCents as Cents };
}

interface Body {
  readonly principalCents: number;
  readonly interest: Interest;
}

function bodyIn(draw: DrawState | null, standing: FeeStanding): Body {
  if (draw === null) return { principalCents: 0, interest: NO_INTEREST };
  const { balances } = draw;
  switch (standing) {
    case 'nonDue':
      return { principalCents: balances.nonDuePrincipalCents, interest: balances.nonDueInterest };
    case 'due':
      return { principalCents: balances.duePrincipalCents, interest: centsOfInterest(balances.dueInterestCents) };
    case 'overdue':
      return { principalCents: balances.overduePrincipalCents, interest: centsOfInterest(balances.overdueInterestCents) };
    case 'chargedOff':
      return { principalCents: balances.chargedOffPrincipalCents, interest: centsOfInterest(balances.chargedOffInterestCents) };
  }
}

const sumOfLineBlocks = (blocks: readonly LineBalanceBlock[]): LineBalanceBlock => ({
  ...sumOfBlocks(blocks),
  drawFeesCents: blocks.reduce((sum, { drawFeesCents }) => sum + drawFeesCents, 0) as Cents,
});

/** What the state's day accrues on its balances as they stand. */
export function dailyInterestOf(state: LineState, draw: number | null): Accrued {
  const next = cloneToAccrue(state);
  accrueTo(next, addDays(state.day, 1));
  const accrued = (of: LineState): Interest => (draw === null ? of.totals : drawOf(of, draw).totals).interestAccrued;
  return accruedOf(minus(accrued(next), accrued(state)));
}
