import {
  type Accrued,
  addDays,
  assert,
  balancesOf,
  cents,
  type Cents,
  type Day,
  drawOwedCents,
  LAST_DAY,
  lineBalancesOf,
  lineOwedCents,
  type LineState,
  lowersBalance,
  must,
  netRateSegments,
  roundAccrued,
  subtractAccrued,
  RATE_ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { activatedOf } from '../context.js';
import { type Draw, drawIdOf } from '../draws/draw.js';
import { drawRowsOf, ownKinds } from '../draws/rate-rows.js';
import { type AnyLedgerFact, computedWith, computedWithout, factsKnown, isLine, type RunningLedger } from '../ledger/running.js';
import { isMoving } from '../ledger/one-order.js';
import { lineBalancesOfDraw } from '../line/ledger.js';
import { isCounted } from '../purchases/machine.js';
import { type RateScope, ratesSetDrafts, scopeOf } from '../rates/changes.js';
import { indexOf, NEW_ROW, type RateRow, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import { NO_REASON, type Why } from '../applying.js';
import { isPaidToBorrower, movedCents } from '../transactions/record.js';
import type { Exercise, PromoProgram, PromoTerms } from './program.js';

/** The id of a program's promo rate. */
export const promoRateId = (state: LoanState, env: EvolveEnv, { rateCounter }: Pick<PromoProgram, 'rateCounter'>): string =>
  env.derivedId('RA', state.id, rateCounter);

/** The rates that a program changes: the loan's, or those of one draw. */
const scopeOfProgram = (state: LoanState, env: EvolveEnv, { draw }: Pick<PromoProgram, 'draw'>): RateScope =>
  scopeOf(state, env, drawIdOf(state, draw) ?? undefined);

/**
 * The promo rate of an earned program: as high as the interest rate, so that no interest is charged. Same-as-cash waives the interest of
 * the whole loan, deferred interest only the interest since the promotion began. On a line, which can be drawn on again, both waive the
 * interest from the beginning of the promotion until the line was paid.
 */
export function waivingRate(state: LoanState, env: EvolveEnv, program: PromoProgram, paidThrough: Day): RateRow {
  const { activation } = activatedOf(state).contract.terms;
  const isWhole = state.line === null && program.promoType === 'sameAsCash';
  const from = isWhole ? activation : program.startDay;
  // On the day of the payment nothing is owed any more that could bear interest.
  const until = state.line === null ? null : paidThrough > from ? paidThrough : addDays(from, 1);
  let rate = RATE_ZERO;
  const { draw, rows: known } = scopeOfProgram(state, env, program);
  const covered = draw === null ? state.draws.filter(followsPromos).map((other) => drawRowsOf(state, env, other, known)) : [];
  for (const rows of new Set([known, ...covered])) {
    const timeline = timelineOf(rows, indexOf(state, env), activation);
    for (const { gross } of netRateSegments(timeline, from, until ?? LAST_DAY)) if (gross > rate) rate = gross;
  }
  return { ...NEW_ROW, id: promoRateId(state, env, program), kind: 'promoRate', rate, from, until };
}

/** Removes the promo rate of a program. */
export const withdrawnRate = (state: LoanState, env: EvolveEnv, program: PromoProgram): RateRow => {
  const id = promoRateId(state, env, program);
  return {
    ...must(
      scopeOfProgram(state, env, program).rows.find((row) => row.id === id),
      'an exercised program has its rate',
    ),
    isActive: false,
  };
};

/** The promo rate of a reduced-rate program while it is active. If it was ended, the days before keep the rate. */
export function reducedRate(state: LoanState, env: EvolveEnv, program: PromoProgram, terms: PromoTerms, endedOn: Day | null): RateRow {
  const from = terms.startDay;
  const until = endedOn === null ? addDays(terms.endDay, 1) : endedOn;
  const row = {
    ...NEW_ROW,
    id: promoRateId(state, env, program),
    kind: 'promoRate' as const,
    rate: program.promoRate ?? RATE_ZERO,
    from,
    until,
  };
  return until > from ? row : { ...row, until: addDays(from, 1), isActive: false };
}

/** Whether a promo rate of the line is also the draw's. */
const followsPromos = (draw: Draw): boolean => !ownKinds(draw).includes('promoRate');

/** The facts of a program's new or changed rate. */
export const ratesFacts = (
  state: LoanState,
  env: EvolveEnv,
  program: PromoProgram,
  row: RateRow,
  now: EffectiveTime,
  why: Why,
): readonly FactDraft[] => ratesSetDrafts(state, env, scopeOfProgram(state, env, program), { rows: [row] }, { now, why });

/** The evaluation of a program that is to be earned, on a day. */
export interface Weighed {
  /** Owed without the promotion. */
  readonly owedCents: Cents;
  /** Left to pay if the interest is waived; zero: the program is earned. */
  readonly remainingCents: Cents;
  /** The interest that would be waived. */
  readonly deferredCents: Cents;
}

/**
 * Computes the ledger through a day as if the program were exercised, with the same facts as exercising it, but without recording them.
 * Principal and fees that would still be owed are what is left to pay.
 */
export function weigh(state: LoanState, env: EvolveEnv, program: PromoProgram, now: EffectiveTime, through: Day): Weighed {
  const drafts = ratesFacts(state, env, program, waivingRate(state, env, program, through), now, NO_REASON);
  const known = factsKnown(state);
  const waivers = drafts
    .flatMap((draft) => ledgerFactIn(draft, now))
    .map((fact, index): AnyLedgerFact => ({ ...fact, sequence: known + index + 1 }));
  const actual = computedWith(state, env, through, []);
  const waived = waivers.length === 0 ? actual : computedWith(state, env, through, waivers);
  const deferred = subtractAccrued(accruedIn(actual, program), accruedIn(waived, program));
  return {
    owedCents: owedIn(actual, state, program),
    remainingCents: owedIn(waived, state, program),
    deferredCents: roundAccrued(deferred, 'halfUp'),
  };
}

/** How much an exercised program lacks now, because payments that earned it were returned. */
export function unpaidCents(state: LoanState, env: EvolveEnv, program: PromoProgram, { throughDay, knownFacts }: Exercise): Cents {
  const isLaterPurchase = (fact: AnyLedgerFact): boolean =>
    fact.type === 'purchase' && fact.sequence > knownFacts && !lowersBalance(fact.kind);
  return owedIn(computedWithout(state, env, throughDay, isLaterPurchase), state, program);
}

/** The ledger fact of a draft, if it has one. */
function ledgerFactIn(draft: FactDraft, now: EffectiveTime): readonly AnyLedgerFact[] {
  if (!isMoving(draft)) return [];
  const { change, recordedDay } = draft.body;
  return change === null ? [] : [{ ...change, effective: draft.effective ?? now, sequence: 0, recordedDay }];
}

/**
 * Whether principal or a fee that the program covers was paid since its start. Without this, a line without purchases would earn a program,
 * since nothing is owed on it.
 */
export function isAnythingPaid(state: LoanState, env: EvolveEnv, program: PromoProgram, through: Day): boolean {
  const actual = computedWith(state, env, through, []);
  if (!isLine(actual)) return true;
  const before = addDays(program.startDay, -1);
  return paidOn(actual, program) > (before < actual.terms.activation ? 0 : paidOn(computedWith(state, env, before, []), program));
}

function paidOn(line: RunningLedger, { draw }: PromoProgram): number {
  assert(isLine(line), 'a line of credit is one on each day');
  const { principalCents, feesCents } = balancesOnLine(line, draw).paid;
  return principalCents + feesCents;
}

/** What is owed that the program covers: of a line its own fees, and the draws that have the line's promo rates. */
function owedIn(ledger: RunningLedger, state: LoanState, { draw }: PromoProgram): Cents {
  if (!isLine(ledger)) return balancesOf(ledger).outstanding.totalCents;
  const owedOn = (number: number): number =>
    ledger.draws.reduce((sum, known) => (known.draw === number ? sum + drawOwedCents(known) : sum), 0);
  if (draw !== null) return cents(owedOn(draw));
  return cents(
    lineOwedCents(ledger) - state.draws.filter((other) => !followsPromos(other)).reduce((sum, other) => sum + owedOn(other.draw), 0),
  );
}

const accruedIn = (ledger: RunningLedger, { draw }: PromoProgram): Accrued =>
  (isLine(ledger) ? balancesOnLine(ledger, draw) : balancesOf(ledger)).interestAndFees.interestAccrued;

const balancesOnLine = (ledger: LineState, draw: number | null) =>
  draw === null ? lineBalancesOf(ledger) : lineBalancesOfDraw(ledger, draw);

/** All money that counts on the loan through a day: payments, credits, and refunds on a line. */
export function moneyCents(
  { transactions, purchases }: Pick<LoanState, 'transactions' | 'purchases'>,
  { draw }: PromoProgram,
  through: Day,
): number {
  let total = 0;
  for (const record of transactions.values()) {
    if (record.payment !== null && !isPaidToBorrower(record) && record.effective.day <= through) total += movedCents(record);
  }
  for (const purchase of purchases.all()) {
    const isOfProgram = draw === null || purchase.draw === draw;
    if (isOfProgram && isCounted(purchase.status) && lowersBalance(purchase.kind) && purchase.effective.day <= through)
      total += purchase.amountCents;
  }
  return total;
}
