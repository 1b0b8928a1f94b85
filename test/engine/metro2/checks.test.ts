import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { type Day, day, must, parseDay } from '../../../engine/index.js';
import {
  ACCOUNT_CHECKS,
  type AccountRecord,
  type Base,
  checkedOf,
  MONTH_CHECKS,
  PRECEDENCE,
  validateRecord,
} from '../../../engine/metro2/index.js';
import { missing, sharedFile } from '../../shared.js';
import { CLEAN, coBorrower, withBase } from './accounts.js';

type Values = Readonly<Record<string, unknown>>;

interface Case {
  readonly id: string;
  readonly check: string;
  readonly records: readonly (Values & { readonly record: string; readonly previousRecord?: string })[];
  readonly meets: readonly string[];
}

const file = sharedFile('domain', 'vectors', 'metro2-checks.json');

const toDay = (value: unknown): Day | null => (typeof value === 'string' ? must(parseDay(value), value) : null);
const isDate = (name: string): boolean => name.startsWith('date');

/** The record of a published case: fields that it does not name have the published default. */
function accountOf(values: Values): AccountRecord {
  const base = Object.fromEntries(
    Object.keys(CLEAN.base).map((name) => {
      if (!(name in values)) return [name, (CLEAN.base as Values)[name] ?? null];
      const value = values[name];
      return [name, isDate(name) ? toDay(value) : value === '' ? null : value];
    }),
  ) as unknown as Base;
  const codes = (values['consumerInformationIndicatorsOfJSegments'] ?? []) as readonly string[];
  const ecoas = (values['ecoaCodesOfJSegments'] ?? []) as readonly string[];
  const J1 = Array.from({ length: Math.max(codes.length, ecoas.length) }, (_, at) =>
    coBorrower({ consumerInformationIndicator: codes[at] ?? null, ecoaCode: ecoas[at] ?? null }),
  );
  const segment = (name: string): never => (values[name] ?? null) as never;
  return { ...CLEAN, base, J1, K2: segment('K2'), K4: segment('K4'), L1: segment('L1') };
}

test('each published case meets its condition in exactly the published records', {
  skip: file === undefined && missing('domain'),
}, async (t) => {
  const { defaults, vectors } = JSON.parse(readFileSync(must(file, 'the file of cases'), 'utf8')) as {
    readonly defaults: Values;
    readonly vectors: readonly Case[];
  };
  let played = 0;
  for (const { id, check, records, meets } of vectors) {
    const checked = new Map(
      records.map((values) => {
        const all = { ...defaults, ...values };
        return [values.record, checkedOf(must(toDay(all.activityDate), id), accountOf(all))];
      }),
    );
    const one = ACCOUNT_CHECKS.find((known) => known.id === check);
    const month = MONTH_CHECKS.find((known) => known.id === check);
    const found = records.filter(({ record, previousRecord }) => {
      const account = must(checked.get(record), record);
      if (one !== undefined) return one.isWrong(account);
      const before = checked.get(previousRecord ?? '');
      return before !== undefined && must(month, check).isWrong(account, before);
    });
    t.strictSame(
      found.map(({ record }) => record),
      meets,
      id,
    );
    played += records.length;
  }
  t.equal(vectors.length, ACCOUNT_CHECKS.length + MONTH_CHECKS.length);
  t.equal(played, 610);
});

const ACTIVITY = day(20_453);
const found = (account: AccountRecord, before: AccountRecord | null = null, isCorrection = false): readonly string[] =>
  validateRecord({
    activityDate: ACTIVITY,
    account,
    before: before && { activityDate: day(20_422), account: before },
    isCorrection,
  }).flatMap(({ check, isBlocking }) => (isBlocking ? [check] : []));

test('a correct record has no fault, and a fault names the check and its fields', async (t) => {
  t.strictSame(found(CLEAN), []);
  t.strictSame(found(CLEAN, CLEAN), []);
  const [fault] = validateRecord({
    activityDate: ACTIVITY,
    account: withBase({ amountPastDue: 10 }),
    before: null,
    isCorrection: false,
  });
  t.match(fault, { check: 'Status-APD-1', fields: ['accountStatus', 'amountPastDue'], isBlocking: true });
  t.strictSame(found(withBase({ surname: null })), ['content']);
});

test('precedence leaves a correct record for each account that the bare list would refuse', async (t) => {
  const closed = { dateClosed: day(20_440), currentBalance: 0, scheduledMonthlyPayment: 0 };
  t.strictSame(found(withBase({ ...closed, accountStatus: '05', paymentRating: '0' })), [], 'transferred to another office');
  t.strictSame(found(withBase({ ...closed, accountStatus: '05', paymentRating: '0', specialComment: 'O' })), [], 'transferred, comment O');
  t.strictSame(
    found({
      ...withBase({
        ...closed,
        accountStatus: '97',
        originalChargeOffAmount: 4_000,
        specialComment: 'AH',
        dateOfFirstDelinquency: day(20_100),
      }),
      K2: { purchasedSoldIndicator: '2', purchasedSoldName: 'DEBT BUYER LLC' },
    }),
    [],
    'charged off and sold',
  );
  t.strictSame(
    found(withBase({ accountStatus: '88', paymentRating: '3', amountPastDue: 500, dateOfFirstDelinquency: day(20_100) })),
    [],
    'a claim for the insured portion',
  );
  const secured = { portfolioType: 'C', accountType: '47', termsDuration: 'LOC', creditLimit: 8_000 };
  t.strictSame(found(withBase(secured)), [], 'a secured line of credit');
  t.strictSame(found(withBase({ ...secured, creditLimit: 0 })), ['Type-CreditLimit-2'], 'the checks of lines stay in force');
  t.strictSame(found(withBase({ specialComment: 'M', dateClosed: day(20_440) })), [], 'closed by the lender, and still owed');
  t.strictSame(
    found(withBase({ consumerInformationIndicator: 'A', dateOfFirstDelinquency: day(20_400) })),
    [],
    'the date of a petition on a current loan',
  );
  t.strictSame(
    found(withBase({ ...closed, dateClosed: null, consumerInformationIndicator: 'E', dateOfFirstDelinquency: day(20_400) })),
    [],
    'discharged: nothing is owed',
  );
});

test('a check comes back into force when what switches it off is absent', async (t) => {
  for (const { reason, checks } of PRECEDENCE)
    for (const id of checks)
      t.ok(
        [...ACCOUNT_CHECKS, ...MONTH_CHECKS].some((check) => check.id === id),
        `${reason}: ${id} is a check`,
      );
  t.strictSame(found(withBase({ dateClosed: day(20_440) })), ['Status-DateClosed-2', 'Balance-DateClosed-1']);
  t.strictSame(found(withBase({ dateOfFirstDelinquency: day(20_400) })), ['Status-DOFD-2']);
});

test('a correction may change what months must not change', async (t) => {
  const moved = withBase({ dateOpened: day(19_999) });
  t.strictSame(found(moved, CLEAN), ['PROG-DateOpen-1']);
  t.strictSame(found(moved, CLEAN, true), []);
  const back = withBase({ ecoaCode: '2' });
  t.strictSame(found(back, withBase({ ecoaCode: 'Z' }), true), ['PROG-ECOA-1'], 'not a removed consumer');
});

test('warnings are kept with a record that is sent', async (t) => {
  const faults = validateRecord({
    activityDate: ACTIVITY,
    account: withBase({ actualPayment: 0 }),
    before: null,
    isCorrection: false,
  });
  t.match(faults, [{ check: 'Status-PaymentAmount-1', isBlocking: false }]);
});
