import { addDays, type Cents, cents, type Day, day as dayOf, must, parseDay, rightToCureIn } from '../../../engine/index.js';
import { homeAddressOf, type Instrument, type PersonState, type PortalUserState, withSecretsOpen } from '../../borrower/index.js';
import type { Reminder } from '../../company/index.js';
import { activationOf, autopayPlanOf, type LoanOverdue, type LoanState, nextAutopayAmount, recordOf } from '../../loan/index.js';
import { amount, dateText } from '../../wire.js';
import { methodOf } from './loan-notices.js';
import { type NoticeEnv, type Withheld, withheld } from './plan.js';

type Context = Readonly<Record<string, unknown>>;

/** What a trigger counts from, and what its template reads; computed only when the day has come. */
export interface Anchor {
  readonly day: Day;
  context(): Context;
}

/** What a reminder looks at. */
export interface Asked {
  readonly state: LoanState;
  readonly person: PersonState;
  readonly env: NoticeEnv;
  readonly reminder: Reminder;
  readonly today: Day;
  readonly overdue: () => LoanOverdue | null;
}

/** The days from which each trigger counts: one, or those of all payments and cards that there are. */
export const ANCHORS: Readonly<Record<Reminder['trigger'], (asked: Asked) => Anchor | readonly Anchor[] | Withheld>> = {
  expectedPayment: dueDate,
  loginFirstPayment: (asked) => (hasSignedIn(asked) ? withheld('The borrower has signed in already.') : firstDueDate(asked)),
  autopayExpectedPayment: autopayDate,
  autopayFirstPayment(asked) {
    // Who is invited to enrol has no plan yet: the first automatic payment would be that of the first due date.
    if (asked.reminder.subject === 'autopayEnableReminder') return firstDueDate(asked);
    return (autopayPlanOf(asked.state)?.payments.length ?? 0) > 0 ? withheld('The first automatic payment was made.') : autopayDate(asked);
  },
  autopayExpectedPaymentChangedAmount: changedAmount,
  futurePayment({ state }) {
    const payments = state.transactions
      .scheduled()
      .filter(({ autopayPlanId, transactionType }) => autopayPlanId === null && transactionType === 'payment')
      .map(({ scheduledDay, scheduledCents }) => ({
        day: scheduledDay,
        context: () => ({ paymentAmount: amount(scheduledCents), paymentDate: dateText(scheduledDay) }),
      }));
    return payments.length > 0 ? payments : withheld('No payment is scheduled.');
  },
  cardExpiration: cardExpiry,
  loanOverdue: overdueSince,
  loanRightToCure(asked) {
    const { person, env, today } = asked;
    const anchor = overdueSince(asked);
    if ('reason' in anchor) return anchor; // most loans: the address, which is sealed, is read of the others alone
    const right = rightToCureIn(homeAddressOf(env, person)?.state ?? null);
    if (right === null) return withheld('The law of the borrower’s state gives no right to cure.');
    return { ...anchor, context: () => ({ ...anchor.context(), cureByDate: dateText(addDays(today, right.days)) }) };
  },
  promoProgramEnd(asked) {
    const ends = activePromos(asked).map(({ endDay }) => endDay);
    return ends.length === 0 ? withheld('No promotional program is active.') : { day: dayOf(Math.min(...ends)), context: () => ({}) };
  },
  promoProgramAtRisk: (asked) => (activePromos(asked).length === 0 ? withheld('No promotional program is active.') : overdueSince(asked)),
};

const hasSignedIn = ({ person, env }: Asked): boolean =>
  person.userId !== null && env.read<PortalUserState>('portalUser', person.userId)?.hasSignedIn === true;

const activePromos = ({ state }: Asked): LoanState['promoPrograms'] => state.promoPrograms.filter(({ status }) => status === 'active');

const firstDueDate = (asked: Asked): Anchor | Withheld =>
  activationOf(asked.state)?.summary.fallenDueDay == null ? dueDate(asked) : withheld('The first due date has passed.');

function dueDate({ overdue }: Asked): Anchor | Withheld {
  const { nextDueDate = null, nextDueCents = null } = overdue() ?? {};
  if (nextDueDate === null) return withheld('No payment is to come.');
  return {
    day: nextDueDate,
    context: () => ({ paymentAmount: nextDueCents === null ? null : amount(nextDueCents), paymentDueDate: dateText(nextDueDate) }),
  };
}

function overdueSince({ overdue, reminder }: Asked): Anchor | Withheld {
  const found = overdue();
  if (found === null || found.overdueSince === null || !found.isOverdue) return withheld('Nothing is overdue.');
  const { overdueSince: day, overdueCents, daysOverdue } = found;
  if (overdueCents < (reminder.minOverdueCents ?? 0)) return withheld('Less is overdue than the configuration asks for.');
  return { day, context: () => ({ overdueAmount: amount(overdueCents), daysOverdue, paymentDueDate: dateText(day) }) };
}

function autopayDate({ state, env }: Asked): Anchor | Withheld {
  const plan = autopayPlanOf(state);
  if (plan?.nextDay == null) return withheld('No automatic payment is to come.');
  const { nextDay, instrument } = plan;
  return {
    day: nextDay,
    context: () => ({ ...paymentOf(nextAutopayAmount(state, env)), paymentDate: dateText(nextDay), ...methodOf(env, instrument) }),
  };
}

const paymentOf = (payment: Cents | null): Context => ({ paymentAmount: payment === null ? null : amount(payment) });

/** Lines are left out: what they take is final once the statement is there. */
function changedAmount({ state, env, reminder: { changePercent } }: Asked): Anchor | Withheld {
  if (recordOf(state).type === 'lineOfCredit') return withheld('The automatic payments of a line of credit are final after the statement.');
  const plan = autopayPlanOf(state);
  const before = plan?.payments.at(-1)?.amountCents;
  if (plan?.nextDay == null || before === undefined) return withheld('There is no automatic payment to compare with.');
  const next = nextAutopayAmount(state, env);
  if (next === null || next * 100 <= before * (100 + changePercent)) return withheld('The amount has not risen.');
  const { nextDay } = plan;
  return {
    day: nextDay,
    context: () => ({ ...paymentOf(next), extraCharge: amount(cents(next - before)), paymentDueDate: dateText(nextDay) }),
  };
}

/** A card stays on file after it has expired, so all cards are looked at. */
function cardExpiry({ person, env }: Asked): readonly Anchor[] | Withheld {
  const cards = person.instruments.filter(({ instrumentType, status }) => instrumentType === 'card' && status === 'active');
  const expiries = cards.flatMap((card): Anchor | readonly never[] => {
    const { expirationMonth, expirationYear } = card.details;
    if (expirationMonth === undefined || expirationYear === undefined) return [];
    const context = () => ({ cardLastFour: lastFourOf(env, person, card), expirationMonth, expirationYear });
    return { day: lastDayOf(expirationYear, expirationMonth), context };
  });
  return expiries.length > 0 ? expiries : withheld('The borrower has no card on file.');
}

const lastDayOf = (year: number, month: number): Day => {
  const following = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`;
  return addDays(must(parseDay(following), 'the first day of a month'), -1);
};

const lastFourOf = (env: NoticeEnv, person: PersonState, card: Instrument): string | null =>
  withSecretsOpen(env, person.id, card).details.cardNumberLastFour ?? null;
