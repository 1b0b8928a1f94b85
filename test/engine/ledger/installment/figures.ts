import { type EntryLine, formatAccrued, formatDay, type LedgerEntry, type LedgerState, scheduleOf } from '../../../../engine/index.js';
import { amountsIn } from '../line/lines.js';

/** All figures of a ledger that are not zero, by name: figures that a test does not list are zero. */
export const figuresIn = (state: LedgerState): readonly string[] => [
  `${state.status}: ${amountsIn(state)}`,
  `totals: ${amountsIn(state.totals)}`,
  ...feesIn(state),
  ...obligationsIn(state),
  ...paymentsIn(state),
];

const feesIn = ({ fees }: LedgerState): readonly string[] =>
  fees.map(
    (one) =>
      `fee ${one.fee ?? `late ${one.obligation}`} ${one.isCanceled ? 'canceled' : one.dueStatus} ` +
      `${one.carriedBy === null ? 'by itself' : `of obligation ${one.carriedBy}`}: ${amountsIn(one)}`,
  );

const obligationsIn = ({ obligations }: LedgerState): readonly string[] =>
  obligations.map(
    (one) =>
      `obligation ${one.ordinal} ${formatDay(one.dueDay)}${one.isFulfilled ? ' fulfilled' : ''}${one.isEnforced ? ' enforced' : ''}: ` +
      amountsIn(one),
  );

const paymentsIn = ({ payments }: LedgerState): readonly string[] =>
  [...payments].flatMap(({ chargedBack, ...one }) => [
    `${one.kind} ${one.transaction}: ${amountsIn(one)}`,
    ...(chargedBack === undefined ? [] : [`  back: ${amountsIn(chargedBack)}`]),
  ]);

/** The schedule in force: the amounts of each row. */
export const scheduleIn = (state: LedgerState): readonly string[] =>
  scheduleOf(state).map((row) => `${row.ordinal} ${formatDay(row.date)} ${row.status}: ${amountsIn(row)}`);

/** Entries of a type, with the changes of each. */
export const entriesIn = (entries: readonly LedgerEntry[], type: LedgerEntry['entryType']): readonly string[] =>
  entries.filter(({ entryType }) => entryType === type).map(({ day, lines }) => `${formatDay(day)}: ${lines.map(changeIn).join(', ')}`);

const changeIn = ({ bucket, component, amount }: EntryLine): string => `${bucket} ${component} ${formatAccrued(amount)}`;
