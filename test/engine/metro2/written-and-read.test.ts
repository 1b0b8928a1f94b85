import { test } from 'tap';
import { type Day, day } from '../../../engine/index.js';
import type { AnyField } from '../../../engine/metro2/fields.js';
import {
  type AccountRecord,
  BASE,
  contentFaults,
  countersOfLine,
  FileWriter,
  type Header,
  J1,
  J2,
  K1,
  K2,
  K3,
  K4,
  L1,
  N1,
  readFile,
  TrailerCount,
  writeAccount,
} from '../../../engine/metro2/index.js';
import fc from '../../fast-check.js';
import { CLEAN } from './accounts.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-';

/** A value of each kind of field, found by what the field reads. */
function valueOf(one: AnyField): fc.Arbitrary<unknown> {
  if (one.name === null) return fc.constant(null);
  const { name, length } = one;
  if (name === 'recordLength') return fc.constant(0);
  if (name === 'processingIndicator') return fc.constant('1');
  if (name === 'timestamp') return fc.constant('01012020011122');
  if (name === 'correctionIndicator') return fc.constantFrom('0', '1');
  if (length === 8 && one.read('02292024') === 19782) return fc.option(fc.integer({ min: -10_000, max: 40_000 }).map(day), { nil: null });
  const blank = one.read(' '.repeat(length));
  if (blank === 0) return fc.integer({ min: 0, max: 10 ** length - 1 });
  if (one.read('A'.repeat(length)) === undefined)
    return fc.option(
      fc.integer({ min: 1, max: 10 ** length - 2 }).map((value) => String(value).padStart(length, '0')),
      { nil: null },
    );
  return fc.option(
    fc
      .array(fc.constantFrom(...LETTERS.split('')), { minLength: 1, maxLength: length })
      .map((letters) => letters.join('').trimEnd())
      .filter((text) => text !== ''),
    { nil: null },
  );
}

const PLAIN = { noNullPrototype: true } as const;

const recordOf = (layout: { readonly fields: readonly AnyField[] }): fc.Arbitrary<never> =>
  fc.record(
    Object.fromEntries(layout.fields.flatMap((one) => (one.name === null ? [] : [[one.name, valueOf(one)]]))),
    PLAIN,
  ) as unknown as fc.Arbitrary<never>;

const account: fc.Arbitrary<AccountRecord> = fc.record(
  {
    base: recordOf(BASE),
    J1: fc.array(recordOf(J1), { maxLength: 3 }),
    J2: fc.array(recordOf(J2), { maxLength: 2 }),
    K1: fc.option(recordOf(K1), { nil: null }),
    K2: fc.option(recordOf(K2), { nil: null }),
    K3: fc.option(recordOf(K3), { nil: null }),
    K4: fc.option(recordOf(K4), { nil: null }),
    L1: fc.option(recordOf(L1), { nil: null }),
    N1: fc.option(recordOf(N1), { nil: null }),
  },
  PLAIN,
);

const HEADER: Omit<Header, 'recordLength'> = {
  cycle: null,
  innovisId: null,
  equifaxId: 'EQ12345678',
  experianId: null,
  transUnionId: null,
  activityDate: day(20_453),
  createdDate: day(20_454),
  programDate: null,
  programRevisionDate: null,
  reporterName: 'EXAMPLE LENDING LLC',
  reporterAddress: '1 MAIN STREET, AUSTIN TX 78701',
  reporterPhone: '5125550100',
  softwareVendor: 'TENOR',
  softwareVersion: '1.0',
  otherId: null,
};

test('what is written is read back, whatever the accounts are', async (t) => {
  fc.assert(
    fc.property(fc.array(account, { maxLength: 4 }), fc.boolean(), (accounts, hasLineEnds) => {
      const writer = new FileWriter();
      let text = writer.header(HEADER);
      for (const one of accounts) text += writer.account(one);
      text += writer.trailer();
      const read = readFile(hasLineEnds ? text : text.replaceAll('\n', ''));
      t.strictSame(read.faults, []);
      t.strictSame(read.header, { ...HEADER, recordLength: 426 });
      t.strictSame(
        read.accounts.map(({ base, ...segments }) => ({ base: { ...base, recordLength: 0 }, ...segments })),
        accounts,
      );
    }),
    { numRuns: 200 },
  );
});

test('each line of a file is as long as its first four digits say', async (t) => {
  fc.assert(
    fc.property(account, (one) => {
      const line = new FileWriter().account(one).trimEnd().padEnd(426);
      const length = Number(line.slice(0, 4));
      t.equal(new FileWriter().account(one).length, length + 1);
    }),
    { numRuns: 50 },
  );
});

test('counting written lines gives the same trailer as counting records', async (t) => {
  fc.assert(
    fc.property(fc.array(account, { maxLength: 4 }), (accounts) => {
      const [ofRecords, ofLines] = [new TrailerCount(), new TrailerCount()];
      for (const one of accounts) {
        ofRecords.add(one);
        ofLines.addCounted(countersOfLine(writeAccount(one)));
      }
      t.strictSame(ofLines.trailer(), ofRecords.trailer());
      t.strictSame(TrailerCount.of(ofLines.totals()).trailer(), ofRecords.trailer(), 'and goes on from its totals');
    }),
    { numRuns: 100 },
  );
});

test('the content of every field is checked before it is written, and each fault names its field', async (t) => {
  t.strictSame(contentFaults(CLEAN), []);
  const faultsOf = (change: Partial<AccountRecord['base']>): readonly string[] =>
    contentFaults({ ...CLEAN, base: { ...CLEAN.base, ...change } }).map(({ field }) => field);
  t.strictSame(faultsOf({ surname: null, zip: '123', ssn: '12' }), ['surname', 'ssn', 'zip']);
  t.strictSame(faultsOf({ currentBalance: 1_000_000_000 }), ['currentBalance']);
  t.strictSame(faultsOf({ currentBalance: -1 }), ['currentBalance']);
  t.strictSame(faultsOf({ consumerAccountNumber: 'LN 1' }), ['consumerAccountNumber']);
  t.strictSame(faultsOf({ identificationNumber: '00000' }), ['identificationNumber']);
  t.strictSame(faultsOf({ identificationNumber: 'AB123' }), ['identificationNumber']);
  t.strictSame(faultsOf({ surname: 'Doe' }), ['surname'], 'lower case');
  t.strictSame(faultsOf({ surname: 'A'.repeat(26) }), ['surname']);
  t.strictSame(faultsOf({ accountStatus: '12' }), ['accountStatus']);
  t.strictSame(faultsOf({ birthDate: null as Day | null }), ['birthDate']);
  const withJ1 = { ...CLEAN, J1: [{ ...CLEAN.base, ecoaCode: '4' }] };
  t.strictSame(
    contentFaults(withJ1).map(({ field }) => field),
    ['J1.ecoaCode'],
  );
});
