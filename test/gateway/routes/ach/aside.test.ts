import { join } from 'node:path';
import { type Test, test } from 'tap';
import { AchRunner, type BankAccess, type CommandRequest } from '../../../../actors/index.js';
import { refuse } from '../../../../actors/errors.js';
import { type FoundEntry, must } from '../../../../engine/index.js';
import { ContentStore } from '../../../../gateway/documents/content-store.js';
import { FILE_PGP } from '../../../../gateway/pgp/pgp.js';
import { FolderBlobs } from '../../../../persistence/index.js';
import { dataOf, listOf } from '../http-lender.js';
import { type AchOverHttp, bankFile, bankSftpOf, type Data, openAch } from './ach-over-http.js';

const UNCONFIRMED = { sftpAchConfirmationFileNameRegex: null };

const differencesOf = async ({ ask }: AchOverHttp): Promise<readonly Data[]> =>
  listOf(await ask('GET', '/reconciliations')).flatMap(({ items }) => items as readonly Data[]);

interface Broken {
  settled(): Promise<void>;
  readonly reports: readonly string[];
  /** Commands that a bug of the service fails. */
  breaks: (command: CommandRequest) => boolean;
}

/** The runner of the service, with commands that a bug fails. */
async function broken(t: Test, { h }: AchOverHttp, breaks: Broken['breaks']): Promise<Broken> {
  await h.ach.close();
  const reports: string[] = [];
  const found: Broken = { settled: () => runner.settled(), reports, breaks };
  const runner = new AchRunner({
    engine: h.engine,
    asked: {
      async execute(command: CommandRequest) {
        if (found.breaks(command)) throw new TypeError('a bug');
        return h.engine.execute(command);
      },
      query: (request) => h.engine.query(request),
    },
    contents: new ContentStore(new FolderBlobs(join(h.folder, 'documents'))),
    pgp: FILE_PGP,
    banks: bankSftpOf(h),
    report: (message) => reports.push(message),
  });
  t.teardown(() => runner.close());
  return found;
}

const filesIn = async ({ ask }: AchOverHttp, query: string): Promise<readonly Data[]> => listOf(await ask('GET', `/ach-files?${query}`));

const entriesOf = ({ read, names }: AchOverHttp): readonly FoundEntry[] => read(must(names()[0], 'a file')).batches[0]?.entries ?? [];

const entryOf = (lender: AchOverHttp, id: string): FoundEntry =>
  must(
    entriesOf(lender).find(({ individualId }) => individualId === id),
    id,
  );

test('a file that cannot be processed lets those behind it go on, stands aside, and is processed when a user orders it', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, transaction, read, names, give, ask } = lender;
  const [first, second, third] = [await pay(20), await pay(30), await pay(40)];
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  await goTo('2026-03-05');
  const both = [first, third].map((id) => ({ entry: entryOf(lender, id), code: 'R01' }));
  give('RET_1.ach', bankFile(file, both));
  give('RET_2.ach', bankFile(file, [{ entry: entryOf(lender, second), code: 'R01' }]));
  const service = await broken(t, lender, ({ type, params }) => type === 'transaction.return' && params['transactionId'] === first);
  await service.settled();
  t.match(await transaction(second), { status: 'failed' }, 'the file behind it is taken');
  t.match(await transaction(third), { status: 'failed' }, 'and the entry behind the one that fails');
  t.match(await filesIn(lender, 'direction=return&status=created'), [
    { fileName: 'RET_1.ach', failureDescription: 'The service has failed; its log has the cause.' },
  ]);
  t.match(await differencesOf(lender), [], 'it is tried again');
  await service.settled();
  await service.settled();
  const tries = service.reports.length;
  const [aside, ...others] = await filesIn(lender, 'direction=return&status=failed');
  t.match(aside, { fileName: 'RET_1.ach' });
  t.equal(others.length, 0);
  t.strictSame([tries, service.reports.at(-1)], [3, 'a file of a bank cannot be processed, and stands aside']);
  await service.settled();
  t.equal(service.reports.length, tries, 'nobody tries it again');
  const found = await differencesOf(lender);
  t.match(found, [{ kind: 'missingInLedger', achFileId: aside?.['id'], transactionId: null }]);
  t.equal(found.length, 1);
  t.match(await transaction(first), { status: 'pending' });

  // Weeks later the bug is mended. R01 came in time, on the day of its file.
  await goTo('2026-03-30');
  const path = `/ach-files/${String(aside?.['id'])}`;
  t.match(dataOf(await ask('POST', `${path}/retry`)), { status: 'created', fileName: 'RET_1.ach' });
  t.match(await ask('POST', `${path}/retry`), { status: 409 });
  service.breaks = () => false;
  await service.settled();
  t.match(await transaction(first), { status: 'failed', achReturnCode: 'R01', paidPrincipalAmount: 0 });
  t.match(dataOf(await ask('GET', path)), { status: 'confirmed', failureDescription: null, entryCount: 2, debitTotalAmount: 60 });
  t.equal((await differencesOf(lender)).length, 1, 'it is not late');
  t.match(await ask('POST', `${path}/retry`), { status: 409 });
  const [outgoing] = await filesIn(lender, 'direction=outgoing');
  t.match(await ask('POST', `/ach-files/${String(outgoing?.['id'])}/retry`), { status: 409 });
  t.match(await ask('POST', '/ach-files/AF-AAAA-AAAA/retry'), { status: 404 });
});

test('what is not available for a while is no fault of a file: the others go on, and nobody counts the tries', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, transaction, read, names, give } = lender;
  const [first, second] = [await pay(20), await pay(30)];
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry: entryOf(lender, first), code: 'R01' }]));
  give('RET_2.ach', bankFile(file, [{ entry: entryOf(lender, second), code: 'R01' }]));
  const service = await broken(t, lender, ({ type, params }) => {
    if (type === 'transaction.return' && params['transactionId'] === first) refuse('unavailable', 'The shard moves.');
    return false;
  });
  for (let tries = 0; tries < 5; tries += 1) await service.settled();
  t.match(await transaction(second), { status: 'failed' });
  t.match(await filesIn(lender, 'direction=return&status=created'), [{ fileName: 'RET_1.ach', failureDescription: null }]);
  t.strictSame(new Set(service.reports), new Set(['files of a payment processor are waiting']));
  service.breaks = () => false;
  await service.settled();
  t.match(await transaction(first), { status: 'failed' });
  t.equal((await differencesOf(lender)).length, 0);
});

test('a request that meets a bug of the service counts as a try', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, read, names, give } = lender;
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  give('RET_1.ach', bankFile(file, [{ entry: entryOf(lender, id), code: 'R01' }]));
  const service = await broken(t, lender, ({ type }) => type === 'transaction.return' && refuse('internalError', 'The service failed.'));
  for (let tries = 0; tries < 3; tries += 1) await service.settled();
  t.match(await filesIn(lender, 'direction=return'), [{ status: 'failed', failureDescription: /its log has the cause/ }]);
});

test('a correction in a file that was processed late does not undo that of a file that came after it', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, read, names, give, ask, instrumentId } = lender;
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = entryOf(lender, id);
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry, code: 'C01', data: '1111222233' }]));
  const service = await broken(t, lender, ({ type }) => type === 'paymentInstrument.correct');
  for (let tries = 0; tries < 3; tries += 1) await service.settled();
  service.breaks = () => false;
  await goTo('2026-03-06');
  give(
    'RET_2.ach',
    bankFile(file, [
      { entry, code: 'C05', data: '27' },
      { entry, code: 'C01', data: '4444555566' },
    ]),
  );
  await service.settled();
  const account = async (): Promise<unknown> => dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`));
  t.match(await account(), { accountNumberLastFour: '5566' });
  const [aside] = await filesIn(lender, 'direction=return&status=failed');
  await ask('POST', `/ach-files/${String(aside?.['id'])}/retry`);
  await service.settled();
  t.match(await account(), { accountNumberLastFour: '5566' }, 'the newest correction stays');
  t.match(
    (await differencesOf(lender)).filter(({ description }) => /C01 was not recorded/.test(String(description))),
    [{ kind: 'missingInLedger', transactionId: id }],
  );
});

test('a confirmation that cannot be processed has nobody send its files again', async (t) => {
  const lender = await openAch(t);
  const { pay, settled, goTo, names, give, ask } = lender;
  await pay(20);
  await goTo('2026-03-03');
  await settled();
  give('CONF_1.txt', `${must(names()[0], 'a file')} ACCEPTED\n`);
  const service = await broken(t, lender, ({ type }) => type === 'achFile.confirmed');
  for (let tries = 0; tries < 3; tries += 1) await service.settled();
  await goTo('2026-03-06');
  await service.settled();
  t.match(await filesIn(lender, 'direction=outgoing'), [{ status: 'uploaded', failureDescription: null }]);
  const [aside] = await filesIn(lender, 'direction=confirmation&status=failed');
  await ask('POST', `/ach-files/${String(aside?.['id'])}/retry`);
  service.breaks = () => false;
  await service.settled();
  t.match(await filesIn(lender, 'direction=outgoing'), [{ status: 'confirmed' }]);
});

test('a file in the inbox that is too large is a difference of the day, once, and no more of it is fetched', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { settled, goTo, give, h, company, processorId } = lender;
  await goTo('2026-03-03');
  give('RET_1.ach', Buffer.alloc(33 * 1024 * 1024, '9'));
  await settled();
  await settled();
  t.strictSame(await filesIn(lender, 'direction=return'), []);
  t.match(await differencesOf(lender), [{ kind: 'missingInLedger', description: /^The file RET_1\.ach has 34603008 bytes/ }]);
  const asked = { params: { paymentProcessorId: processorId } };
  const access = (await h.query('paymentProcessor.access', company, {}, asked)) as unknown as BankAccess;
  await t.rejects(bankSftpOf(h).get(access, 'RET_1.ach', 1_000), { name: 'OutsideFault', message: /^The file has more than 1000 bytes/ });
});
