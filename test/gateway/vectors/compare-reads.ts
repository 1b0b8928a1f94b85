import { cents, formatCents, formatDay } from '../../../engine/index.js';
import { dayFrom } from '../../engine/numbers.js';
import type { Step } from '../../engine/ledger/scheduled/play-vector.js';
import type { LoanPlayer } from './loan-player.js';
import { centsIn, type LoanReads, moneyIn, type ShownRow } from './loan-reads.js';

type Published = Readonly<Record<string, unknown>>;
type Expected = NonNullable<Step['expect']>;
type Check = (look: Look, value: unknown) => Promise<readonly string[]>;

interface Look {
  readonly player: LoanPlayer;
  readonly reads: LoanReads;
  readonly expected: Expected;
}

/** Published figures that no read of the interface has. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  // The amount that an installment would have cost on some day.
  'payable',
  // The factors of a period that is divided.
  'period2Parts',
]);

/** The published figures that the service does not show, as readable text. A figure without a comparison counts as a difference. */
export async function unmetOverHttp(player: LoanPlayer, expected: Expected): Promise<readonly string[]> {
  const look = { player, reads: player.reads(), expected };
  const unmet: string[] = [];
  for (const [field, value] of Object.entries(expected)) {
    if (NOT_SHOWN.has(field)) continue;
    const check = CHECKS[field];
    unmet.push(...(check === undefined ? [`${field}: nobody compares it`] : await check(look, value)));
  }
  return unmet;
}

const textOf = (value: unknown): string => String(value ?? '');

/** Both values of a figure if it is published and shown. */
type Pair = readonly [name: string, published: unknown, shown: string | undefined];

const unequal = (place: string, pairs: readonly Pair[]): readonly string[] =>
  pairs.flatMap(([name, published, shown]) =>
    published === undefined || shown === undefined || textOf(published) === shown
      ? []
      : [`${place} ${name}: ${textOf(published)} published, ${shown} shown`],
  );

const sumOf = (...amounts: readonly unknown[]): string =>
  formatCents(cents(amounts.reduce((sum: number, amount) => sum + centsIn(amount), 0)));

const playedOn = ({ player }: Look, published: unknown): string => formatDay(player.plan.dayFor(dayFrom(textOf(published))));

const isDown = ({ type }: Published): boolean => type === 'Down Payment';

const schedule: Check = async (look, value) => {
  const { reads, player } = look;
  const published = (value as readonly Published[]).filter(({ type }) => type !== 'disbursement');
  const rows = await reads.rows();
  const obligations = await reads.obligations();
  const first = player.plan.firstRow - 1;
  // A loan that is paid off has no further rows: the parts of its last payment show the same.
  const isPaidOff = (await reads.loan())['status'] === 'paidOff';
  const count =
    published.length + first === rows.length || isPaidOff ? [] : [`${published.length} rows published, ${rows.length - first} shown`];
  return [
    ...count,
    ...published.flatMap((row, position) => {
      const shown = rows[position + first];
      if (shown === undefined) return isPaidOff ? [] : [`row ${position + 1}: none`];
      const obligation = obligations.find(({ dueDate }) => dueDate === shown.date);
      return unequal(`row ${position + 1}`, [
        ['dueDate', row['dueDate'] === undefined ? undefined : playedOn(look, row['dueDate']), shown.date],
        ...partsOf(row, shown),
        ['paid', row['paid'], obligation && moneyIn(obligation['fulfilledAmount'])],
        ['outstanding', row['outstanding'], obligation && moneyIn(obligation['remainingAmount'])],
      ]);
    }),
  ];
};

/** The fees of the interface are the fees and penalties of the sources. */
const partsOf = (row: Published, shown: ShownRow): readonly Pair[] => [
  ['principal', row['principal'], formatCents(shown.principalCents)],
  ['interest', row['interest'], formatCents(shown.interestCents)],
  ['charges', row['fees'] === undefined ? undefined : sumOf(row['fees'], row['penalties']), formatCents(shown.chargesCents)],
  ['due', row['due'], formatCents(shown.dueCents)],
];

const totals: Check = async ({ player, reads, expected }, value) => {
  const published = value as Published;
  if ((await reads.loan())['status'] === 'paidOff') return [];
  const rows = await reads.rows();
  const total = (of: (row: ShownRow) => number): string => formatCents(cents(rows.reduce((sum, row) => sum + of(row), 0)));
  // An amount that the lender kept back is no transaction of the interface.
  const down = ((expected['transactions'] ?? []) as readonly Published[]).filter(isDown);
  const money = (await reads.transactions()).filter(({ isUndone, type }) => !isUndone && type !== 'reimbursement');
  const paid = sumOf(
    ...money.flatMap(({ principal, interest, charges }) => [principal, interest, charges]),
    ...down.map(({ amount }) => amount),
  );
  return unequal('total', [
    ['principal', published['principal'], total((row) => row.principalCents)],
    ['interest', published['interest'], total((row) => row.interestCents)],
    ['charges', sumOf(published['fees'], published['penalties']), total((row) => row.chargesCents)],
    ['due', published['due'], total((row) => row.dueCents)],
    ['paid', published['paid'], player.plan.isDownPaymentKept && expected['transactions'] === undefined ? undefined : paid],
  ]);
};

/** The types of the interface by the names of the sources; other names are no transactions of the interface. */
const KINDS: Readonly<Record<string, string>> = {
  Repayment: 'payment',
  'Merchant Issued Refund': 'serviceCredit',
  'Payout Refund': 'serviceCredit',
  'Credit Balance Refund': 'reimbursement',
};

/** Types for which the sources show no balance. */
const WITHOUT_BALANCE: ReadonlySet<string> = new Set(['Accrual', 'Re-amortize', 'Charge-off']);

const transactions: Check = async (look, value) => {
  const { reads } = look;
  const published = value as readonly Published[];
  const money = published.filter(({ type }) => KINDS[textOf(type)] !== undefined);
  const shown = await reads.transactions();
  const count = money.length === shown.length ? [] : [`${money.length} transactions published, ${shown.length} shown`];
  const parts = money.flatMap((entry, position) => {
    const ours = shown[position];
    if (ours === undefined) return [`transaction ${position + 1}: none`];
    // The interface shows an undone transaction without parts.
    const of = (text: unknown): unknown => (ours.isUndone ? undefined : text);
    return unequal(`transaction ${position + 1}`, [
      ['type', KINDS[textOf(entry['type'])], ours.type],
      ['date', playedOn(look, entry['date']), ours.date],
      ['amount', entry['amount'], ours.amount],
      ['principal', of(entry['principal']), ours.type === 'reimbursement' ? undefined : ours.principal],
      ['interest', of(entry['interest']), ours.interest],
      ['charges', of(sumOf(entry['fees'], entry['penalties'])), ours.charges],
      ['overpayment', of(entry['overpayment']), ours.type === 'reimbursement' ? undefined : ours.overpayment],
      ['undone', entry['reverted'], String(ours.isUndone)],
    ]);
  });
  const { outstandingBalances } = await reads.balances();
  const hasBalance = (entry: Published): boolean =>
    shown[money.indexOf(entry)]?.isUndone !== true && !WITHOUT_BALANCE.has(textOf(entry['type']));
  const last = published.filter(hasBalance).at(-1);
  return [
    ...count,
    ...parts,
    ...unequal('balance', [['principal', last?.['principalBalanceAfter'], moneyIn(outstandingBalances?.['outstandingPrincipalAmount'])]]),
  ];
};

const STATUSES: Readonly<Record<string, string>> = {
  APPROVED: 'originated',
  ACTIVE: 'active',
  OVERPAID: 'paidOff',
  'CLOSED (OBLIGATIONS MET)': 'paidOff',
};

/** Compares a list of parts, one for each row. */
const partOfRows =
  (of: (row: ShownRow) => number): Check =>
  async ({ reads }, value) => {
    if ((await reads.loan())['status'] === 'paidOff') return [];
    const shown = (await reads.rows()).map((row) => formatCents(cents(of(row))));
    return unequal('rows', [['parts', (value as readonly string[]).join(), shown.join()]]);
  };

const CHECKS: Readonly<Record<string, Check>> = {
  schedule,
  totals,
  transactions,
  charges: async ({ reads }, value) => {
    const published = (value as readonly Published[]).map(({ due }) => textOf(due)).sort();
    const shown = (await reads.fees()).map(({ amount }) => moneyIn(amount)).sort();
    return unequal('charges', [['due', published.join(), shown.join()]]);
  },
  installmentInterest: partOfRows((row) => row.interestCents),
  installmentPrincipal: partOfRows((row) => row.principalCents),
  totalPaid: async ({ reads }, value) =>
    unequal('paid', [['in all', value, sumOf(...(await reads.transactions()).map(({ amount }) => amount))]]),
  paidInstallments: async ({ reads }, value) => {
    const met = (await reads.obligations()).flatMap(({ isFulfilled }, position) => (isFulfilled === true ? [position + 1] : []));
    return unequal('obligations', [['fulfilled', (value as readonly number[]).join(), met.join()]]);
  },
  installment1: async ({ reads }, value) => {
    const { overdueBalances } = await reads.balances();
    const published = value as Published;
    return unequal('installment 1', [
      ['principal', published['principalOutstanding'], moneyIn(overdueBalances?.['overduePrincipalAmount'])],
      ['interest', published['interestOutstanding'], moneyIn(overdueBalances?.['overdueInterestAmount'])],
    ]);
  },
  outstanding: async ({ reads }, value) => {
    const { outstandingBalances } = await reads.balances();
    return unequal('balances', [['outstanding', value, moneyIn(outstandingBalances?.['outstandingTotalAmount'])]]);
  },
  overpaid: async ({ reads }, value) =>
    unequal('balances', [['overpaid', value, moneyIn((await reads.balances())['reimbursementAmount'])]]),
  status: async ({ reads }, value) =>
    unequal('loan', [['status', STATUSES[textOf(value).toUpperCase()], textOf((await reads.loan())['status'])]]),
  allObligationsMet: async ({ reads }, value) =>
    unequal('loan', [['paid off', value, String((await reads.loan())['status'] === 'paidOff')]]),
  reverted: async ({ reads }, value) => {
    const money = (value as readonly (readonly [string, string])[]).filter(([first]) => first !== 'Charge-off');
    const undone = (await reads.transactions()).filter(({ isUndone }) => isUndone);
    return unequal('undone', [['count', money.length, String(undone.length)]]);
  },
  transactionsIncluded: async ({ reads }, value) => {
    const kinds = (value as readonly string[]).flatMap((type) => KINDS[type] ?? []);
    const shown = await reads.transactions();
    return kinds.filter((kind) => !shown.some(({ type }) => type === kind)).map((kind) => `no ${kind}`);
  },
};
