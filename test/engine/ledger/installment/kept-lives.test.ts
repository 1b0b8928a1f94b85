import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  addDays,
  advanceTo,
  applyFact,
  balancesOf,
  cents,
  type Day,
  type ScheduledKeeping,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  owedCents,
  payoffOf,
  rate,
  recordLedger,
  scheduleOf,
  startLedger,
} from '../../../../engine/index.js';
import { ratesFrom, RUNS } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptTerms, someKeeping } from './kept-loans.js';
import { LATE_FEE, loan } from './loans.js';

const CENT = 160_308_000_000_000n;

type Kind = 'pay' | 'payDue' | 'payOff' | 'credit' | 'fee' | 'chargeback' | 'uncharge' | 'rate' | 'rateAhead' | 'reimburse' | 'reamortize';

const KINDS: readonly Kind[] = [
  'pay',
  'pay',
  'payDue',
  'payDue',
  'payOff',
  'credit',
  'fee',
  'chargeback',
  'chargeback',
  'chargeback',
  'uncharge',
  'rate',
  'rateAhead',
  'reimburse',
  'reamortize',
];

interface Step {
  /** The number of an edge day: see `edgesOf`. */
  readonly edge: number;
  readonly kind: Kind;
  readonly share: number;
}

interface Life {
  readonly terms: LedgerTerms;
  readonly steps: readonly Step[];
}

const lives: fc.Arbitrary<Life> = fc
  .record({
    keeping: someKeeping,
    rows: fc.integer({ min: 1, max: 4 }),
    principal: fc.constantFrom('750.00', '100.00', '9999.99'),
    annualRate: fc.constantFrom('0', '0.07', '0.18'),
    downPayment: fc.constantFrom(
      null,
      null,
      { share: rate(25_000_000), isAutomatic: false },
      { share: rate(10_000_000), isAutomatic: true },
    ),
    hasLateFees: fc.boolean(),
    steps: fc.array(fc.record({ edge: fc.nat(99), kind: fc.constantFrom(...KINDS), share: fc.integer({ min: 1, max: 120 }) }), {
      minLength: 2,
      maxLength: 10,
    }),
  })
  .map(({ keeping, rows, principal, annualRate, downPayment, hasLateFees, steps }) => {
    const shape = { principal, rate: annualRate, activation: '2024-01-31', firstDue: '2024-02-29', rows };
    const settings = hasLateFees ? { lateFees: [{ ...LATE_FEE, triggerDays: 5 }] } : {};
    const own: ScheduledKeeping = { ...keeping, downPayment };
    return { terms: keptTerms(loan({ ...shape, rule: { type: 'monthly', day: 31 }, settings }), own), steps };
  });

/** The first day, each due date with the days around it, and days after the last one. */
function edgesOf({ activation, rows }: LedgerTerms): readonly Day[] {
  const around = rows.flatMap(({ date }) => [addDays(date, -1), date, addDays(date, 1), addDays(date, 10)]);
  return [activation, addDays(activation, 1), ...around, addDays(activation, 200)].sort((a, b) => a - b);
}

/** The money that the borrower still has to pay: the debt, less what is owed to the borrower. */
const netOf = (state: LedgerState): number => owedCents(state) + state.totals.reimbursedCents - state.totals.reimbursementCents;

/** Paid interest that was charged back. */
const interestBack = ({ payments }: LedgerState): number =>
  [...payments].reduce((sum, { chargedBack }) => sum + (chargedBack?.interestCents ?? 0), 0);

class Living {
  readonly facts: LedgerFact[] = [];
  readonly terms: LedgerTerms;
  readonly state: LedgerState;
  readonly complain: (what: string) => void;

  constructor(terms: LedgerTerms, complain: (what: string) => void) {
    this.terms = terms;
    this.state = startLedger(terms);
    this.complain = complain;
  }

  goTo(day: Day): void {
    while (this.state.day < day) {
      advanceTo(this.state, addDays(this.state.day, 1));
      this.look();
    }
    advanceTo(this.state, day);
  }

  take({ kind, share }: Step): void {
    const fact = this.factOf(kind, share);
    if (fact === null) return;
    const before = netOf(this.state);
    const interest = interestBack(this.state);
    const { paidInterestCents } = this.state.totals;
    this.facts.push(fact);
    applyFact(this.state, fact);
    this.look();
    if (fact.type === 'feeCharged' || fact.type === 'paymentChargedBack') {
      const raised = netOf(this.state) - before;
      // Interest that was paid before it accrues is owed from the nights on that bear it, where a chargeback takes it back or a fee of the
      // running period takes its money; the loan stays open.
      const isRecalculated = this.terms.keeping?.recalculation.type !== 'none';
      const takenCents = Math.max(interestBack(this.state) - interest, paidInterestCents - this.state.totals.paidInterestCents);
      const laterCents = isRecalculated && this.state.status !== 'paidOff' ? takenCents : 0;
      // Never less. More by interest: principal that is owed again bears it under a new rate, and what is overdue bears interest that waits
      // for a row that was paid before, until a chargeback opens it.
      const isBearing = isRecalculated || this.facts.some(({ type }) => type === 'ratesChanged');
      const sooner = isBearing && fact.type === 'paymentChargedBack' ? Infinity : 0;
      if (raised > fact.amountCents + sooner || raised < fact.amountCents - laterCents)
        this.complain(`${fact.type} of ${fact.amountCents} raises what is owed by ${raised}`);
    }
  }

  private factOf(kind: Kind, share: number): LedgerFact | null {
    const { state, facts, terms } = this;
    const sequence = facts.length + 1;
    const at = { effective: { day: state.day, seconds: 40_000 + sequence }, sequence, recordedDay: state.day };
    const paid = (amountCents: number, isCredit = false): LedgerFact | null =>
      amountCents <= 0
        ? null
        : {
            ...at,
            type: 'payment',
            transaction: sequence,
            kind: isCredit ? 'credit' : 'payment',
            amountCents: cents(amountCents),
            isPrepaymentEnabled: null,
            isProcessing: false,
          };
    const open = balancesOf(state);
    // All changes that the interface accepts for a paid-off loan.
    if (state.status !== 'active' && kind !== 'fee' && kind !== 'chargeback' && kind !== 'reimburse') return null;
    switch (kind) {
      case 'pay':
        return paid(Math.round((terms.principalCents * share) / 200));
      case 'credit':
        return paid(Math.round((terms.principalCents * share) / 2_000), true);
      case 'payDue':
        return paid(open.due.totalCents + open.overdue.totalCents);
      case 'payOff':
        return paid(payoffOf(state, state.day).payoffCents);
      case 'fee':
        return {
          ...at,
          type: 'feeCharged',
          fee: sequence,
          feeTypeId: 'byHand',
          kind: 'otherFee',
          amountCents: cents(share * 11),
          chargeLogic: 'nextDueDate',
        };
      case 'chargeback':
        return this.chargeback(at, share);
      case 'uncharge':
        return null;
      case 'rate':
        return { ...at, type: 'ratesChanged', rates: ratesFrom(state.day, share), reamortization: 'sameEndDate' };
      case 'rateAhead':
        return { ...at, type: 'ratesChanged', rates: ratesFrom(addDays(state.day, share % 50), share), reamortization: 'sameEndDate' };
      case 'reimburse': {
        const over = state.totals.reimbursementCents - state.totals.reimbursedCents;
        return over <= 0 ? null : { ...at, type: 'reimbursed', transaction: sequence, amountCents: cents(over) };
      }
      case 'reamortize':
        if (terms.keeping?.recalculation.type === 'cumulative') return null;
        return { ...at, type: 'reamortized', from: addDays(state.day, 1) };
    }
  }

  private chargeback(at: Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'>, share: number): LedgerFact | null {
    if ((this.terms.keeping?.chargebackOrder ?? null) === null) return null;
    const left = [...this.state.payments].map(({ amountCents, chargedBack }) => {
      const { principalCents = 0, interestCents = 0, feesCents = 0, overCents = 0 } = chargedBack ?? {};
      return amountCents - principalCents - interestCents - feesCents - overCents;
    });
    const first = left.findIndex((amount, position) => amount > 0 && this.state.payments.at(position)?.kind === 'payment');
    const payment = first < 0 ? undefined : this.state.payments.at(first);
    if (payment === undefined) return null;
    const amountCents = cents(Math.max(1, Math.min(left[first] ?? 0, Math.round(((left[first] ?? 0) * share) / 60))));
    return { ...at, type: 'paymentChargedBack', chargeback: at.sequence, transaction: payment.transaction, amountCents };
  }

  /** Due balances equal the obligations, and non-due balances the future rows, to the cent. */
  look(): void {
    const { state } = this;
    const { nonDue, due, overdue, outstanding } = balancesOf(state);
    const remaining = state.obligations.reduce((sum, obligation) => sum + obligation.remainingCents, 0);
    if (remaining !== due.totalCents + overdue.totalCents)
      this.complain(`obligations ask for ${remaining}, ${due.totalCents} are due and ${overdue.totalCents} overdue`);
    if (state.status === 'paidOff' ? outstanding.totalCents !== 0 : outstanding.totalCents === 0)
      this.complain(`${state.status} with ${outstanding.totalCents}`);
    if (state.status !== 'active') return;
    const coming = scheduleOf(state).filter(({ ordinal }) => ordinal >= state.nextRow);
    const asked = coming.reduce((sum, row) => sum + row.amountCents - row.prepaidCents, 0);
    const isExact = this.terms.keeping?.recalculation.type === 'none';
    if (isExact ? asked !== nonDue.totalCents : asked < nonDue.totalCents)
      this.complain(`rows to come ask for ${asked}, ${nonDue.totalCents} are not due`);
    for (const [component, amount] of Object.entries(nonDue)) if (Number(amount) < 0) this.complain(`${component} ${Number(amount)}`);
    if (isExact || asked === nonDue.totalCents) return;
    const fees = nonDue.feesCents + nonDue.principalCents;
    if (asked < fees) this.complain(`rows to come ask for ${asked}, ${fees} of principal and fees are not due`);
  }
}

/** All entries up to a day together are the balances of that day. */
function entriesAgree({ terms, facts, state }: Living, complain: (what: string) => void): void {
  const { entries } = recordLedger(terms, facts, state.day);
  const sums = new Map<string, bigint>();
  for (const { lines } of entries)
    for (const { bucket, component, amount } of lines)
      sums.set(`${bucket} ${component}`, (sums.get(`${bucket} ${component}`) ?? 0n) + amount);
  const sumOf = (bucket: string, ...components: readonly string[]): bigint =>
    components.reduce((sum, component) => sum + (sums.get(`${bucket} ${component}`) ?? 0n), 0n);
  const found = {
    nonDuePrincipal: sumOf('nonDue', 'principal') === BigInt(state.nonDuePrincipalCents) * CENT,
    duePrincipal: sumOf('due', 'principal') === BigInt(state.duePrincipalCents) * CENT,
    overduePrincipal: sumOf('overdue', 'principal') === BigInt(state.overduePrincipalCents) * CENT,
    nonDueInterest: sumOf('nonDue', 'interest') === accruedOf(state.nonDueInterest),
    dueInterest: sumOf('due', 'interest') === BigInt(state.dueInterestCents) * CENT,
    overdueInterest: sumOf('overdue', 'interest') === BigInt(state.overdueInterestCents) * CENT,
    fees:
      (['nonDue', 'due', 'overdue'] as const).reduce((sum, bucket) => sum + sumOf(bucket, 'lateFees', 'dynamicFees'), 0n) ===
      BigInt(state.openFeesCents) * CENT,
  };
  for (const [name, holds] of Object.entries(found)) if (!holds) complain(`the entries and ${name} differ`);
}

test('in random histories, obligations, coming rows, balances and entries agree every day', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(lives, ({ terms, steps }) => {
      const faults: string[] = [];
      const living = new Living(terms, (what) => faults.push(`day ${living.state.day - terms.activation}: ${what}`));
      const edges = edgesOf(terms);
      for (const step of [...steps].sort((a, b) => a.edge - b.edge)) {
        living.goTo(edges[Math.floor((step.edge * edges.length) / 100)] ?? terms.activation);
        living.take(step);
        entriesAgree(living, (what) => faults.push(`day ${living.state.day - terms.activation}: ${what}`));
        if (faults.length > 0) break;
      }
      if (faults.length > 0) throw new Error(faults.slice(0, 3).join('; '));
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / 6) },
  );
  t.pass('holds');
});
