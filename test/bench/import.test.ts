import { readFile } from 'node:fs/promises';
import { test } from 'tap';
import { MappingError, readMapping } from '../../bench/index.js';
import { missing, sharedFile } from '../shared.js';
import { csv, EXAMPLE_MAPPING, openImport, rowOf } from './import-setting.js';

const FILE = ['data', 'lending-club-2018-01-02.csv'];
const file = sharedFile(...FILE);

/** The loans that their lender modified after the installment was set. */
const MODIFIED = [
  { loan: 'LC01548', figure: 'installment', ours: '243.38', theirs: '243.35' },
  { loan: 'LC09687', figure: 'installment', ours: '730.13', theirs: '733.34' },
];

/** The whole file with TENOR_LONG, else every twentieth row and the two that differ. */
const isWhole = process.env['TENOR_LONG'] !== undefined;

test('a lender’s file is booked, and the installments that differ are named', { skip: file ? false : missing(...FILE) }, async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const [header = '', ...all] = (await readFile(file ?? '', 'utf8')).trimEnd().split('\n');
  const rows = all.filter((row, index) => isWhole || index % 20 === 0 || MODIFIED.some(({ loan }) => row.startsWith(loan)));
  const summary = await run(await write('loans.csv', [header, ...rows, ''].join('\n')));
  t.match(summary, { rows: rows.length, booked: rows.length, alreadyBooked: 0, refused: 0, errorsFile: null, isComplete: true });
  t.match(summary.reconciliation, [{ figure: 'installment', compared: rows.length, matched: rows.length - 2 }]);
  t.same(summary.reconciliation[0]?.differences, MODIFIED);
  const status = h.engine.world.catalog.list(tenant, 'loan', { limit: 100_000, matches: (row) => row.fields['status'] === 'active' });
  t.equal(status.total, rows.length, 'all of them are active');
});

test('a bad row is reported with every fault and stops no other', async (t) => {
  const { run, write, errorsFile } = await openImport(t);
  const bad = [
    rowOf('L-2', { loan_amount: 'much', term: '0', state: '' }),
    rowOf('L-3', { loan_amount: '-5', interest_rate: '5.1234567890123' }),
    `${rowOf('L-4')},surplus`,
    rowOf('L-1'),
    rowOf('', {}),
    rowOf('L-6', { issue_month: '2018-13' }),
    rowOf('L-7', { issue_month: '2019-01' }),
  ];
  const summary = await run(await write('loans.csv', csv(rowOf('L-1'), ...bad, rowOf('L-9'))));
  t.match(summary, { rows: 9, booked: 2, refused: 7, errorsFile });
  const lines = (await readFile(errorsFile, 'utf8')).trimEnd().split('\n');
  t.equal(lines[0], 'line,id,path,message,expected');
  const faults = lines
    .slice(1)
    .map((line) => line.split(',').slice(0, 3).join(','))
    .sort();
  t.same(faults, [
    '3,L-2,loan.atOrigination.amountFinanced',
    '3,L-2,loan.atOrigination.duration',
    '4,L-3,loan.atOrigination.amountFinanced',
    '4,L-3,loan.atOrigination.interestRates[0].rate',
    '5,,row',
    '6,L-1,loan.externalId',
    '7,,loan.externalId',
    '7,,person.externalId',
    '7,,person.name.lastName',
    '8,L-6,activation.activationDate',
    '9,L-7,activationDate',
  ]);
});

test('a second run books what is missing and nothing twice', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const rows = Array.from({ length: 40 }, (_, index) => rowOf(`L-${index}`));
  await run(await write('part.csv', csv(...rows.slice(0, 25))), { activates: false });
  t.match(
    await run(await write('loans.csv', csv(...rows.slice(0, 30)))),
    { booked: 30, alreadyBooked: 0 },
    'what was created is activated',
  );
  t.match(await run(await write('loans.csv', csv(...rows))), { booked: 10, alreadyBooked: 30 });
  t.equal(h.engine.world.catalog.count(tenant, 'loan'), 40);
  t.equal(h.engine.world.catalog.count(tenant, 'person'), 40);
});

test('an import that is stopped finishes the rows under way and continues when it runs again', async (t) => {
  const { run, write } = await openImport(t);
  const path = await write('loans.csv', csv(...Array.from({ length: 300 }, (_, index) => rowOf(`L-${index}`))));
  const stop = new AbortController();
  const first = await run(path, {
    stop: stop.signal,
    progress: { update: (_bytes, rows) => (rows >= 20 ? stop.abort() : undefined), stop: () => undefined },
  });
  t.equal(first.isComplete, false);
  t.ok(first.booked < 300);
  const second = await run(path);
  t.match(second, { isComplete: true, alreadyBooked: first.booked, booked: 300 - first.booked });
});

test('several loans of one borrower share it', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const shared = { ...mapping, person: { ...mapping.person, externalId: { $column: 'loan_purpose' } } };
  await run(await write('loans.csv', csv(rowOf('L-1'), rowOf('L-2'), rowOf('L-3', { loan_purpose: 'boat' }))), { mapping: shared });
  t.equal(h.engine.world.catalog.count(tenant, 'person'), 2);
});

test('without a day of booking, loans of the past are replayed up to today', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  t.match(await run(await write('loans.csv', csv(rowOf('L-1', { issue_month: '2026-01' }))), { asOf: null }), { booked: 1 });
  const id = h.engine.locate(tenant, 'loan', 'ext-L-1');
  t.match(await h.query('loan.get', id), { current: { isOverdue: true, daysOverdue: 15 } });
});

test('all faults of a mapping are reported', async (t) => {
  const { run, write } = await openImport(t);
  const path = await write('loans.csv', csv(rowOf('L-1')));
  t.same(await faultyPaths(readMapping(await write('empty.json', '{"loans": 1}'))), ['loan', 'loanType', 'loans', 'name', 'person']);
  t.same(await faultyPaths(readMapping(await write('text.json', 'nothing'))), ['(file)']);
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const wrong = { ...mapping, person: { externalId: { $column: 'nobody' } }, loan: { note: { $text: '{nothing}', as: 'money' } } };
  t.same(await faultyPaths(run(path, { mapping: wrong })), ['loan.externalId', 'loan.note.as', 'person.externalId']);
});

async function faultyPaths(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof MappingError) return cause.faults.map(({ path }) => path).sort();
    throw cause;
  }
  return [];
}

test('an import into a test mode on another day is refused', async (t) => {
  const { run, write } = await openImport(t);
  const path = await write('loans.csv', csv(rowOf('L-1')));
  await run(path);
  await t.rejects(run(path, { asOf: '2018-03-01' }), /stands at 2018-02-15/);
  await t.rejects(run(path, { asOf: '2018-02-30' }), /no date/);
});
