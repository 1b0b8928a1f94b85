import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  type Day,
  day as dayOf,
  FIRST_DAY,
  formatDay,
  generalLedger,
  LAST_DAY,
  type LedgerFact,
  type LedgerTerms,
  type LineFact,
  type LineTerms,
  ownershipSpans,
  rate,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { allHistories, statusHistories } from '../ledger/installment/histories.js';
import { allLines } from '../ledger/line/histories.js';
import { details as plainDetails, sameText } from './ledger-laws.js';

/** Each history is booked day by day in every way below, twice. */
const RUNS = Number(process.env['TENOR_RUNS'] ?? 20);

/** How the general ledger is kept. */
interface Kept {
  readonly name: string;
  readonly settings: Partial<generalLedger.GeneralLedgerSettings>;
  /** The loan came from another system so many days behind its activation. */
  readonly migratedAfter?: number;
  readonly isOwned?: boolean;
  readonly hasDiscount?: boolean;
}

const AS_MOST_KEEP_IT: Kept = { name: 'as a lender that sets nothing', settings: {} };

const KEPT: readonly Kept[] = [
  AS_MOST_KEEP_IT,
  { name: 'late interest not recognized', settings: { nonaccrualAfterDays: 10 }, hasDiscount: true },
  { name: 'late interest as it is paid', settings: { nonaccrualAfterDays: 10, nonaccrualPayments: 'cashBasis' } },
  { name: 'fees by straight line', settings: { originationFeeRecognition: 'straightLine', deferredAtChargeOff: 'recognizeRest' } },
  { name: 'migrated', settings: { nonaccrualAfterDays: 10 }, migratedAfter: 20 },
  { name: 'own share', settings: { ownerBooks: 'ownShare', lenderInvestorId: 'IR-LEND' }, isOwned: true },
];

/** A fact of the ledger, or owners of a loan. */
interface Known {
  readonly recordedDay: Day;
  readonly cause: generalLedger.Cause;
  readonly fact: LedgerFact | LineFact | null;
  readonly owners: { readonly effectiveDay: Day | null; readonly owners: readonly generalLedger.ShareOwner[] } | null;
}

type AnyReplay = generalLedger.Replay<object, unknown>;
type ReadOf = { readonly details: generalLedger.LoanDetails; readonly ownership?: readonly generalLedger.OwnersFrom[] };

/** How a ledger is computed once, and then read. */
interface Replayed {
  readonly replay: AnyReplay;
  read(of: ReadOf, keeping: generalLedger.Keeping, dailyFrom: Day): readonly generalLedger.Believed[];
}

/** What both products have. */
interface Life {
  readonly activation: Day;
  readonly facts: readonly (LedgerFact | LineFact)[];
  readonly through: Day;
  readonly isCausal: boolean;
  /** `hasChanged`: the settings of the product are other ones, also in the past. */
  replay(
    facts: ReadonlySet<number>,
    hasChanged: boolean,
    asked: { readonly through: Day; readonly knownThrough: Day; readonly areAllocationsAsked: boolean },
  ): Replayed;
}

const changedSettings = <Terms extends LedgerTerms | LineTerms>(terms: Terms, hasChanged: boolean): Terms =>
  hasChanged
    ? {
        ...terms,
        settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, isAccruingOnOverdue: !value.isAccruingOnOverdue } })),
      }
    : terms;

const withFraud = <Fact extends LedgerFact | LineFact>(facts: readonly Fact[]): readonly Fact[] =>
  facts.map((fact) => (fact.type === 'chargeOff' && fact.sequence % 2 === 0 ? { ...fact, reason: 'fraudulent' } : fact));

const installments: fc.Arbitrary<Life> = fc.oneof(allHistories, statusHistories).map(({ terms, facts: made, through }) => {
  const facts = withFraud(made);
  return {
    activation: terms.activation,
    facts,
    through,
    isCausal: true,
    replay: (known, hasChanged, { through: until, areAllocationsAsked }) => {
      const loan = { terms: changedSettings(terms, hasChanged), facts: facts.filter(({ sequence }) => known.has(sequence)) };
      const replay = generalLedger.replayInstallment(loan, until, { areAllocationsAsked });
      return { replay, read: (of, keeping, dailyFrom) => generalLedger.readInstallment(replay, of, keeping, dailyFrom) };
    },
  };
});

const linesOfCredit: fc.Arbitrary<Life> = allLines.map(({ terms, facts: made, through }) => {
  const facts = withFraud(made);
  return {
    activation: terms.activation,
    facts,
    through,
    isCausal: false,
    replay: (known, hasChanged, asked) => {
      const loan = { terms: changedSettings(terms, hasChanged), facts: facts.filter(({ sequence }) => known.has(sequence)) };
      const replay = generalLedger.replayLine(loan, asked);
      return { replay, read: (of, keeping, dailyFrom) => generalLedger.readLine(replay, of, keeping, dailyFrom) };
    },
  };
});

const causeOf = (factId: string): generalLedger.Cause => ({ factId, factType: 'fact', recordedAt: 0 });

const ownersOf = (own: number): readonly generalLedger.ShareOwner[] => [
  { investor: 'IR-LEND', share: rate(own), priceRatio: 100_000_000 },
  { investor: 'IR-ALPH', share: rate(100_000_000 - own), priceRatio: 98_765_432 },
];

/** When things happen beside the facts, in thousandths of the life. */
interface Beside {
  readonly soldAt: number;
  readonly soldBack: number;
  readonly changedAt: number;
}

const besides: fc.Arbitrary<Beside> = fc.record({ soldAt: fc.nat(999), soldBack: fc.nat(30), changedAt: fc.nat(1500) });

/** The same loan, whose days are read in parts or as a whole. */
function bookedTwice(life: Life, { settings, migratedAfter, isOwned = false, hasDiscount = false }: Kept, beside: Beside) {
  const { activation, isCausal } = life;
  const last = dayOf(
    Math.min(life.through, life.facts.reduce((latest, { recordedDay }) => Math.max(latest, recordedDay), activation as number) + 40),
  );
  const dayAt = (thousandths: number): Day => dayOf(activation + Math.floor(((last - activation) * thousandths) / 1000));
  const soldOn = dayAt(beside.soldAt);
  const first = addDays(activation, migratedAfter ?? 0);
  const opening = causeOf('opening');
  const sale = { effectiveDay: dayOf(Math.max(activation, soldOn - beside.soldBack)), owners: ownersOf(33_333_333) };
  const facts: readonly Known[] = [
    { recordedDay: first, cause: opening, fact: null, owners: isOwned ? { effectiveDay: null, owners: ownersOf(80_000_000) } : null },
    ...(isOwned ? [{ recordedDay: soldOn, cause: causeOf('sale'), fact: null, owners: sale }] : []),
    ...life.facts.map((fact) => ({ recordedDay: fact.recordedDay, cause: causeOf(`fact-${fact.sequence}`), fact, owners: null })),
  ].sort((a, b) => a.recordedDay - b.recordedDay);
  const changedOn = dayAt(beside.changedAt);
  const discount = {
    cause: opening,
    meets: 'payout',
    amount: 12_345,
    day: activation,
    earnedOn: [30, 61, 91].map((count) => addDays(activation, count)),
  };
  const details = hasDiscount ? { ...plainDetails, merchantDiscount: discount } : plainDetails;
  const openedOn = migratedAfter === undefined || !isCausal ? null : first;
  const replays = new Map<string, Replayed>();
  const replayOf = (known: readonly Known[], through: Day, knownThrough: Day): Replayed => {
    const sequences = known.flatMap(({ fact }) => (fact === null ? [] : [fact.sequence]));
    const key = `${sequences.length}/${through}/${knownThrough}`;
    const found =
      replays.get(key) ??
      life.replay(new Set(sequences), knownThrough >= changedOn, { through, knownThrough, areAllocationsAsked: isOwned });
    replays.set(key, found);
    return found;
  };
  const knowOn =
    (keeping: generalLedger.Keeping) =>
    (known: readonly Known[], through: Day, knownThrough: Day): generalLedger.Knowledge => {
      if (!known.some(({ cause }) => cause === opening)) return new generalLedger.WholeKnowledge([]);
      const { replay, read } = replayOf(known, through, knownThrough);
      const changes = known.flatMap(({ owners }) => owners ?? []);
      const ownership = ownershipSpans(changes).map((span) => ({
        ...span,
        cause: span.owners === sale.owners ? causeOf('sale') : opening,
      }));
      const of: ReadOf = isOwned ? { details, ownership } : { details };
      const isAboutOpening =
        openedOn !== null && known.some((one) => one.recordedDay >= through && (one.fact?.effective.day ?? LAST_DAY) <= openedOn);
      return new generalLedger.ReplayKnowledge({
        replay,
        keeping,
        wholeThrough: isAboutOpening ? LAST_DAY : openedOn,
        read(dailyFrom) {
          const believed = read(of, keeping, dailyFrom);
          return openedOn === null ? believed : generalLedger.asOpening(believed, openedOn, opening);
        },
      });
    };
  const loanOn = (basis: generalLedger.Basis, isInParts: boolean): generalLedger.BookedFacts<Known> => {
    const keeping = { basis, settings: { ...generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS, ...settings } };
    const know = knowOn(keeping);
    return {
      book: 'C-1/live',
      basis,
      loanId: 'LN-1',
      facts,
      causeOf: ({ cause }) => cause,
      dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
      areTermsSame: (a, b) => a >= changedOn === b >= changedOn,
      isCausal,
      believe: (known, through, knownThrough) => know(known, through, knownThrough).believedFrom(FIRST_DAY),
      ...(isInParts ? { know } : {}),
    };
  };
  return { loanOn, first, last };
}

const PRODUCTS = [
  { product: 'loan', lives: installments },
  { product: 'line', lives: linesOfCredit },
];

/** Compares all days of random lives; the number of entries that were corrections. */
function comparedDays({ lives }: (typeof PRODUCTS)[number], kept: Kept, run: { readonly seed: number; readonly numRuns: number }): number {
  let corrections = 0;
  fc.assert(
    fc.property(lives, besides, (life, beside) => {
      const { loanOn, first, last } = bookedTwice(life, kept, beside);
      for (const basis of generalLedger.BASES) {
        const [inParts, whole] = [loanOn(basis, true), loanOn(basis, false)];
        for (let day = first; day <= last; day = addDays(day, 1)) {
          const found = generalLedger.entriesOn(inParts, day);
          sameText(JSON.stringify(found), JSON.stringify(generalLedger.entriesOn(whole, day)), `${basis} on ${formatDay(day)}`);
          corrections += found.filter(({ corrects }) => corrects !== undefined).length;
        }
      }
    }),
    run,
  );
  return corrections;
}

for (const of of PRODUCTS) {
  for (const kept of KEPT) {
    test(`days of a ${of.product} that are read in parts have the entries of its whole life: ${kept.name}`, async (t) => {
      t.comment(`seed ${SEED}`);
      comparedDays(of, kept, { seed: SEED, numRuns: RUNS });
      t.pass('all days');
    });
  }
  test(`such lives of a ${of.product} have corrections`, async (t) => {
    const corrections = comparedDays(of, AS_MOST_KEEP_IT, { seed: 1, numRuns: 20 });
    t.ok(corrections > 10, `${corrections} entries were corrections`);
  });
}
