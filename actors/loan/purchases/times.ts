import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import { dayOfText, secondsOf, type TimeOfDay } from '../../wire.js';
import { effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS } from '../context.js';
import type { LoanState } from '../state.js';

interface Timed {
  readonly purchaseDate?: string | null;
  readonly purchaseTimeOfDay?: TimeOfDay | null;
}

/**
 * When a purchase is made: today at this time of day, or on a past day, at its end where no time is given. Nothing lies
 * ahead, and nothing before the draw's activation; null where that does not count, as in a migration's history.
 */
export function purchaseTime({ state, env }: CommandContext<LoanState>, timed: Timed, activation: EffectiveTime | null): EffectiveTime {
  const now = effectiveNow(env, state);
  const day = timed.purchaseDate == null ? now.day : dayOfText(timed.purchaseDate);
  const fault =
    day > now.day ? 'lies after today' : activation !== null && day < activation.day ? 'lies before the draw’s activation' : null;
  if (fault !== null) {
    refuse('ruleViolation', `The purchase date ${fault}.`, {
      errors: [{ path: 'purchaseDate', expected: 'a day from the draw’s activation to today', message: fault }],
    });
  }
  const isToday = day === now.day;
  if (timed.purchaseTimeOfDay == null) return isToday ? now : { day, seconds: END_OF_DAY_SECONDS };
  const seconds = secondsOf(timed.purchaseTimeOfDay);
  if (seconds < FIRST_USER_SECONDS) return refuseProperty('purchaseTimeOfDay', '02:00:00 or later', 'Before 02:00 lies the daily work.');
  return { day, seconds: isToday ? Math.min(seconds, now.seconds) : seconds };
}

/** What was authorized before counts from the moment at which it is settled: until then it has only held credit. */
export const settleTime = ({ state, env }: CommandContext<LoanState>): EffectiveTime => effectiveNow(env, state);

/** A purchase counts from the draw's activation at the earliest, whatever time of that day it names. */
export const countedFrom = (made: EffectiveTime, activation: EffectiveTime | null): EffectiveTime =>
  activation !== null && made.day === activation.day && made.seconds < activation.seconds ? activation : made;
