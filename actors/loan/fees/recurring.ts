import { addDays, type Cents, civil, type Day, dayOf, daysInMonth, type EffectiveTime, must } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import { isChargedWhile } from './while.js';
import { MAX_RECURRING_FEES, recurringFeeId } from '../derived-ids.js';
import type { FeeChargedBody, RecurringFeesDone, RecurringFeesTaken } from './evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from './quote.js';
import { runningOn } from '../ledger/running.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { Activated, LedgerSummary, LoanState } from '../state.js';

/** Triggers of fees that come round by themselves: with each period, and with each year since activation. */
export type RecurringTrigger = 'periodStart' | 'anniversary';

const TRIGGERS: readonly RecurringTrigger[] = ['periodStart', 'anniversary'];

/** Which of them the active fee types of a product have, in a fixed order. */
export const recurringTriggers = (feeTypes: readonly FeeType[]): readonly RecurringTrigger[] =>
  TRIGGERS.filter((trigger) => feeTypes.some((feeType) => feeType.status === 'active' && feeType.trigger === trigger));

/** How far the recurring fees of a loan are, and what of its product asks for them. */
export interface RecurringFees {
  readonly triggers: readonly RecurringTrigger[];
  /** Periods and years that began up to this day have been looked at. */
  readonly doneThrough: Day;
  /** How many were charged: their ids are places. */
  readonly made: number;
}

/** 01:00, the nominal time of scheduled items. */
const SCHEDULED_SECONDS = 3_600;

export const recurringFeeWork: ScheduledWork = {
  nextDay(state) {
    const servicing = activationOf(state);
    if (servicing === null || servicing.recurring.triggers.length === 0 || hasEnded(servicing)) return null;
    const days = servicing.recurring.triggers.map((trigger) =>
      trigger === 'periodStart' ? nextPeriodStart(servicing) : nextAnniversary(servicing),
    );
    return days.reduce<Day | null>((first, day) => (first === null || (day !== null && day < first) ? day : first), null);
  },
  *due(state, day, env) {
    const feeTypes = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId);
    let made = servicingIn(state).recurring.made;
    for (const feeType of feeTypes) {
      if (feeType.status !== 'active' || !isTriggered(servicingIn(state), feeType, day) || made >= MAX_RECURRING_FEES) continue;
      const amountCents = feeCents(state, runningOn(state, env, day), { feeType });
      if (amountCents === 0) continue;
      yield charge(state, env, { feeType, amountCents, day, made });
      made += 1;
    }
    const done: RecurringFeesDone = { through: day, made };
    yield { type: 'RecurringFeesDone', body: done };
  },
};

/** The fact by which a loan takes over that its product's fee types ask for others than before; null when they do not. */
export function newTriggers(state: LoanState, feeTypes: readonly FeeType[]): FactDraft | null {
  const servicing = activationOf(state);
  if (servicing === null || hasEnded(servicing)) return null;
  const triggers = recurringTriggers(feeTypes);
  if (triggers.join() === servicing.recurring.triggers.join()) return null;
  const { doneThrough } = servicing.recurring;
  const { through } = servicing.summary;
  const body: RecurringFeesTaken = { triggers, doneThrough: doneThrough > through ? doneThrough : through };
  return { type: 'RecurringFeesTaken', body };
}

const servicingIn = (state: LoanState): Activated => must(activationOf(state), `${state.id} has no ledger`);

/** No fee comes by itself any more. While a loan is accelerated none comes either, but its years go on. */
const hasEnded = ({ summary: { status } }: Activated): boolean => status === 'paidOff' || status === 'canceled' || status === 'chargedOff';

function nextPeriodStart({ contract, summary, recurring: { doneThrough } }: Activated): Day | null {
  const { activation } = contract.terms;
  if (activation > doneThrough) return activation;
  return [begunOn(summary), comingOf(summary)].find((day) => day !== null && day > doneThrough) ?? null;
}

/** When the running period began: a line's on the statement date of the one before, an installment loan's on a due date. */
const begunOn = ({ periodStartDay, fallenDueDay }: LedgerSummary): Day | null => periodStartDay ?? fallenDueDay;

const comingOf = ({ periodStartDay, comingStatementDay, comingDueDay }: LedgerSummary): Day | null =>
  periodStartDay === undefined ? comingDueDay : comingStatementDay;

function nextAnniversary({ contract, recurring: { doneThrough } }: Activated): Day {
  const { activation } = contract.terms;
  const years = Math.max(1, civil(doneThrough).year - civil(activation).year);
  const first = anniversary(activation, years);
  return first > doneThrough ? first : anniversary(activation, years + 1);
}

/** The same date of a later year; 29 February's is the 28th where there is none. */
function anniversary(start: Day, years: number): Day {
  const { year, month, day } = civil(start);
  return dayOf(year + years, month, Math.min(day, daysInMonth(year + years, month)));
}

function isTriggered(servicing: Activated, feeType: FeeType, day: Day): boolean {
  const { summary, contract, recurring } = servicing;
  const { trigger } = feeType;
  if (!isChargedWhile(feeType, summary.status)) return false;
  if (trigger === 'anniversary') return day === nextAnniversary(servicing) && day > recurring.doneThrough;
  if (trigger !== 'periodStart') return false;
  return (day === contract.terms.activation || day === begunOn(summary)) && summary.comingDueDay !== null && summary.status === 'active';
}

interface Charge {
  readonly feeType: FeeType;
  readonly amountCents: Cents;
  readonly day: Day;
  readonly made: number;
}

function charge(state: LoanState, env: DecideEnv, { feeType, amountCents, day, made }: Charge): FactDraft {
  const effective: EffectiveTime = { day, seconds: SCHEDULED_SECONDS };
  const body: FeeChargedBody = {
    change: automaticFeeChange(state, feeType, nextFeeNumber(state), amountCents, null),
    details: { id: recurringFeeId(env, state, made), externalId: null, category: feeType.feeType, customDisplayName: null },
    recordedDay: day,
    caseId: null,
    reason: null,
  };
  return { type: 'FeeCharged', body, effective };
}

/** What a loan begins with: a past activation charges nothing for the days that are gone. */
export const firstRecurring = (triggers: readonly RecurringTrigger[], activation: Day, recordedDay: Day): RecurringFees => ({
  triggers,
  doneThrough: activation === recordedDay ? addDays(activation, -1) : recordedDay,
  made: 0,
});
