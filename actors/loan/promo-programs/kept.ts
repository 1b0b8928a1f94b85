import { type Cents, cents, type Day, ZERO } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { effectiveEnd, isEarned, type PromoProgram } from './program.js';
import { weigh } from './weigh.js';

/**
 * What who pays all that is owed on a day need not pay, since that earns the promotions that run.
 * `draw`: on this draw of a line alone. Null where no promotion can be earned by it.
 */
export function sparedByPromos(state: LoanState, env: EvolveEnv, day: Day, draw: number | null = null): Cents | null {
  const running = state.promoPrograms.filter((program) => isRunning(program, day) && (draw === null || program.draw === draw));
  if (running.length === 0) return null;
  // Of programs over the same balances only the best counts.
  const bestOf = new Map<number | null, number>();
  for (const program of running) {
    const { owedCents, remainingCents } = weigh(state, env, program, { day, seconds: LAST_SECOND }, day);
    bestOf.set(program.draw, Math.max(bestOf.get(program.draw) ?? 0, owedCents - remainingCents));
  }
  let spared: number = ZERO;
  for (const best of bestOf.values()) spared += best;
  return cents(spared);
}

const LAST_SECOND = 86_399;

const isRunning = (program: PromoProgram, day: Day): boolean =>
  program.status === 'active' && isEarned(program) && day <= effectiveEnd(program);
