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
import type { EvolveEnv } from '../../kernel/actor.js';
import type { Fact, FactDraft } from '../../kernel/fact.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { MAX_RECURRING_FEES, recurringFeeId, seededFeeId } from '../derived-ids.js';
import { isLine, type RunningLedger, runningOn } from '../ledger/running.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../catch-up.js';
import type { Activated, LedgerSummary, LoanState, RemovedFee } from '../state.js';
import type { Why } from '../applying.js';
import type { FeeChargedBody, RecurringFeesDone, RecurringFeesTaken } from './evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from './quote.js';
import type { FeeReply } from './types.js';

/** Whether automatic fees of a type are charged while the loan has a status. */
export const isChargedWhile = ({ waiveWhileFrozen }: Pick<FeeType, 'waiveWhileFrozen'>, status: LoanStatus): boolean =>
  status === 'active' || (status === 'frozen' && !waiveWhileFrozen);

/** Triggers of recurring fees: the start of each period, and each year since activation. */
export type RecurringTrigger = 'periodStart' | 'anniversary';

const TRIGGERS: readonly RecurringTrigger[] = ['periodStart', 'anniversary'];

/** The triggers of a product's active fee types, in a fixed order. */
export const recurringTriggers = (feeTypes: readonly FeeType[]): readonly RecurringTrigger[] =>
  TRIGGERS.filter((trigger) => feeTypes.some((feeType) => feeType.status === 'active' && feeType.trigger === trigger));

/** The triggers that the loan has adopted from its product, and up to which day they are done. */
export interface RecurringFees {
  readonly triggers: readonly RecurringTrigger[];
  /** Periods and years that began up to this day are done. */
  readonly doneThrough: Day;
  /** How many were charged: the id of each follows from its index. */
  readonly made: number;
}

/** 01:00, the nominal time of scheduled items. */
const SCHEDULED_SECONDS = 3_600;

export const recurringFeeWork: ScheduledWork<EvolveEnv> = {
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

/** The fact by which a loan adopts changed triggers of its product's fee types; null if they are unchanged. */
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

/** Whether recurring fees have ended for good. While a loan is accelerated none are charged, but its years go on. */
const hasEnded = ({ summary: { status } }: Activated): boolean => status === 'paidOff' || status === 'canceled' || status === 'chargedOff';

function nextPeriodStart({ contract, summary, recurring: { doneThrough } }: Activated): Day | null {
  const { activation } = contract.terms;
  if (activation > doneThrough) return activation;
  return [begunOn(summary), comingOf(summary)].find((day) => day !== null && day > doneThrough) ?? null;
}

/** When the current period began: on the previous statement date of a line, on the previous due date of an installment loan. */
const begunOn = ({ periodStartDay, fallenDueDay }: LedgerSummary): Day | null => periodStartDay ?? fallenDueDay;

const comingOf = ({ periodStartDay, comingStatementDay, comingDueDay }: LedgerSummary): Day | null =>
  periodStartDay === undefined ? comingDueDay : comingStatementDay;

function nextAnniversary({ contract, recurring: { doneThrough } }: Activated): Day {
  const { activation } = contract.terms;
  const years = Math.max(1, civil(doneThrough).year - civil(activation).year);
  const first = anniversary(activation, years);
  return first > doneThrough ? first : anniversary(activation, years + 1);
}

/** The same date of a later year; for 29 February the 28th if the year has none. */
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

function charge(state: LoanState, env: EvolveEnv, { feeType, amountCents, day, made }: Charge): FactDraft {
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

/** The recurring fees of a loan at activation. A past activation charges nothing for past days. */
export const firstRecurring = (triggers: readonly RecurringTrigger[], activation: Day, recordedDay: Day): RecurringFees => ({
  triggers,
  doneThrough: activation === recordedDay ? addDays(activation, -1) : recordedDay,
  made: 0,
});

const SEEDED_KINDS = ['dynamicFee', 'serviceFee'] as const;

/**
 * Fee balances of a migrated line at its cutoff, of each draw and of the line itself: nobody knows which fees they consist of. Origination
 * and draw fees have entries of their own.
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
 * Keeps a late fee that a replay no longer charges. Its id was published, so it stays readable as canceled although the ledger no longer
 * has it.
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

/** Removed late fees that are not in the ledger: one that was waived, or charged once more, is. */
export const removedFrom = ({ removedFees }: Activated, fees: readonly Named[]): readonly RemovedFee[] =>
  removedFees.filter((removed) => !fees.some((fee) => isSame(removed, fee)));
