import type { Day } from '../calendar/index.js';
import { cents, shareOfCents } from '../money/index.js';
import { splitByWeights } from '../ownership.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Role } from './chart.js';
import type { Dimensions, Line, Posting } from './entry.js';
import { accountKey, balancedBy, credit, debit, type Posted } from './lines.js';
import { OwnerShares, type ShareOwner } from './owner-shares.js';
import type { Keeping } from './parts.js';
import { postingsOf } from './rules.js';

/** What an entry of the ledger has paid of one payment, by component; below zero: what of it is owed again. */
export interface PaidPart {
  readonly transaction: number;
  /** The effective day of the payment: its parts belong to the owners of that day. */
  readonly day: Day;
  readonly principal: number;
  readonly interest: number;
  readonly fees: number;
}

/** What the borrower owes: the parts of the other owners are memoranda. */
const OWED: ReadonlyMap<Role, Role> = new Map<Role, Role>([
  ['principalReceivable', 'memoServicedPrincipal'],
  ['interestReceivable', 'memoServicedInterest'],
  ['feesReceivable', 'memoServicedFees'],
]);

/** What is deferred, and leaves with the share that is sold. */
const DEFERRED: readonly Role[] = [
  'deferredCosts',
  'deferredFees',
  'merchantDiscountDeferred',
  'deferredPromoInterest',
  'costRecoveryContra',
  'deferredMembershipFees',
];

const SHARED: ReadonlySet<Role> = new Set<Role>([...OWED.keys(), ...DEFERRED]);

/** Money, and what is owed to others or by them: the lender holds the whole of it for all owners. */
const WHOLE: ReadonlySet<Role> = new Set<Role>([
  'bank',
  'clearingIncoming',
  'clearingOutgoing',
  'transferClearing',
  'investorReceivable',
  'merchantReceivable',
  'servicerReceivable',
  'agencyReceivable',
  'disputedPurchases',
  'networkReceivable',
  'disputedPayments',
  'borrowerCredit',
  'unappliedCash',
  'escheatPayable',
  'investorPayable',
  'merchantPayable',
  'merchantReserve',
  'networkPayable',
  'fundingPayable',
]);

/** Principal that is paid out while others own a share is theirs in part: they owe their part of the money, even if it is lost at once. */
const PAID_OUT: ReadonlySet<string> = new Set(['advance', 'merchantDiscount', 'purchaseSettled', 'feeKeptAtDisbursement', 'takenBack']);

interface Balance {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly amount: number;
}

type Components = Omit<PaidPart, 'transaction' | 'day'>;

/** What a payment has paid so far, and what of it is owed to the other owners. */
interface FollowedPayment {
  readonly sums: Components;
  readonly handed: ReadonlyMap<string, number>;
}

/**
 * The lender's own share of a loan: what the books hold of it is always its part of what the whole loan has, to the cent, by component.
 * Events are given in the order of their days.
 */
export class OwnShareLedger {
  #shares: OwnerShares;
  /** Who owned the loan before, each until a day. */
  readonly #former: { readonly until: Day; readonly shares: OwnerShares }[] = [];
  /** Of what is deferred: a share that was sold once has left for good. */
  #deferredShares: OwnerShares;
  /** Accounts of the whole loan, and of the own share. */
  readonly #gross = new Map<string, Balance>();
  #own: ReadonlyMap<string, Balance> = new Map();
  /** Interest and fees that are owed, which books on cash basis do not hold. */
  #owed: readonly Balance[] = [];
  readonly #payments = new Map<number, FollowedPayment>();

  constructor(
    private readonly keeping: Keeping,
    owners: readonly ShareOwner[],
  ) {
    this.#shares = new OwnerShares(owners, keeping.settings.lenderInvestorId);
    this.#deferredShares = this.#shares;
  }

  /** Balances of the whole loan that are held already. */
  begin(lines: readonly Line[]): void {
    this.#follow(lines);
    this.#own = this.#ownNow();
  }

  /** What an event posts: its rule for the own share, and the memoranda of the others. */
  post(event: AccountingEvent, paid: readonly PaidPart[] = []): readonly Posting[] {
    if (this.keeping.basis === 'cash') this.#followOwed(event);
    const found = postingsOf(this.keeping, event);
    const postings = found.length === 0 && paid.length > 0 ? [{ rule: event.type, lines: [] }] : found;
    return postings.flatMap((posting, at) => this.#posted(event, posting, at === 0 ? paid : []));
  }

  #posted(event: AccountingEvent, { rule, lines }: Posting, paid: readonly PaidPart[]): readonly Posting[] {
    if (lines.length > 0 && lines.every(({ role }) => role.startsWith('memo'))) return [{ rule, lines }];
    const own = this.#moved(lines);
    const whole = lines.filter(({ role }) => WHOLE.has(role));
    const income = lines.flatMap(({ role, dimensions, amount }) =>
      SHARED.has(role) || WHOLE.has(role) ? [] : [{ role, dimensions, amount: this.#shares.ownOf(amount) }],
    );
    const handed = paid.length > 0 ? this.#handed(paid) : this.#partsOfMoney(event, whole);
    const last = income.at(-1);
    // The cent by which the part of a payment differs from what the part of a balance moves by.
    const rest = whole.length > 0 || last === undefined ? { role: 'gainOnSale' as const } : last;
    return withoutEmpty([
      { rule, lines: balancedBy([...own, ...whole, ...income, ...handed], rest) },
      { rule: 'serviced', lines: memoLines(lines, own) },
    ]);
  }

  /** New owners: what the lender sells leaves its books at the price that they pay, and what it buys enters. */
  changeOwners(owners: readonly ShareOwner[], from: Day): readonly Posting[] {
    const before = this.#shares;
    this.#former.push({ until: from, shares: before });
    this.#shares = new OwnerShares(owners, before.lender);
    if (this.#shares.own < this.#deferredShares.own) this.#deferredShares = this.#shares;
    const own = this.#moved([]);
    const ofIncome = this.keeping.basis === 'cash' ? this.#owedSold(before) : [];
    const amountOf = (...roles: readonly Role[]): number =>
      [...own, ...ofIncome].reduce((sum, { role, amount }) => (roles.includes(role) ? sum - amount : sum), 0);
    const sold = {
      principal: amountOf('principalReceivable'),
      interest: amountOf('interestReceivable', 'interestIncome'),
      fees: amountOf('feesReceivable', 'feeIncome'),
    };
    const isSale = this.#shares.own <= before.own;
    return withoutEmpty([
      {
        rule: isSale ? 'sale' : 'buyBack',
        lines: balancedBy([...own, ...ofIncome, ...this.#price(before, sold)], { role: 'gainOnSale' }),
      },
      { rule: isSale ? 'servicedSold' : 'servicedBought', lines: memoLines([], own) },
    ]);
  }

  /**
   * What is paid for a share: interest and fees at par, principal at the price. It is shared among those whose shares have changed the
   * other way, by the change of each.
   */
  #price(before: OwnerShares, sold: Components): readonly Posted[] {
    const sign = Math.sign(before.own - this.#shares.own);
    const investors = new Set([...before.owners, ...this.#shares.owners].map(({ investor }) => investor));
    const others = [...investors].flatMap((investor) => {
      const change = sign * (this.#shares.shareOf(investor) - before.shareOf(investor));
      return investor === before.lender || change <= 0 ? [] : [{ investor, change }];
    });
    if (others.length === 0) return [];
    const changes = others.map(({ change }) => change);
    const split = (amount: number): readonly number[] => splitByWeights(cents(amount), changes);
    const [principal, interest, fees] = [split(sold.principal), split(sold.interest), split(sold.fees)];
    return others.map(({ investor }, at) => {
      const buyer = sign > 0 ? investor : before.lender;
      const { priceRatio } = this.#shares.owners.find((owner) => owner.investor === buyer) ?? AT_PAR;
      const price = shareOfCents(principal[at] ?? 0, priceRatio, 'halfUp') + (interest[at] ?? 0) + (fees[at] ?? 0);
      return debit('investorReceivable', price, { investor });
    });
  }

  /** On cash basis interest and fees that are sold are income, as the price has come in for them. */
  #owedSold(before: OwnerShares): readonly Posted[] {
    return (['interestReceivable', 'feesReceivable'] as const).flatMap((of) => {
      const balances = this.#owed.filter(({ role }) => role === of);
      const amounts = balances.map(({ amount }) => amount);
      const [was, is] = [before.ownOfEach(amounts), this.#shares.ownOfEach(amounts)];
      return balances.map(({ dimensions }, at) =>
        credit(of === 'feesReceivable' ? 'feeIncome' : 'interestIncome', (was[at] ?? 0) - (is[at] ?? 0), dimensions),
      );
    });
  }

  /** Follows the lines of the whole loan, and returns by how much the accounts of the own share move. */
  #moved(lines: readonly Line[]): readonly Posted[] {
    this.#follow(lines);
    const before = this.#own;
    this.#own = this.#ownNow();
    const moved: Posted[] = [];
    for (const [key, { role, dimensions, amount }] of this.#own) {
      const by = amount - (before.get(key)?.amount ?? 0);
      if (by !== 0) moved.push({ role, dimensions, amount: by });
    }
    return moved;
  }

  #follow(lines: readonly Line[]): void {
    for (const line of lines) if (SHARED.has(line.role)) addTo(this.#gross, line);
  }

  #followOwed(event: AccountingEvent): void {
    const owed = new Map(this.#owed.map((balance) => [accountKey(balance), balance]));
    for (const { lines } of postingsOf({ ...this.keeping, basis: 'accrual' }, event))
      for (const line of lines) if (line.role === 'interestReceivable' || line.role === 'feesReceivable') addTo(owed, line);
    this.#owed = [...owed.values()];
  }

  #ownNow(): ReadonlyMap<string, Balance> {
    const own = new Map<string, Balance>();
    for (const of of SHARED) {
      const balances = [...this.#gross].filter(([, { role }]) => role === of);
      const shares = OWED.has(of) ? this.#shares : this.#deferredShares;
      const amounts = shares.ownOfEach(balances.map(([, { amount }]) => amount));
      balances.forEach(([key, { role, dimensions }], at) => own.set(key, { role, dimensions, amount: amounts[at] ?? 0 }));
    }
    return own;
  }

  /** The other owners' parts of a payment as its settlements pay them: of all that it has paid by now, by the owners of its day. */
  #handed(paid: readonly PaidPart[]): readonly Posted[] {
    return paid.flatMap(({ transaction, day, principal, interest, fees }) => {
      const known = this.#payments.get(transaction) ?? { sums: NOTHING, handed: new Map<string, number>() };
      const shares = this.#former.find(({ until }) => day < until)?.shares ?? this.#shares;
      const sums = {
        principal: known.sums.principal + principal,
        interest: known.sums.interest + interest,
        fees: known.sums.fees + fees,
      };
      const handed = new Map<string, number>();
      for (const component of COMPONENTS)
        for (const { investor, amount } of shares.othersOf(sums[component])) handed.set(investor, (handed.get(investor) ?? 0) + amount);
      this.#payments.set(transaction, { sums, handed });
      return [...handed].map(([investor, amount]) => credit('investorPayable', amount - (known.handed.get(investor) ?? 0), { investor }));
    });
  }

  /** The other owners' parts of money that is no payment, by the owners of the day. */
  #partsOfMoney(event: AccountingEvent, whole: readonly Line[]): readonly Posted[] {
    if (event.type === 'migrated') return [];
    const money = whole.reduce((sum, { amount }) => sum + amount, 0);
    const isPaidOut = PAID_OUT.has(event.type) || (event.type === 'payment' && event.rule === 'purchaseRefund');
    const role: Role = isPaidOut ? 'investorReceivable' : 'investorPayable';
    return this.#shares.othersOf(money).map(({ investor, amount }) => credit(role, amount, { investor }));
  }
}

const NOTHING: Components = { principal: 0, interest: 0, fees: 0 };

const COMPONENTS = ['principal', 'interest', 'fees'] as const;

const AT_PAR = { priceRatio: 100_000_000 };

function addTo(balances: Map<string, Balance>, { role, dimensions, amount }: Line): void {
  const key = accountKey({ role, dimensions });
  balances.set(key, { role, dimensions, amount: (balances.get(key)?.amount ?? 0) + amount });
}

/** What the accounts of the whole loan move by without those of the own share is the others'. */
function memoLines(gross: readonly Posted[], own: readonly Posted[]): readonly Line[] {
  const others = (posted: readonly Posted[], sign: 1 | -1): readonly Posted[] =>
    posted.flatMap(({ role, amount }) => {
      const memo = OWED.get(role);
      return memo === undefined ? [] : [debit(memo, sign * amount)];
    });
  return balancedBy([...others(gross, 1), ...others(own, -1)], { role: 'memoContra' });
}

const withoutEmpty = (postings: readonly Posting[]): readonly Posting[] => postings.filter(({ lines }) => lines.length > 0);
