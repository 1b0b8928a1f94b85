import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  cents,
  computeLedger,
  computeLine,
  type Day,
  day as dayOf,
  formatDay,
  generalLedger,
  type LedgerFact,
  type LineFact,
  ownershipSpans,
  ownersOn,
  type PaymentState,
  rate,
  RATE_ONE,
  splitByShares,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { allHistories, type History } from '../ledger/installment/histories.js';
import { allLines, type LineHistory } from '../ledger/line/histories.js';
import { asText, details, sameText, sumOf } from './ledger-laws.js';

type Balances = readonly generalLedger.RoleBalance[];

/** Each history is booked day by day twice, for the whole loan and for the own share. */
const RUNS = 12;
/** Balances are compared on every so many days. */
const EVERY = 3;
const LENDER = 'IR-LEND';

/** Something that the books learn: a fact of the ledger, or new owners. */
interface Known {
  readonly recordedDay: Day;
  readonly cause: generalLedger.Cause;
  readonly fact: LedgerFact | LineFact | null;
  readonly change: Change | null;
}

interface Change {
  readonly effectiveDay: Day | null;
  readonly owners: readonly generalLedger.ShareOwner[];
}

/** Shares of the lender and of two others, whose places in the list differ. */
const owners: fc.Arbitrary<readonly generalLedger.ShareOwner[]> = fc
  .record({
    shares: fc.constantFrom<readonly [number, number]>(
      [0, 1],
      [1, 0],
      [0.5, 0.5],
      [0.4, 0.3],
      [0.3334, 0.3333],
      [0.99999999, 0],
      [0, 0.12345678],
    ),
    order: fc.constantFrom([0, 1, 2], [2, 0, 1], [1, 2, 0]),
    priceRatio: fc.constantFrom(0.97, 1, 1.0123),
  })
  .map(({ shares: [first, second], order, priceRatio }) => {
    const [a, b] = [Math.round(first * RATE_ONE), Math.round(second * RATE_ONE)];
    const all = [a, b, RATE_ONE - a - b].map((share, at) => ({
      investor: [LENDER, 'IR-ALPH', 'IR-BETA'][at] ?? '',
      share: rate(share),
      priceRatio: Math.round(priceRatio * RATE_ONE),
    }));
    return order.flatMap((at) => all[at] ?? []);
  });

interface OwnerLife {
  readonly first: readonly generalLedger.ShareOwner[];
  readonly changes: readonly { readonly at: number; readonly back: number; readonly owners: readonly generalLedger.ShareOwner[] }[];
}

/** Owners of the beginning, and changes that are known late or early. */
const ownerLives: fc.Arbitrary<OwnerLife> = fc.record({
  first: fc.oneof(fc.constant([]), owners),
  changes: fc.array(fc.record({ at: fc.nat(1000), back: fc.integer({ min: -9, max: 20 }), owners }), { minLength: 1, maxLength: 3 }),
});

interface Product {
  readonly terms: { readonly activation: Day };
  readonly facts: readonly (LedgerFact | LineFact)[];
  readonly through: Day;
}

type Believe = (
  facts: readonly (LedgerFact | LineFact)[],
  keeping: generalLedger.Keeping,
  through: Day,
  ownership?: readonly generalLedger.OwnersFrom[],
) => readonly generalLedger.Believed[];

interface Owned {
  readonly basis: generalLedger.Basis;
  readonly activation: Day;
  readonly last: Day;
  readonly facts: readonly Known[];
  readonly own: generalLedger.BookedFacts<Known>;
  readonly gross: generalLedger.BookedFacts<Known>;
  ownersOn(day: Day, knownOn: Day): readonly generalLedger.ShareOwner[];
}

const settingsOf = (held: 'gross' | 'ownShare'): generalLedger.GeneralLedgerSettings => ({
  ...generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS,
  ownerBooks: held,
  lenderInvestorId: LENDER,
});

function ownedOf(
  { terms: { activation }, facts, through }: Product,
  { first, changes }: OwnerLife,
  { basis, believe, isCausal }: { readonly basis: generalLedger.Basis; readonly believe: Believe; readonly isCausal: boolean },
): Owned {
  const recorded = facts.reduce((last, { recordedDay }) => Math.max(last, recordedDay), activation as number);
  const last = dayOf(Math.min(through, recorded + 30));
  const opening: Known = known('opening', activation, null, { effectiveDay: null, owners: first });
  const changed = changes.map(({ at, back, owners: sold }, number) => {
    const recordedDay = dayOf(activation + (at % Math.max(1, last - activation)));
    const effectiveDay = dayOf(Math.max(activation, recordedDay - back));
    return known(`owners-${number}`, recordedDay, null, { effectiveDay, owners: sold });
  });
  const all = [opening, ...changed, ...facts.map((fact) => known(`fact-${fact.sequence}`, fact.recordedDay, fact, null))].sort(
    (a, b) => a.recordedDay - b.recordedDay,
  );
  const changesIn = (some: readonly Known[]): readonly Change[] => some.flatMap(({ change }) => change ?? []);
  const ownershipIn = (some: readonly Known[]): readonly generalLedger.OwnersFrom[] =>
    ownershipSpans(changesIn(some)).map((span) => ({
      ...span,
      cause: some.find(({ change }) => change?.owners === span.owners)?.cause ?? opening.cause,
    }));
  const factsIn = (some: readonly Known[]): readonly (LedgerFact | LineFact)[] => some.flatMap(({ fact }) => fact ?? []);
  const booked = (held: 'gross' | 'ownShare'): generalLedger.BookedFacts<Known> => {
    const keeping = { basis, settings: settingsOf(held) };
    return {
      book: 'C-1/live',
      basis,
      loanId: 'LN-1',
      facts: all,
      causeOf: ({ cause }) => cause,
      dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
      areTermsSame: () => true,
      isCausal,
      believe: (some, until) => (some.length === 0 ? [] : believe(factsIn(some), keeping, until, ownershipIn(some))),
    };
  };
  return {
    basis,
    activation,
    last,
    facts: all,
    own: booked('ownShare'),
    gross: booked('gross'),
    ownersOn: (day, knownOn) => ownersOn(ownershipSpans(changesIn(all.filter(({ recordedDay }) => recordedDay <= knownOn))), day),
  };
}

const known = (factId: string, recordedDay: Day, fact: Known['fact'], change: Change | null): Known => ({
  recordedDay,
  cause: { factId, factType: 'fact', recordedAt: 0 },
  fact,
  change,
});

const COMPONENTS = [
  ['principalReceivable', 'memoServicedPrincipal'],
  ['interestReceivable', 'memoServicedInterest'],
  ['feesReceivable', 'memoServicedFees'],
] as const;

function ownPart(whole: number, its: readonly generalLedger.ShareOwner[]): number {
  if (its.length === 0) return whole;
  const at = its.findIndex(({ investor }) => investor === LENDER);
  return (
    splitByShares(
      cents(whole),
      its.map(({ share }) => share),
    )[at] ?? 0
  );
}

/** The own books hold the lender's part of each component, and with the memoranda of the others what the gross books hold. */
function checkShares(own: Balances, gross: Balances, its: readonly generalLedger.ShareOwner[], at: string): void {
  for (const [role, memo] of COMPONENTS) {
    const whole = sumOf(gross, role);
    sameText(`${sumOf(own, role)}`, `${ownPart(whole, its)}`, `own part of ${role} ${at}`);
    sameText(`${sumOf(own, role, memo)}`, `${whole}`, `all parts of ${role} ${at}`);
  }
  for (const role of WHOLE) sameText(`${sumOf(own, role)}`, `${sumOf(gross, role)}`, `${role} ${at}`);
}

/** The lender holds the money for all owners, and owes what is overpaid. */
const WHOLE = ['bank', 'clearingIncoming', 'clearingOutgoing', 'borrowerCredit', 'networkPayable', 'memoChargedOff'] as const;

function holdsShares({ own, gross, activation, last, ownersOn: ownersKnown, basis }: Owned): void {
  const lines: generalLedger.Line[] = [];
  const keys = new Set<string>();
  for (let day = activation; day <= last; day = addDays(day, 1)) {
    for (const entry of generalLedger.entriesOn(own, day)) {
      const sum = entry.lines.reduce((total, { amount }) => total + amount, 0);
      sameText(`${sum}`, '0', `sum of ${entry.key}`);
      if (keys.has(entry.id)) throw new Error(`${entry.key} is not unique`);
      if (entry.effectiveDate > day || entry.lines.length === 0) throw new Error(`${entry.key} is about the future or nothing`);
      keys.add(entry.id);
      lines.push(...entry.lines);
    }
    if ((day - activation) % EVERY !== 0 && day !== last) continue;
    const at = `on ${formatDay(day)} ${basis}`;
    const held = generalLedger.balancesOfLines(lines);
    sameText(asText(held), asText(generalLedger.believedBalances(generalLedger.believedOn(own, day), day)), `booked ${at}`);
    checkShares(held, generalLedger.believedBalances(generalLedger.believedOn(gross, day), day), ownersKnown(day, day), at);
  }
}

/** What is owed to each other owner of payments is what its settlements pay of them by the ledger of the end. */
function paymentsAreOwed({ own, last, ownersOn: ownersKnown, facts }: Owned, ledger: PaidLedger): boolean {
  if (ledger.status === 'canceled' || facts.some(({ fact }) => fact !== null && isOtherMoney(fact))) return false;
  const owed = new Map<string, number>();
  for (const { kind, day, chargedBack, ...paid } of ledger.payments) {
    if (kind !== 'payment' && kind !== 'downPayment') continue;
    const its = ownersKnown(day, last);
    if (its.length === 0) continue;
    for (const component of ['principalCents', 'interestCents', 'feesCents'] as const) {
      const parts = splitByShares(
        cents(paid[component] - (chargedBack?.[component] ?? 0)),
        its.map(({ share }) => share),
      );
      its.forEach(({ investor }, at) => owed.set(investor, (owed.get(investor) ?? 0) + (parts[at] ?? 0)));
    }
  }
  const ofPayments = generalLedger
    .believedOn(own, last)
    .filter(({ rule, effectiveDate }) => OF_PAYMENTS.has(rule) && effectiveDate <= last)
    .flatMap(({ lines }) => lines);
  for (const investor of ['IR-ALPH', 'IR-BETA']) {
    const held = ofPayments.reduce(
      (sum, { role, dimensions, amount }) => (role === 'investorPayable' && dimensions.investor === investor ? sum - amount : sum),
      0,
    );
    sameText(`${held}`, `${owed.get(investor) ?? 0}`, `owed to ${investor} of payments`);
  }
  return true;
}

/** Refunds and what a migration brings: what they pay is owed to the other owners, too, but no settlement pays it. */
const isOtherMoney = (fact: LedgerFact | LineFact): boolean =>
  fact.type === 'refund' || fact.type === 'lineSeeded' || (fact.type === 'purchase' && fact.transaction !== null);

interface PaidLedger {
  readonly status: string;
  readonly payments: Iterable<PaymentState>;
}

const OF_PAYMENTS: ReadonlySet<string> = new Set(['payment', 'takenBack', 'promoExercised']);

const ofInstallment =
  ({ terms }: History): Believe =>
  (facts, keeping, through, ownership) =>
    generalLedger.believedInstallment(
      { terms, facts: facts as readonly LedgerFact[], details, ...(ownership === undefined ? {} : { ownership }) },
      keeping,
      through,
    );

const ofLine =
  ({ terms }: LineHistory): Believe =>
  (facts, keeping, through, ownership) =>
    generalLedger.believedLine(
      { terms, facts: facts as readonly LineFact[], details, ...(ownership === undefined ? {} : { ownership }) },
      keeping,
      through,
    );

const installmentOf = (history: History, life: OwnerLife, basis: generalLedger.Basis): Owned =>
  ownedOf(history, life, { basis, believe: ofInstallment(history), isCausal: true });

const knownThrough = <Fact extends { readonly recordedDay: Day }>(facts: readonly Fact[], day: Day): readonly Fact[] =>
  facts.filter(({ recordedDay }) => recordedDay <= day);

test('the own books of a loan hold the own share of what is owed, and with the other shares all of it', async (t) => {
  t.comment(`seed ${SEED}`);
  for (const basis of generalLedger.BASES) {
    fc.assert(
      fc.property(allHistories, ownerLives, (history, life) => holdsShares(installmentOf(history, life, basis))),
      { seed: SEED, numRuns: RUNS },
    );
  }
  t.pass('holds');
});

test('the same of a line of credit', async (t) => {
  t.comment(`seed ${SEED}`);
  for (const basis of generalLedger.BASES) {
    fc.assert(
      fc.property(allLines, ownerLives, (history, life) =>
        holdsShares(ownedOf(history, life, { basis, believe: ofLine(history), isCausal: false })),
      ),
      { seed: SEED, numRuns: RUNS },
    );
  }
  t.pass('holds');
});

test('what is owed to other owners of payments is what settlements pay of them', async (t) => {
  t.comment(`seed ${SEED}`);
  let compared = 0;
  fc.assert(
    fc.property(allHistories, ownerLives, (history, life) => {
      const owned = installmentOf(history, life, 'accrual');
      compared += Number(paymentsAreOwed(owned, computeLedger(history.terms, knownThrough(history.facts, owned.last), owned.last)));
    }),
    { seed: SEED, numRuns: 12 * RUNS },
  );
  fc.assert(
    fc.property(allLines, ownerLives, (history, life) => {
      const owned = ownedOf(history, life, { basis: 'accrual', believe: ofLine(history), isCausal: false });
      compared += Number(paymentsAreOwed(owned, computeLine(history.terms, knownThrough(history.facts, owned.last), owned.last)));
    }),
    { seed: SEED, numRuns: 12 * RUNS },
  );
  t.ok(compared > 4 * RUNS, `${compared} histories were compared`);
});

test('a day that only accrues is booked from the running ledger as from the facts', async (t) => {
  t.comment(`seed ${SEED}`);
  let plain = 0;
  fc.assert(
    fc.property(allHistories, ownerLives, (history, life) => {
      const { own, facts, activation, last, ownersOn: ownersKnown } = installmentOf(history, life, 'accrual');
      const keeping = { basis: 'accrual', settings: settingsOf('ownShare') } as const;
      for (let day = activation; day <= last; day = addDays(day, 1)) {
        if (facts.some(({ recordedDay, change }) => recordedDay === day || change?.effectiveDay === day)) continue;
        const ledgerFacts = history.facts.filter(({ recordedDay }) => recordedDay < day);
        const of = { book: own.book, loanId: own.loanId, cause: own.dayCause(day), owners: ownersKnown(day, day) };
        const found = generalLedger.entriesOfPlainDay(computeLedger(history.terms, ledgerFacts, day), of, keeping, day);
        if (found === null) continue;
        plain += 1;
        sameText(JSON.stringify(found), JSON.stringify(generalLedger.entriesOn(own, day)), `on ${formatDay(day)}`);
      }
    }),
    { seed: SEED, numRuns: 2 * RUNS },
  );
  t.ok(plain > 100, `${plain} days were plain`);
});

test('the law finds a rule that takes a cent, keeps a share that was sold, or loses a part of the others', async (t) => {
  const balance = (role: generalLedger.Role, amount: number): generalLedger.RoleBalance => ({
    role,
    dimensions: {},
    amount: cents(amount),
  });
  const its = [
    { investor: LENDER, share: rate(0.4 * RATE_ONE), priceRatio: RATE_ONE },
    { investor: 'IR-ALPH', share: rate(0.6 * RATE_ONE), priceRatio: RATE_ONE },
  ];
  const gross = [balance('principalReceivable', 1001), balance('bank', -1001)];
  const ofOwn = (principal: number, memo: number): Balances => [
    balance('principalReceivable', principal),
    balance('memoServicedPrincipal', memo),
    balance('bank', -1001),
  ];
  t.doesNotThrow(() => checkShares(ofOwn(400, 601), gross, its, 'here'));
  t.throws(() => checkShares(ofOwn(401, 600), gross, its, 'here'), /own part of principalReceivable/, 'a cent too much');
  t.throws(() => checkShares(ofOwn(1001, 0), gross, its, 'here'), /own part of principalReceivable/, 'nothing was sold');
  t.throws(() => checkShares(ofOwn(400, 600), gross, its, 'here'), /all parts of principalReceivable/, 'a cent is lost');
  t.end();
});
