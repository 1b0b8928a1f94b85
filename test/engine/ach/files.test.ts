import { test } from 'tap';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  achFileOf,
  type AchBatch,
  type AchEntry,
  achTotalsOf,
  batchControlOf,
  cents,
  type FileHeader,
  fileControlOf,
  HEADER_CONSTANTS,
  isUsable,
  parseDay,
  readAch,
  readAchInSteps,
  writeAch,
} from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import { missing, sharedFile, vectorsOf } from '../../shared.js';

const HEADER: FileHeader = {
  ...HEADER_CONSTANTS,
  immediateDestination: '231380104',
  immediateOrigin: '121042882',
  creationDate: parseDay('2019-06-24') ?? null,
  creationTime: '0000',
  fileIdModifier: 'A',
  destinationName: 'FEDERAL RESERVE BANK',
  originName: 'MY BANK NAME',
  reference: '',
};

const batch = (changes: Partial<AchBatch['header']>, entries: readonly AchEntry[]): AchBatch => ({
  header: {
    serviceClass: '225',
    companyName: 'NAME ON ACCOUNT',
    discretionaryData: '',
    companyId: '121042882',
    sec: 'PPD',
    entryDescription: 'PAYMENT',
    descriptiveDate: '',
    effectiveEntryDate: parseDay('2019-06-25') ?? null,
    settlementDay: '',
    originatorStatus: '1',
    odfi: '12104288',
    batchNumber: 1,
    ...changes,
  },
  entries,
});

const entry = (changes: Partial<AchEntry>): AchEntry => ({
  transactionCode: '27',
  routingNumber: '231380104',
  accountNumber: '12345678',
  amountCents: cents(1),
  individualId: '',
  receiverName: 'RECEIVER',
  discretionaryData: '',
  addendaIndicator: changes.addenda?.length ? '1' : '0',
  trace: '121042880000001',
  addenda: [],
  ...changes,
});

const padded = (hash: number): string => String(hash).padStart(10, '0');

interface DebitVector {
  readonly id: string;
  readonly inputs: {
    readonly entries: readonly { readonly [Name in 'transactionCode' | 'rdfi' | 'account' | 'name' | 'trace']: string }[];
  };
  readonly expected: Readonly<Record<string, number | string>>;
}

interface MixedVector {
  readonly id: string;
  readonly inputs: {
    readonly batches: readonly {
      readonly serviceClass: string;
      readonly sec: string;
      readonly rdfi: readonly string[];
      readonly transactionCode: string;
      readonly amountCents: readonly number[];
    }[];
  };
  readonly expected: {
    readonly batchEntryHash: readonly string[];
    readonly batchCreditCents: readonly number[];
    readonly batchDebitCents: readonly number[];
  } & Readonly<Record<string, unknown>>;
}

interface ReturnVector {
  readonly id: string;
  readonly inputs: {
    readonly entries: readonly {
      readonly transactionCode: string;
      readonly rdfi: string;
      readonly amountCents: number;
      readonly returnCode: string;
    }[];
  };
  readonly expected: Readonly<Record<string, unknown>>;
}

const vectorNamed = (id: string): unknown =>
  vectorsOf<{ readonly id: string }>('identifiers-and-ach.json', 'achFile')?.find((each) => each.id === id);

test('the published vector of one debit has its counts, totals and hash', (t) => {
  const vector = vectorNamed('ach-ppd-debit') as DebitVector | undefined;
  if (vector === undefined) return void t.end(), t.comment(missing('domain', 'vectors'));
  const [each] = vector.inputs.entries;
  const one = entry({ amountCents: cents(10_000_000), accountNumber: each?.account ?? '', receiverName: each?.name ?? '' });
  const text = writeAch({ header: HEADER, batches: [batch({}, [one])] });
  const reading = readAch(text);
  t.equal(reading.control?.batchCount, vector.expected['fileBatchCount']);
  t.equal(reading.control?.blockCount, vector.expected['fileBlockCount']);
  t.equal(padded(reading.control?.entryHash ?? 0), vector.expected['fileEntryHash']);
  t.equal(reading.batches[0]?.control?.debitCents, vector.expected['batchDebitCents']);
  t.equal(reading.batches[0]?.control?.creditCents, vector.expected['batchCreditCents']);
  t.equal(reading.batches[0]?.control?.entryAddendaCount, vector.expected['batchEntryAddendaCount']);
  t.equal(text.trimEnd().split('\n').length, vector.expected['records']);
  t.equal(reading.fillerRecords, vector.expected['paddingRecords']);
  t.end();
});

test('the published vector of three batches has the totals of each and of the file', (t) => {
  const vector = vectorNamed('ach-web-mixed') as MixedVector | undefined;
  if (vector === undefined) return void t.end(), t.comment(missing('domain', 'vectors'));
  let trace = 121_042_880_000_000;
  const batches = vector.inputs.batches.map((given, at) =>
    batch(
      { serviceClass: given.serviceClass, sec: given.sec, batchNumber: at + 1 },
      given.rdfi.map((routingNumber, index) =>
        entry({
          routingNumber,
          transactionCode: given.transactionCode,
          amountCents: cents(given.amountCents[index] ?? 0),
          trace: String((trace += 1)),
        }),
      ),
    ),
  );
  const reading = readAch(writeAch({ header: HEADER, batches }));
  t.same(reading.errors, []);
  t.same(
    batches.map((each) => padded(batchControlOf(each).entryHash)),
    vector.expected.batchEntryHash,
  );
  t.same(
    batches.map((each) => batchControlOf(each).creditCents),
    vector.expected.batchCreditCents,
  );
  t.same(
    batches.map((each) => batchControlOf(each).debitCents),
    vector.expected.batchDebitCents,
  );
  t.equal(reading.control?.entryAddendaCount, vector.expected['fileEntryAddendaCount']);
  t.equal(padded(reading.control?.entryHash ?? 0), vector.expected['fileEntryHash']);
  t.equal(reading.control?.debitCents, vector.expected['fileDebitCents']);
  t.equal(reading.control?.creditCents, vector.expected['fileCreditCents']);
  t.equal(reading.control?.blockCount, vector.expected['fileBlockCount']);
  t.end();
});

test('the published vector of returns counts addenda, and keeps the direction of what came back', (t) => {
  const vector = vectorNamed('ach-return') as ReturnVector | undefined;
  if (vector === undefined) return void t.end(), t.comment(missing('domain', 'vectors'));
  const batches = vector.inputs.entries.map((given, at) => {
    const trace = `09140060000000${at + 1}`;
    const addenda = {
      type: 'return',
      code: given.returnCode,
      originalTrace: `12104288000000${at + 1}`,
      dateOfDeath: null,
      originalReceivingBank: '09140060',
      information: '',
      trace,
    } as const;
    const one = entry({
      transactionCode: given.transactionCode,
      routingNumber: given.rdfi,
      amountCents: cents(given.amountCents),
      trace,
      addenda: [addenda],
    });
    return batch({ serviceClass: '200', sec: 'WEB', batchNumber: at + 1 }, [one]);
  });
  const reading = readAch(writeAch({ header: HEADER, batches }));
  t.same(reading.errors, []);
  t.same(
    batches.map(({ entries }) => achTotalsOf(entries).entryAddendaCount),
    vector.expected['batchEntryAddendaCount'],
  );
  t.same(
    batches.map(({ entries }) => padded(achTotalsOf(entries).entryHash)),
    vector.expected['batchEntryHash'],
  );
  const control = fileControlOf(batches, 10);
  t.equal(control.entryAddendaCount, vector.expected['fileEntryAddendaCount']);
  t.equal(padded(control.entryHash), vector.expected['fileEntryHash']);
  t.equal(control.debitCents, vector.expected['fileDebitCents']);
  t.equal(control.creditCents, vector.expected['fileCreditCents']);
  t.end();
});

interface Sample {
  readonly file: string;
  readonly format: string;
  readonly errors?: readonly { readonly code: string; readonly line: number | null }[];
  readonly facts: {
    readonly layout: { readonly records: number; readonly fillerRecords: number };
    readonly debitCents: number;
    readonly creditCents: number;
    readonly entryCount: number;
    readonly entryHash: string;
    readonly batchCount: number;
    readonly batches: readonly { readonly entriesShown?: string; readonly entries: readonly SampleEntry[] }[];
    readonly returns?: readonly { readonly code: string; readonly originalTrace: string; readonly amountCents: number }[];
  };
}

interface SampleEntry {
  readonly line: number;
  readonly transactionCode: string;
  readonly routing: string;
  readonly account?: string;
  readonly amountCents: number | null;
  readonly trace: string;
}

const faultsOf = (faults: readonly { readonly code: string; readonly line: number | null }[]): readonly string[] =>
  faults.map(({ code, line }) => `${line ?? 'end'} ${code}`).sort();

test('files of other projects are read with the facts and the errors that a strict reader finds', (t) => {
  const index = sharedFile('data', 'files', 'index.json');
  if (index === undefined) return void t.end(), t.comment(missing('data', 'files'));
  const samples = (JSON.parse(readFileSync(index, 'utf8')) as readonly Sample[]).filter(({ format }) => format === 'nacha');
  t.equal(samples.length, 71);
  for (const { file, errors = [], facts } of samples) {
    const bytes = readFileSync(sharedFile('data', 'files', file) ?? '');
    const reading = readAch(bytes.toString('utf8'));
    // Characters behind the 94th, other than blanks, are an error here and only odd there.
    t.same(faultsOf(reading.errors.filter(({ code }) => code !== 'record-too-long')), faultsOf(errors), `${file}: errors`);
    const entries = reading.batches.flatMap((each) => each.entries);
    const totals = achTotalsOf(entries);
    t.match(
      {
        batches: reading.batches.length,
        entries: entries.length,
        debitCents: totals.debitCents,
        creditCents: totals.creditCents,
        hash: padded(totals.entryHash),
      },
      {
        batches: facts.batchCount,
        entries: facts.entryCount,
        debitCents: facts.debitCents,
        creditCents: facts.creditCents,
        hash: facts.entryHash,
      },
      `${file}: sums`,
    );
    for (const wanted of facts.batches.flatMap((each) => each.entries)) {
      const found = entries.find(({ line }) => line === wanted.line);
      t.match(
        found,
        { transactionCode: wanted.transactionCode, routingNumber: wanted.routing, trace: wanted.trace },
        `${file}: entry of line ${wanted.line}`,
      );
      if (wanted.amountCents !== null) t.equal(found?.amountCents, wanted.amountCents);
      if (wanted.account !== undefined) t.equal(found?.accountNumber, wanted.account);
    }
    const returns = entries.flatMap(({ addenda, amountCents }) =>
      addenda.flatMap((each) =>
        'originalTrace' in each && each.code.startsWith('R') ? [{ code: each.code, originalTrace: each.originalTrace, amountCents }] : [],
      ),
    );
    for (const wanted of facts.returns ?? [])
      t.ok(
        returns.some(
          (each) => each.code === wanted.code && each.originalTrace === wanted.originalTrace && each.amountCents === wanted.amountCents,
        ),
        `${file}: return ${wanted.code}`,
      );
    if (errors.length === 0) t.ok(isUsable(reading), `${file} is usable`);
  }
  t.end();
});

const ROUTING = ['231380104', '121042882', '081000210', '021000021', '076401251'];

function randomFile(random: (below: number) => number): { readonly header: FileHeader; readonly batches: readonly AchBatch[] } {
  const anyText = (longest: number): string =>
    Array.from({ length: random(longest + 1) }, () => String.fromCharCode(33 + random(94))).join('');
  let trace = 121_042_880_000_000;
  const batches = Array.from({ length: 1 + random(4) }, (_, at) => {
    const isDebit = random(2) === 0;
    const entries = Array.from({ length: 1 + random(25) }, () => {
      trace += 1 + random(9);
      const hasAddenda = random(4) === 0;
      return entry({
        transactionCode: isDebit ? (['27', '37'][random(2)] ?? '27') : (['22', '32'][random(2)] ?? '22'),
        routingNumber: ROUTING[random(ROUTING.length)] ?? '',
        accountNumber: anyText(16) || '1',
        amountCents: cents(random(2) === 0 ? random(10_000_000_000) : random(1000)),
        individualId: anyText(15),
        receiverName: anyText(22) || 'X',
        discretionaryData: anyText(2),
        trace: String(trace),
        addendaIndicator: hasAddenda ? '1' : '0',
        addenda: hasAddenda ? [{ type: 'information', information: anyText(80), sequence: 1, entryTrace: String(trace).slice(-7) }] : [],
      });
    });
    return batch({ serviceClass: isDebit ? '225' : '220', batchNumber: at + 1, entryDescription: anyText(10) || 'PAYMENT' }, entries);
  });
  return { header: { ...HEADER, originName: anyText(23), reference: anyText(8) }, batches };
}

test('what is written is read back equal, with right totals, and every change of a digit is noticed', (t) => {
  const source = new Random(SEED);
  const random = (below: number): number => source.below(below);
  for (let round = 0; round < 300; round += 1) {
    const file = randomFile(random);
    const text = writeAch(file);
    const lines = text.trimEnd().split('\n');
    const reading = readAch(text);
    const isRight =
      lines.length % 10 === 0 &&
      lines.every((line) => line.length === 94) &&
      reading.errors.length === 0 &&
      isDeepStrictEqual(achFileOf(reading), file);
    if (!isRight) t.same(achFileOf(reading), file, `round ${round}: ${JSON.stringify(reading.errors)}`);
    // One digit of an amount or of a receiving bank changes on the way.
    const entryLines = lines.flatMap((line, at) => (line.startsWith('6') ? [at] : []));
    const at = entryLines[random(entryLines.length)] ?? 0;
    const position = random(2) === 0 ? 29 + random(10) : 3 + random(8);
    const line = lines[at] ?? '';
    const changed = line.slice(0, position) + String((Number(line[position]) + 1 + random(8)) % 10) + line.slice(position + 1);
    const errors = readAch(lines.with(at, changed).join('\n')).errors.map(({ code }) => code);
    if (errors.length === 0) t.fail(`round ${round}: a changed digit at ${position} of line ${at + 1} was not noticed`);
    // The same file without line ends, and with Windows line ends, is the same file.
    for (const ends of ['', '\r\n'])
      if (!isDeepStrictEqual(achFileOf(readAch(lines.join(ends))), file)) t.fail(`line ends of round ${round}`);
  }
  t.end();
});

test('an entry that a bank would refuse is not written', (t) => {
  const write = (changes: Partial<AchEntry>) => (): string => writeAch({ header: HEADER, batches: [batch({}, [entry(changes)])] });
  t.throws(write({ accountNumber: '123456789012345678' }), /accountNumber has at most 17/);
  t.throws(write({ amountCents: cents(10_000_000_000) }), /amountCents has at most 10 digits/);
  t.throws(write({ receiverName: 'JOSÉ' }), /receiverName/);
  const twice = entry({ trace: '121042880000002' });
  t.throws(() => writeAch({ header: HEADER, batches: [batch({}, [twice, twice])] }), /traces of a batch ascend/);
  t.end();
});

test('a long file is read in short steps, and many addenda of one entry in the time of their number', (t) => {
  const lines = [
    '101 231380104 1210428821906240000A094101FEDERAL RESERVE BANK   MY BANK NAME',
    '5225NAME ON ACCOUNT                     121042882 PPDPAYMENT         190625   1121042880000001',
    '62723138010412345678         0000010500c-1            Bachman Eric            1121042880000001',
    ...Array.from({ length: 60_000 }, () => '705NOTE'.padEnd(94)),
  ].map((line) => line.padEnd(94));
  const before = process.cpuUsage();
  const steps = readAchInSteps(lines.join('\n'));
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  t.ok(process.cpuUsage(before).user < 5_000_000, 'in seconds');
  t.ok(count > 100, `${count} steps`);
  t.equal(step.value.batches[0]?.entries[0]?.addenda.length, 60_000);
  t.strictSame(step.value, readAch(lines.join('\r\n')));
  t.end();
});
