import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { SimulatedBank } from '../../bench/bank/simulated-bank.js';
import { achTotalsOf, cents, must, parseDay, readAch, writeAch } from '../../engine/index.js';

const day = (text: string) => must(parseDay(text), text);

const FILE = writeAch({
  header: {
    priority: '01',
    immediateDestination: '021000021',
    immediateOrigin: '1234567890',
    creationDate: day('2026-03-02'),
    creationTime: '1600',
    fileIdModifier: 'A',
    recordSize: '094',
    blockingFactor: '10',
    formatCode: '1',
    destinationName: 'BANK',
    originName: 'LENDER',
    reference: '',
  },
  batches: [
    {
      header: {
        serviceClass: '225',
        companyName: 'LENDER',
        discretionaryData: '',
        companyId: '1234567890',
        sec: 'PPD',
        entryDescription: 'LOAN PMT',
        descriptiveDate: '',
        effectiveEntryDate: day('2026-03-03'),
        settlementDay: '',
        originatorStatus: '1',
        odfi: '02100002',
        batchNumber: 1,
      },
      entries: Array.from({ length: 100 }, (_, at) => ({
        transactionCode: '27',
        routingNumber: '076401251',
        accountNumber: '123456',
        amountCents: cents(100),
        individualId: `TX-${at}`,
        receiverName: 'BORROWER',
        discretionaryData: '',
        addendaIndicator: '0',
        trace: `02100002${String(at + 1).padStart(7, '0')}`,
        addenda: [],
      })),
    },
  ],
});

test('the simulated bank confirms a file, settles it on its day, and returns a share of it two banking days later', (t) => {
  const folder = t.testdir({ out: {}, in: {} });
  const options = { folder, seed: 7, shares: new Map([['R01', 0.25]]), losing: 0, repeating: 1 };
  writeFileSync(join(folder, 'out', 'ACH_1.ach'), FILE);
  const bank = new SimulatedBank(options);
  t.match(bank.run(day('2026-03-02')), { taken: ['ACH_1.ach'], returned: 0 });
  t.equal(readFileSync(join(folder, 'in', 'CONF_ACH_1_0.txt'), 'utf8'), 'ACH_1.ach ACCEPTED\n');
  t.equal(bank.balanceCents, 0);
  bank.run(day('2026-03-03'));
  t.equal(bank.balanceCents, 10_000);
  const again = new SimulatedBank(options); // its ledger is in the folder
  const { returned } = again.run(day('2026-03-05'));
  t.ok(returned > 10 && returned < 45, `${returned} of 100 entries`);
  t.equal(again.balanceCents, 10_000 - returned * 100);
  const answers = readdirSync(join(folder, 'in')).filter((name) => name.startsWith('RET_'));
  t.equal(answers.length, 2, 'the file of returns arrives twice');
  const reading = readAch(readFileSync(join(folder, 'in', answers[0] ?? ''), 'latin1'));
  t.same(reading.errors, []);
  t.equal(achTotalsOf(reading.batches.flatMap(({ entries }) => entries)).debitCents, returned * 100);
  writeFileSync(join(folder, 'out', 'ACH_1.ach'), FILE);
  again.run(day('2026-03-06'));
  t.equal(again.entries.length, 100, 'the same bytes again are confirmed and change nothing');
  t.end();
});

test('the simulated bank loses a file once, and rejects one that it cannot read', (t) => {
  const folder = t.testdir({});
  mkdirSync(join(folder, 'out'));
  const bank = new SimulatedBank({ folder, seed: 1, shares: new Map(), losing: 1, repeating: 0 });
  writeFileSync(join(folder, 'out', 'ACH_1.ach'), FILE);
  t.match(bank.run(day('2026-03-02')), { lost: ['ACH_1.ach'], taken: [] });
  t.notOk(bank.has('ACH_1.ach'));
  writeFileSync(join(folder, 'out', 'ACH_1.ach'), FILE);
  t.match(bank.run(day('2026-03-02')), { taken: ['ACH_1.ach'] });
  const honest = new SimulatedBank({
    folder: t.testdir({ out: { 'ACH_2.ach': FILE.replace('0000000100', '0000000101') } }),
    seed: 1,
    shares: new Map(),
    losing: 0,
    repeating: 0,
  });
  t.match(honest.run(day('2026-03-02')), { rejected: ['ACH_2.ach'] });
  t.end();
});
