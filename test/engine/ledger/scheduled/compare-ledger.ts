import {
  accruedBy,
  type ScheduledEntry,
  type Cents,
  cents,
  chargeViews,
  computeInstallments,
  type Day,
  divideRounded,
  formatCents,
  formatDay,
  type ScheduledLedger,
  type ScheduledView,
  installmentViews,
  isOpen,
  payableFor,
  principalBalanceOf,
  stretchesFor,
  sumOf,
} from '../../../../engine/index.js';
import { dayFrom } from '../../numbers.js';
import { type Expected, type Player, type Published, totalPaid } from './play-vector.js';

/** The published figures that the ledger does not reproduce, as readable text. A figure that is not compared counts as not reproduced. */
export function unmet(player: Player, expected: Expected): readonly string[] {
  const ledger = player.ledger();
  return Object.entries(expected).flatMap(([field, value]) => {
    const check = CHECKS[field];
    return check === undefined ? [`${field}: nobody compares it`] : check({ ledger, player }, value);
  });
}

interface Look {
  readonly ledger: ScheduledLedger;
  readonly player: Player;
}

type Check = (look: Look, value: unknown) => readonly string[];

type Row = Readonly<Record<string, string>>;

const textOf = (value: unknown): string => String(value ?? '');
const money = (value: number): string => formatCents(cents(value));

/** Every published field must be ours too. */
function unequal(label: string, published: Published, ours: Row | undefined): readonly string[] {
  if (ours === undefined) return [`${label}: none`];
  return Object.entries(published).flatMap(([field, publishedValue]) =>
    textOf(publishedValue) === ours[field]
      ? []
      : [`${label} ${field}: ${textOf(publishedValue)} published, ${ours[field] ?? 'none'} computed`],
  );
}

function unequalLists(what: string, published: readonly Published[], ours: readonly Row[]): readonly string[] {
  const count = published.length === ours.length ? [] : [`${published.length} ${what} published, ${ours.length} computed`];
  return [...count, ...published.flatMap((row, position) => unequal(`${what} ${position + 1}`, row, ours[position]))];
}

function installmentRow(view: ScheduledView, number: number, isOpenBalance: boolean): Row {
  const { parts } = view;
  return {
    n: String(number),
    days: String(view.days),
    dueDate: formatDay(view.dueDay),
    ...(view.metDay === null ? {} : { paidDate: formatDay(view.metDay) }),
    principalBalanceAfter: formatCents(isOpenBalance ? view.openBalanceCents : view.principalBalanceCents),
    principal: money(parts.principal),
    interest: money(parts.interest),
    fees: money(parts.fees),
    penalties: money(parts.penalties),
    due: formatCents(view.dueCents),
    paid: formatCents(view.paidCents),
    paidInAdvance: formatCents(view.paidInAdvanceCents),
    paidLate: formatCents(view.paidLateCents),
    outstanding: formatCents(view.outstandingCents),
  };
}

const schedule: Check = ({ ledger, player }, value) => {
  const published = value as readonly Published[];
  const advances = published.filter(({ type }) => type === 'disbursement');
  const rows = published.filter(({ type }) => type !== 'disbursement');
  const first = (player.reading.firstRow ?? 1) - 1;
  const views = installmentViews(ledger).slice(first);
  // The calculator of the vectors that name no days shows what is open on the due date.
  const isOpenBalance = rows.every(({ days }) => days === undefined);
  const ours = views.map((view, position) => installmentRow(view, position + 1, isOpenBalance));
  const unpaid = rows.flatMap((row, position) =>
    row['paid'] !== undefined && row['paidDate'] === undefined && ours[position]?.['paidDate'] !== undefined
      ? [`row ${position + 1} is paid`]
      : [],
  );
  const ourAdvances = ledger.advances.map(({ day, amountCents }) => ({
    type: 'disbursement',
    date: formatDay(day),
    amount: money(amountCents),
    ...(ledger.advanceFeeCents > 0 ? { fees: money(ledger.advanceFeeCents) } : {}),
  }));
  return [...(advances.length === 0 ? [] : unequalLists('advances', advances, ourAdvances)), ...unequalLists('row', rows, ours), ...unpaid];
};

const TRANSACTION_TYPES: Readonly<Record<ScheduledEntry['type'], readonly string[]>> = {
  advance: ['Disbursement'],
  downPayment: ['Down Payment'],
  advanceFee: ['Repayment (at time of disbursement)'],
  payment: ['Repayment'],
  credit: ['Merchant Issued Refund', 'Payout Refund'],
  interestRefund: ['Interest Refund'],
  chargeback: ['Chargeback'],
  paidBack: ['Credit Balance Refund'],
  reamortization: ['Re-amortize'],
  income: ['Accrual'],
};

/** The source shows no balance beside an entry that moves none. */
const WITHOUT_BALANCE: ReadonlySet<ScheduledEntry['type']> = new Set(['income', 'reamortization']);

const MONEY: ReadonlySet<ScheduledEntry['type']> = new Set(['payment', 'credit', 'paidBack']);

function entryRow(entry: ScheduledEntry, { type }: Published, isVoided: boolean): Row {
  const types = TRANSACTION_TYPES[entry.type];
  const { parts } = entry;
  return {
    type: types.includes(textOf(type)) ? textOf(type) : (types[0] ?? ''),
    date: formatDay(entry.day),
    amount: money(entry.amountCents),
    principal: money(parts.principal),
    interest: money(parts.interest),
    fees: money(parts.fees),
    penalties: money(parts.penalties),
    principalBalanceAfter: WITHOUT_BALANCE.has(entry.type) ? '0.00' : money(entry.principalBalanceCents),
    overpayment: MONEY.has(entry.type) ? money(entry.amountCents - sumOf(parts)) : '0.00',
    reverted: String(isVoided),
  };
}

const transactions: Check = ({ ledger, player }, value) => {
  const published = value as readonly Published[];
  const entries = [...ledger.entries, ...player.voided].sort((a, b) => a.day - b.day || a.sequence - b.sequence);
  const ours = entries.map((entry, position) => entryRow(entry, published[position] ?? {}, player.voided.includes(entry)));
  return unequalLists('transaction', published, ours);
};

const totals: Check = ({ ledger }, value) => {
  const views = installmentViews(ledger);
  const total = (of: (view: ScheduledView) => number, more = 0): string => money(views.reduce((sum, view) => sum + of(view), more));
  const kept = ledger.advanceFeeCents;
  const ours: Row = {
    principal: total((view) => view.parts.principal),
    interest: total((view) => view.parts.interest),
    fees: total((view) => view.parts.fees, kept),
    penalties: total((view) => view.parts.penalties),
    due: total((view) => view.dueCents, kept),
    paid: total((view) => view.paidCents, kept),
    paidInAdvance: total((view) => view.paidInAdvanceCents),
    paidLate: total((view) => view.paidLateCents),
    outstanding: total((view) => view.outstandingCents),
  };
  return unequal('total', value as Published, ours);
};

/** The charges of this service for the source's names of charges. */
const CHARGE_NAMES = {
  penalties: { name: 'NSF fee', isPenalty: 'true' },
  fees: { name: 'Snooze fee', isPenalty: 'false' },
} as const;

const charges: Check = ({ ledger }, value) => {
  const single = [...chargeViews(ledger)].sort((a, b) => Number(a.part === 'fees') - Number(b.part === 'fees'));
  const ours: Row[] = single.map(({ part, dueDay, dueCents, paidCents }) => ({
    ...CHARGE_NAMES[part],
    paymentDueAt: 'Specified due date',
    dueAsOf: formatDay(dueDay),
    calculationType: 'Flat',
    ...chargeAmounts(dueCents, paidCents),
  }));
  if (ledger.advanceFeeCents > 0) {
    const fee = ledger.advanceFeeCents;
    ours.push({
      name: 'Disbursement percentage fee',
      isPenalty: 'false',
      paymentDueAt: 'Disbursement',
      calculationType: '% Amount',
      ...chargeAmounts(fee, fee),
    });
  }
  if (ledger.feeShare > 0) {
    const due = ledger.installments.reduce((sum, installment) => sum + installment.due.fees, 0);
    const paid = ledger.installments.reduce((sum, installment) => sum + installment.paid.fees, 0);
    ours.push({
      name: 'Installment percentage fee',
      isPenalty: 'false',
      paymentDueAt: 'Installment Fee',
      calculationType: '% Loan Amount + Interest',
      ...chargeAmounts(due, paid),
    });
  }
  return unequalLists('charge', value as readonly Published[], ours);
};

/** No fact waives a charge of the ledger. */
const chargeAmounts = (due: number, paid: number): Row => ({
  due: money(due),
  paid: money(paid),
  waived: '0.00',
  outstanding: money(due - paid),
});

const outstandingOf = (ledger: ScheduledLedger): Cents =>
  cents(installmentViews(ledger).reduce((sum, view) => sum + view.outstandingCents, 0));

const isEqual = (name: string, published: unknown, ours: string): readonly string[] =>
  textOf(published) === ours ? [] : [`${name}: ${textOf(published)} published, ${ours} computed`];

/** Reversed transactions, by their number in the loan or by their day. */
const reverted: Check = ({ player }, value) => {
  const published = value as readonly (readonly [string, string])[];
  const ours = [...player.voided].sort((a, b) => a.sequence - b.sequence);
  return unequalLists(
    'undone',
    published.map(([first, second]) => ({ first, second })),
    ours.map((entry, position) => {
      const type = TRANSACTION_TYPES[entry.type][0] ?? '';
      const isNumbered = /^\d+$/.test(published[position]?.[0] ?? '');
      return isNumbered ? { first: String(entry.sequence), second: type } : { first: type, second: longDate(entry.day) };
    }),
  );
};

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function longDate(day: Day): string {
  const [year = '', month = '', date = ''] = formatDay(day).split('-');
  return `${date} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}

/** The amount of an installment on a day before any payment. */
const payable: Check = ({ player }, value) =>
  (value as readonly Published[]).flatMap((published) => {
    const day = dayFrom(textOf(published['on']));
    const ledger = computeInstallments(player.terms, player.facts, day);
    const installment = ledger.installments.find(({ dueDay }) => formatDay(dueDay) === published['installmentDue']);
    if (installment === undefined) return ['no such installment'];
    const { principalCents, interestCents, balanceCents } = payableFor(ledger, installment);
    const ours = {
      on: textOf(published['on']),
      installmentDue: formatDay(installment.dueDay),
      principal: formatCents(principalCents),
      interest: formatCents(interestCents),
      balance: formatCents(balanceCents),
    };
    return unequal(`payable on ${ours.on}`, published, ours);
  });

const period2Parts: Check = ({ ledger }, value) => {
  const second = ledger.installments[1];
  const ours = second === undefined ? [] : stretchesFor(ledger, second);
  return unequalLists(
    'part',
    value as readonly Published[],
    ours.map(({ numerator, denominator, interestCents }) => ({
      factor: withTwelveDecimals(numerator, denominator),
      interest: formatCents(interestCents),
    })),
  );
};

function withTwelveDecimals(numerator: bigint, denominator: bigint): string {
  const digits = divideRounded(numerator * 10n ** 12n, denominator, 'halfUp')
    .toString()
    .padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

const parts =
  (of: (installment: ScheduledLedger['installments'][number]) => number): Check =>
  ({ ledger }, value) => {
    const ours = ledger.installments.map((installment) => money(of(installment)));
    return isEqual('installments', (value as readonly string[]).join(), ours.join());
  };

const CHECKS: Readonly<Record<string, Check>> = {
  schedule,
  transactions,
  totals,
  charges,
  reverted,
  payable,
  period2Parts,
  installmentInterest: parts(({ due }) => due.interest),
  installmentPrincipal: parts(({ due }) => due.principal),
  totalPaid: ({ ledger }, value) => isEqual('paid', value, money(totalPaid(ledger))),
  paidInstallments: ({ ledger }, value) => {
    const ours = installmentViews(ledger).flatMap((view) => (view.metDay === null ? [] : [view.number]));
    return isEqual('paid installments', (value as readonly number[]).join(), ours.join());
  },
  installment1: ({ ledger }, value) => {
    const { due, paid } = ledger.installments[0] ?? { due: { principal: 0, interest: 0 }, paid: { principal: 0, interest: 0 } };
    return unequal('installment 1', value as Published, {
      principalPaid: money(paid.principal),
      principalOutstanding: money(due.principal - paid.principal),
      interestOutstanding: money(due.interest - paid.interest),
    });
  },
  interestAccrued: ({ ledger }, value) => isEqual('accrued', value, money(accruedBy(ledger, ledger.day))),
  interestRefund: ({ ledger }, value) =>
    isEqual('given back', value, money(ledger.entries.find(({ type }) => type === 'interestRefund')?.amountCents ?? 0)),
  outstanding: ({ ledger }, value) => isEqual('outstanding', value, formatCents(outstandingOf(ledger))),
  overpaid: ({ ledger }, value) => isEqual('overpaid', value, money(ledger.overpaidCents)),
  status: ({ ledger }, value) => isEqual('status', textOf(value).toUpperCase(), statusOf(ledger)),
  allObligationsMet: ({ ledger }, value) => isEqual('all met', value, String(!ledger.installments.some(isOpen))),
  transactionsIncluded: ({ ledger }, value) =>
    (value as readonly string[]).flatMap((type) =>
      ledger.entries.some((entry) => TRANSACTION_TYPES[entry.type].includes(type)) ? [] : [`no ${type}`],
    ),
};

function statusOf(ledger: ScheduledLedger): string {
  if (ledger.advances.length === 0) return 'APPROVED';
  if (ledger.overpaidCents > 0) return 'OVERPAID';
  return principalBalanceOf(ledger) === 0 && !ledger.installments.some(isOpen) ? 'CLOSED (OBLIGATIONS MET)' : 'ACTIVE';
}
