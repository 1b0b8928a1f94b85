import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  addDays,
  amortize,
  cents,
  computeLedger,
  constantRate,
  CONTRACT_ROUNDING,
  day,
  dueDates,
  type LedgerFact,
  type LedgerTerms,
  metro2,
  must,
  parseDay,
  parseRate,
} from '../../engine/index.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { PLAIN_SETTINGS } from './replay.js';

const SIZE = 20_000;
const MILLION = 1_000_000;
const BUDGET_SECONDS = 120;
/** The loans differ by what was paid: on time, some late, some not at all for months. */
const KINDS = 20;
const ACTIVATION = must(parseDay('2024-01-15'), 'a date');
const FIRST_DUE = must(parseDay('2024-02-15'), 'a date');
const ACTIVITY = must(parseDay('2026-01-31'), 'a date');
const MONTH_BEGAN = must(parseDay('2026-01-01'), 'a date');
const PRINCIPAL = cents(1_500_000);

/**
 * The records of one file: the ledger of each loan computed from its facts with its life, the account of the month, all checks, the line,
 * the counters of the trailer, the digest, and the write to the disk. Reading loans from their store is not part of it: `mass` measures it.
 */
export const metro2Benchmark: Benchmark = {
  name: 'metro2',
  title: 'A file for a credit agency: ledger, month, checks and line of each account, loans of 24 months, on one core',
  size: { standard: SIZE, unit: 'accounts' },
  async run(context: BenchContext): Promise<readonly Measure[]> {
    const { size, folder } = context;
    const accounts = size ?? SIZE;
    const lives = Array.from({ length: KINDS }, (_, kind) => lifeOf(kind));
    const file = createWriteStream(join(folder, 'metro2.txt'));
    const hash = createHash('sha256');
    const trailer = new metro2.TrailerCount();
    let held = 0;
    let bytes = 0;
    const begun = performance.now();
    for (let at = 0; at < accounts; at += 1) {
      const account = accountOf(must(lives[at % KINDS], 'a life'), at);
      const faults = metro2.validateRecord({ activityDate: ACTIVITY, account, before: null, isCorrection: false });
      if (faults.some(({ isBlocking }) => isBlocking)) {
        held += 1;
        continue;
      }
      const line = `${metro2.writeAccount(account)}\n`;
      trailer.addCounted(metro2.countersOfLine(line.trimEnd()));
      hash.update(line);
      bytes += line.length;
      if (!file.write(line)) await once(file, 'drain');
    }
    file.end(metro2.TRAILER.write(trailer.trailer()));
    await once(file, 'finish');
    const seconds = (performance.now() - begun) / 1_000;
    context.report(`${accounts} accounts, ${held} held, ${bytes} bytes, ${hash.digest('hex').slice(0, 8)}`);
    const perSecond = Math.round(accounts / seconds);
    return [
      { name: 'accounts a second', value: perSecond, unit: '/s' },
      { name: 'time of this run', value: Number(seconds.toFixed(2)), unit: 's' },
      {
        name: 'a million accounts at this rate',
        value: Number((MILLION / perSecond).toFixed(1)),
        unit: 's',
        budget: { atMost: BUDGET_SECONDS, forLoans: MILLION },
      },
    ];
  },
};

interface Life {
  readonly terms: LedgerTerms;
  readonly facts: readonly LedgerFact[];
  readonly levelCents: number;
}

function lifeOf(kind: number): Life {
  const dates = dueDates({ type: 'monthly', day: 15 }, FIRST_DUE, 60);
  const rates = constantRate(must(parseRate('0.0799'), 'a rate'));
  const { rows } = amortize({
    start: ACTIVATION,
    principalCents: PRINCIPAL,
    dueDates: dates,
    payment: { type: 'level' },
    rates,
    dayCount: 'daily365',
  });
  const levelCents = rows[0]?.amountCents ?? cents(0);
  // Of twenty loans three are behind: by one, two and five months.
  const missed = [0, 1, 2, 5][Math.max(0, kind - KINDS + 4)] ?? 0;
  const facts = dates.slice(0, 24 - missed).map(
    (date, at): LedgerFact => ({
      type: 'payment',
      transaction: at + 1,
      kind: 'payment',
      amountCents: levelCents,
      isPrepaymentEnabled: null,
      isProcessing: false,
      effective: { day: addDays(date, kind % 3), seconds: 54_000 },
      sequence: at + 1,
      recordedDay: addDays(date, kind % 3),
    }),
  );
  const terms: LedgerTerms = {
    activation: ACTIVATION,
    interestFrom: ACTIVATION,
    principalCents: PRINCIPAL,
    rows: rows.map((row) => ({ ...row, isForced: false })),
    rates,
    dayCount: 'daily365',
    accrualMethod: 'simple',
    rounding: CONTRACT_ROUNDING,
    originationFee: { amountCents: cents(0), logic: 'firstPayment' },
    totalInterestCapCents: null,
    dueDateRule: { type: 'monthly', day: 15 },
    settings: [
      {
        from: day(-719_162),
        value: PLAIN_SETTINGS,
      },
    ],
  };
  return { terms, facts, levelCents };
}

function accountOf({ terms, facts, levelCents }: Life, number: number): metro2.AccountRecord {
  const recorder = new metro2.LifeRecorder();
  const ledger = computeLedger(terms, facts, ACTIVITY, recorder);
  const month = must(
    metro2.creditMonth(recorder.changes, ACTIVITY, {
      opened: ACTIVATION,
      reportedFrom: ACTIVATION,
      historyBefore: '',
      servicedFrom: ACTIVATION,
      placements: [],
      petitionOn: null,
      isLine: false,
    }),
    'an open loan',
  );
  const figures = metro2.creditFigures(ledger, MONTH_BEGAN);
  const digits = String(number).padStart(9, '0');
  return {
    base: {
      recordLength: metro2.RECORD_LENGTH,
      processingIndicator: '1',
      timestamp: '02012026000000',
      correctionIndicator: '0',
      identificationNumber: '90210',
      cycle: null,
      consumerAccountNumber: `LN-${digits}`,
      portfolioType: 'I',
      accountType: '01',
      dateOpened: ACTIVATION,
      creditLimit: 0,
      highestCredit: metro2.wholeDollars(PRINCIPAL),
      termsDuration: '060',
      termsFrequency: 'M',
      scheduledMonthlyPayment: metro2.wholeDollars(levelCents),
      actualPayment: metro2.wholeDollars(figures.paidCents),
      accountStatus: month.status,
      paymentRating: month.rating,
      paymentHistoryProfile: month.history,
      specialComment: null,
      complianceConditionCode: null,
      currentBalance: metro2.wholeDollars(figures.balanceCents),
      amountPastDue: month.status === '11' ? 0 : metro2.wholeDollars(figures.pastDueCents),
      originalChargeOffAmount: 0,
      dateOfAccountInformation: ACTIVITY,
      dateOfFirstDelinquency: month.firstDelinquency,
      dateClosed: month.closedOn,
      dateOfLastPayment: figures.lastPaymentOn,
      interestType: 'F',
      surname: metro2.fieldText('O’Brien-Quimby', 25),
      firstName: metro2.fieldText('Annabel', 20),
      middleName: metro2.fieldText('Rose', 20),
      generation: metro2.generationOf('Jr.'),
      ssn: `1${digits.slice(1)}`,
      birthDate: addDays(ACTIVATION, -14_000),
      phone: `2${digits}`,
      ecoaCode: '1',
      consumerInformationIndicator: null,
      country: 'US',
      address1: metro2.fieldText('12 Larkspur Lane', 32),
      address2: null,
      city: metro2.fieldText('Albany', 20),
      state: 'NY',
      zip: '12207',
      addressIndicator: null,
      residence: null,
    },
    J1: [],
    J2: [],
    K1: null,
    K2: null,
    K3: null,
    K4: null,
    L1: null,
    N1: null,
  };
}
