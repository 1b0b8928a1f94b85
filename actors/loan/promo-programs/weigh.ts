import {
  type Accrued,
  addDays,
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
  type Rate,
  roundAccrued,
  subtractAccrued,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { activatedOf } from '../context.js';
import { drawIdOf } from '../draws/draw.js';
import { hasOwnRates } from '../draws/rates.js';
import type { LedgerChanged } from '../facts.js';
import { type AnyLedgerFact, computedWith, computedWithout, factsKnown, isLine, type RunningLedger } from '../ledger/running.js';
import { lineBalancesOfDraw } from '../line/ledger.js';
import { isCounted } from '../purchases/machine.js';
import { type RateScope, ratesSetDrafts, scopeOf } from '../rates/changes.js';
import { indexOf, NEW_ROW, type RateRow, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import { NO_REASON, type Why } from '../tell.js';
import { isPaidToBorrower } from '../transactions/record.js';
import type { Exercise, PromoProgram, PromoTerms } from './program.js';

/** The id of the rate that a program brings. */
export const promoRateId = (state: LoanState, env: EvolveEnv, { rateCounter }: Pick<PromoProgram, 'rateCounter'>): string =>
  env.derivedId('RA', state.id, rateCounter);

/** The rates that a program works on: the loan's, or those of one draw. */
const scopeOfProgram = (state: LoanState, env: EvolveEnv, { draw }: Pick<PromoProgram, 'draw'>): RateScope =>
  scopeOf(state, env, drawIdOf(state, draw) ?? undefined);

/**
 * The promo rate of an earned program: as high as the interest rate, so that nothing is charged. Same-as-cash gives back the
 * interest of the whole loan, whenever the promotion began; deferred interest that since the promotion began. On a line, which
 * goes on to be drawn on, either gives back what was charged since the promotion began until the line was paid.
 */
export function waivingRate(state: LoanState, env: EvolveEnv, program: PromoProgram, paidThrough: Day): RateRow {
  const { activation } = activatedOf(state).contract.terms;
  const isWhole = state.line === null && program.promoType === 'sameAsCash';
  const from = isWhole ? activation : program.startDay;
  // On the day itself nothing is owed any more that could bear interest.
  const until = state.line === null ? null : paidThrough > from ? paidThrough : addDays(from, 1);
  let rate = 0 as Rate;
  const timeline = timelineOf(scopeOfProgram(state, env, program).rows, indexOf(state, env), activation);
  for (const { gross } of netRateSegments(timeline, from, until ?? LAST_DAY)) if (gross > rate) rate = gross;
  return { ...NEW_ROW, id: promoRateId(state, env, program), kind: 'promoRate', rate, from, until };
}

/** Takes back the rate that a program has brought. */
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

/** What a reduced rate takes off while the program runs; one that was ended keeps the days before. */
export function reducedRate(state: LoanState, env: EvolveEnv, program: PromoProgram, terms: PromoTerms, endedOn: Day | null): RateRow {
  const from = terms.startDay;
  const until = endedOn === null ? addDays(terms.endDay, 1) : endedOn;
  const row = {
    ...NEW_ROW,
    id: promoRateId(state, env, program),
    kind: 'promoRate' as const,
    rate: program.promoRate ?? (0 as Rate),
    from,
    until,
  };
  return until > from ? row : { ...row, until: addDays(from, 1), isActive: false };
}

/** The facts that a program's rate is new or other than before. */
export const ratesFacts = (
  state: LoanState,
  env: EvolveEnv,
  program: PromoProgram,
  row: RateRow,
  now: EffectiveTime,
  why: Why,
): readonly FactDraft[] => ratesSetDrafts(state, env, scopeOfProgram(state, env, program), [row], { now, why });

/** What a program that is to be earned comes to on a day. */
export interface Weighed {
  /** As it is. */
  readonly owedCents: Cents;
  /** Still to be paid, were the interest waived; zero: it is earned. */
  readonly remainingCents: Cents;
  /** What would be waived. */
  readonly deferredCents: Cents;
}

/**
 * Computes the ledger as if the program were exercised, through a day: the very facts that exercising records, without
 * recording them. What would still be owed then, principal and fees, is what is to be paid.
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

/** What an exercised program lacks by now: what has come back of the money that had earned it. */
export function unpaidCents(state: LoanState, env: EvolveEnv, program: PromoProgram, { throughDay, knownFacts }: Exercise): Cents {
  const isLaterPurchase = (fact: AnyLedgerFact): boolean =>
    fact.type === 'purchase' && fact.sequence > knownFacts && !lowersBalance(fact.kind);
  return owedIn(computedWithout(state, env, throughDay, isLaterPurchase), state, program);
}

/** What a draft would tell the ledger, if anything. */
function ledgerFactIn({ body, effective }: FactDraft, now: EffectiveTime): readonly AnyLedgerFact[] {
  const { change, recordedDay } = body as { readonly change: LedgerChanged['change'] | null; readonly recordedDay: Day };
  return change === null ? [] : [{ ...change, effective: effective ?? now, sequence: 0, recordedDay }];
}

/**
 * Whether principal or a fee of what a program is about was paid since its start: a line on which nothing has been bought yet is owed
 * nothing, and nobody has earned anything by that.
 */
export function isAnythingPaid(state: LoanState, env: EvolveEnv, program: PromoProgram, through: Day): boolean {
  const actual = computedWith(state, env, through, []);
  if (!isLine(actual)) return true;
  const before = addDays(program.startDay, -1);
  return (
    paidOn(actual, program) > (before < actual.terms.activation ? 0 : paidOn(computedWith(state, env, before, []) as LineState, program))
  );
}

function paidOn(line: LineState, { draw }: PromoProgram): number {
  const { principalCents, feesCents } = balancesOnLine(line, draw).paid;
  return principalCents + feesCents;
}

/** Of a line what is owed on its own fees and on the draws that have its rates. */
function owedIn(ledger: RunningLedger, state: LoanState, { draw }: PromoProgram): Cents {
  if (!isLine(ledger)) return balancesOf(ledger).outstanding.totalCents;
  const owedOn = (number: number): number =>
    ledger.draws.reduce((sum, known) => (known.draw === number ? sum + drawOwedCents(known) : sum), 0);
  if (draw !== null) return cents(owedOn(draw));
  return cents(lineOwedCents(ledger) - state.draws.filter(hasOwnRates).reduce((sum, other) => sum + owedOn(other.draw), 0));
}

const accruedIn = (ledger: RunningLedger, { draw }: PromoProgram): Accrued =>
  (isLine(ledger) ? balancesOnLine(ledger, draw) : balancesOf(ledger)).interestAndFees.interestAccrued;

const balancesOnLine = (ledger: LineState, draw: number | null) =>
  draw === null ? lineBalancesOf(ledger) : lineBalancesOfDraw(ledger, draw);

/** All money that counts on the loan through a day: payments, credits, and what was given back on a line. */
export function moneyCents(
  { transactions, purchases }: Pick<LoanState, 'transactions' | 'purchases'>,
  { draw }: PromoProgram,
  through: Day,
): number {
  let total = 0;
  for (const record of transactions.values()) {
    if (record.payment !== null && !isPaidToBorrower(record) && record.effective.day <= through)
      total += record.actualCents ?? record.scheduledCents;
  }
  for (const purchase of purchases.all()) {
    const isOfProgram = draw === null || purchase.draw === draw;
    if (isOfProgram && isCounted(purchase.status) && lowersBalance(purchase.kind) && purchase.effective.day <= through)
      total += purchase.amountCents;
  }
  return total;
}
