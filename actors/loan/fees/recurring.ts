import {
  addDays,
  cents,
  type Cents,
  civil,
  type Day,
  dayOf,
  daysInMonth,
  type EffectiveTime,
  type FeeState,
  type LineLedgerEvent,
  must,
  startOfDay,
} from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { Fact, FactDraft } from '../../kernel/fact.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { MAX_RECURRING_FEES, recurringFeeId, seededFeeId } from '../derived-ids.js';
import { isLine, type RunningLedger, runningOn } from '../ledger/running.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../module.js';
import type { Activated, LedgerSummary, LoanState, RemovedFee } from '../state.js';
import type { Why } from '../tell.js';
import type { FeeChargedBody, RecurringFeesDone, RecurringFeesTaken } from './evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from './quote.js';
import type { FeeReply } from './types.js';

/** Whether fees of a type come by themselves while the loan has a status. */
export const isChargedWhile = ({ waiveWhileFrozen }: Pick<FeeType, 'waiveWhileFrozen'>, status: LoanStatus): boolean =>
  status === 'active' || (status === 'frozen' && !waiveWhileFrozen);

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

const SEEDED_KINDS = ['dynamicFee', 'serviceFee'] as const;

/**
 * What a migrated line owed of fees at its cutoff, of each draw and of the line itself: nobody says of which fees it is made. Origination
 * and draw fees are in the list anyway.
 */
export function seededFees(state: LoanState, env: EvolveEnv, ledger: RunningLedger): readonly FeeReply[] {
  if (!isLine(ledger)) return [];
  const { zone } = recordOf(state);
  const bearers = [{ draw: null, fees: ledger.fees }, ...ledger.draws];
  return bearers.flatMap(({ draw, fees }) => {
    const bearer = draw === null ? null : (state.draws.find((known) => known.draw === draw) ?? null);
    return SEEDED_KINDS.flatMap((kind): readonly FeeReply[] => {
      const parts = fees.filter((part) => part.fee === null && part.obligation === null && part.feeTypeId === kind);
      const [first] = parts;
      const id = seededFeeId(env, state, bearer, kind);
      if (first === undefined || id === null) return [];
      const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0);
      const openCents = parts.reduce((sum, part) => sum + part.openCents, 0);
      const dueDays = parts.flatMap(({ dueDay }) => (dueDay === null ? [] : [dueDay]));
      return [
        {
          id,
          type: kind,
          amount: amount(cents(amountCents)),
          originalAmount: amount(cents(amountCents)),
          remainingAmount: amount(cents(openCents)),
          status: openCents === 0 ? 'paid' : 'booked',
          createdDate: dateText(first.chargeDay),
          scheduledDate: dateText(first.chargeDay),
          dueDate: orNull(dateText, dueDays.sort((a, b) => a - b)[0]),
          feeTypeId: null,
          drawId: bearer?.id ?? null,
          dynamicFeeDetails: null,
          timestamps: { createdAt: dateTimeText(startOfDay(zone, first.chargeDay)) },
        },
      ];
    });
  });
}

type FeeCanceled = Extract<LineLedgerEvent, { readonly type: 'feeCanceled' }>;

/**
 * A replay books late fees again or not: one that it does not is canceled, and the ledger knows it no more. It was told under its id,
 * so that it stays to be read there.
 */
export function noteRemoved(activation: Activated, canceled: FeeCanceled, fact: Fact, { caseId }: Why): void {
  const { feeTypeId, obligation, chargeDay, amountCents } = canceled;
  if (obligation === null) return;
  const others = activation.removedFees.filter((other) => !isSame(other, { feeTypeId, obligation }));
  activation.removedFees = [...others, { feeTypeId, obligation, chargeDay, amountCents, removedAt: fact.businessAt, caseId }];
}

type Named = Pick<FeeState, 'feeTypeId' | 'obligation'>;

const isSame = (removed: RemovedFee, { feeTypeId, obligation }: Named): boolean =>
  removed.feeTypeId === feeTypeId && removed.obligation === obligation;

/** Those that the ledger does not hold: one that was waived, or that was booked once more, is in it. */
export const removedFrom = ({ removedFees }: Activated, fees: readonly Named[]): readonly RemovedFee[] =>
  removedFees.filter((removed) => !fees.some((fee) => isSame(removed, fee)));
