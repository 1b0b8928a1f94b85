import { test } from 'tap';
import { SHARED_SHARD } from '../../../../actors/index.js';
import { tenorHere } from '../../../bench/tenor-here.js';
import { dataOf, idOf, listOf, openHttpLender, signedDocument } from '../http-lender.js';
import { ACCOUNT_OF_INVESTOR } from '../parties/settled-lender.js';
import { type Data, openDays, worksOf } from './days-over-http.js';

test('a day shows all automatic work that was due on it, with its time, objects and counts', async (t) => {
  const { ask, company, at, day, pay, instrumentId, loan, h, investorId, tapeId, agencyId, processorId, late } = await openDays(t);
  const plan = { paymentInstrumentId: instrumentId, agreementDocumentId: await signedDocument(ask, loan) };
  t.equal((await ask('POST', `${loan}/autopay`, plan)).status, 200);
  t.match(await day(), { loanTape: undefined, achFile: { state: 'waiting', subjectId: processorId, dueAt: '2026-03-02T21:00:00.000Z' } });
  await pay(100);
  await at('2026-03-02T22:00:00Z');
  t.match(await day('2026-03-02'), { achFile: { state: 'done', counts: { entries: 1 }, isLate: false, objectIds: [/^AF-/] } });
  await at('2026-03-03T17:00:00Z');
  const works = await day();
  t.match(works, {
    dayClose: {
      state: 'done',
      forDate: '2026-03-02',
      dueAt: '2026-03-03T05:00:00.000Z',
      operationId: /^[0-9a-f]{32}$/,
      pausedBy: 'operation',
    },
    loanTape: { state: 'done', subjectId: tapeId, dueAt: '2026-03-03T11:00:00.000Z', counts: { rows: 2 }, objectIds: [/^TF-/] },
    settlement: { state: 'done', subjectId: investorId, counts: { transactions: 0 }, objectIds: [/^SE-/] },
    creditFile: { state: 'done', subjectId: agencyId, objectIds: [/^CF-/], endedAt: /^2026-03-03/ },
    achFile: { state: 'waiting', dueAt: '2026-03-03T21:00:00.000Z' },
    achInbox: { state: 'running', isLate: false },
  });
  await at('2026-03-03T22:00:00Z');
  t.match(await day(), { achFile: { state: 'nothingDue', counts: {}, objectIds: [] } });
  await at('2026-03-04T17:00:00Z');
  t.match(await day('2026-03-03'), { achInbox: { state: 'done', endedAt: '2026-03-04T05:00:00.000Z', counts: { files: 0, failed: 0 } } });
  t.same(await late(), []);

  t.equal((await ask('DELETE', `/companies/${company}/loan-tapes/${tapeId}`)).status, 204);
  t.equal((await ask('PUT', `/companies/${company}/investors/${investorId}`, { settlementFrequency: null })).status, 200);
  await h.dayWork.run();
  t.match(
    await day('2026-03-03'),
    { loanTape: { state: 'done', subjectId: tapeId }, settlement: { state: 'done' } },
    'a day that is over stays',
  );
  const before = dataOf(await ask('GET', '/operations/daily?fromDate=2026-03-01&toDate=2026-03-04'));
  await h.restart();
  h.deliver();
  await h.dayWork.run();
  t.match(await h.query('operation.daily', null, { fromDate: '2026-03-01', toDate: '2026-03-04' }), before);
});

test('a query of the calendar changes nothing, and is of 31 days at most that have begun', async (t) => {
  const { ask, h } = await openDays(t);
  const events = async (): Promise<number> => listOf(await ask('GET', '/events?limit=100')).length;
  const count = await events();
  t.match(await ask('GET', '/operations/daily?fromDate=2026-01-31&toDate=2026-03-02'), { status: 200 });
  t.equal(await events(), count);
  for (const query of [
    'date=2026-03-03',
    'fromDate=2026-01-30&toDate=2026-03-02',
    'date=2026-03-02&toDate=2026-03-02',
    'date=yesterday',
    'fromDate=2026-03-02&toDate=2026-03-01',
  ])
    t.match(await ask('GET', `/operations/daily?${query}`), { status: 400, json: { errors: [{}] } }, query);
  t.equal(h.lateWork.size, 0);
});

test('a file that cannot reach the bank fails, is late once, and is done when it was sent again', async (t) => {
  const { ask, at, day, pay, server, late, look, h, processorId } = await openDays(t);
  const closed = `127.0.0.1:1`;
  const changed = await ask('PUT', `/payment-processors/${processorId}?skipConnectionTest=true`, { sftpHostname: closed });
  t.equal(changed.status, 200, changed.text);
  await pay(100);
  await at('2026-03-02T22:00:00Z');
  t.match(await day(), {
    achFile: { state: 'running', isLate: true, lateSince: '2026-03-02T21:30:00.000Z', error: /could not be reached/ },
  });
  await at('2026-03-02T22:16:00Z');
  await at('2026-03-02T22:32:00Z');
  t.match(await day(), { achFile: { state: 'failed', isLate: true, error: /could not be reached/, objectIds: [/^AF-/] } });
  t.equal(h.lateWork.get('achFile test'), 1);
  await look();
  t.match(
    (await late()).filter(({ work }) => work === 'achFile'),
    [{ date: '2026-03-02', work: 'achFile', subjectId: processorId, lateSince: '2026-03-02T21:30:00.000Z', objectIds: [/^AF-/] }],
  );
  t.equal(h.reports.filter((report) => report.startsWith('automatic work is late') && report.includes('"achFile"')).length, 1);

  const { achFile } = await day();
  const [fileId] = achFile?.['objectIds'] as readonly string[];
  await ask('PUT', `/payment-processors/${processorId}?skipConnectionTest=true`, { sftpHostname: `127.0.0.1:${server.port}` });
  t.match(await ask('POST', `/ach-files/${String(fileId)}/resend`), { status: 200 });
  await at('2026-03-02T23:00:00Z');
  t.match(await day(), { achFile: { state: 'done', isLate: false, lateSince: '2026-03-02T21:30:00.000Z' } });
  t.equal(h.lateWork.get('achFile test'), undefined);
  t.equal((await late()).filter(({ work }) => work === 'achFile').length, 1);
});

const ONE_PROCESS = { skip: process.env['TENOR_TEST_CLUSTER'] === '1' && 'the closing is met between two steps of one process' };

test('a close that is paused shows it, and is late while it is not resumed', ONE_PROCESS, async (t) => {
  const { ask, h, company, look, day, late, created } = await openDays(t);
  for (let at = 0; at < 3; at += 1) await ask('POST', `${await created()}/activate`, {});
  h.nowMs = Date.parse('2026-03-15T17:00:00Z');
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  await look();
  h.nowMs = Date.parse('2026-03-16T05:00:00Z');
  const tenant = { company, mode: 'test' } as const;
  const pausing: Promise<unknown>[] = [];
  const operationId = (): string => h.engine.world.massWorks.closingOf(tenant, 'America/New_York')?.operationId ?? '';
  const closing = h.engine.sweeper.advance(tenant, h.nowMs, (at) => {
    // At once behind the fact of the closing, before its first loan.
    if (at === Date.parse('2026-03-16T04:00:00Z'))
      queueMicrotask(() => void pausing.push(h.command('operation.pause', company, {}, { params: { operationId: operationId() } })));
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all(pausing);
  h.nowMs += 2 * 3_600_000;
  await look();
  t.match(await day(), { dayClose: { forDate: '2026-03-15', state: 'paused', isLate: true, error: /paused/ } });
  t.match(
    (await late()).filter(({ date, work }) => work === 'dayClose' && date === '2026-03-16'),
    [{ status: 'paused' }],
  );
  t.equal((await ask('POST', `/operations/${operationId()}/resume`)).status, 200);
  await closing;
  await h.engine.settled();
  await look();
  t.match(await day(), { dayClose: { state: 'done', isLate: false } });
});

test('a loan tape that is paused is due all the same, and a missed one is skipped with its reason', async (t) => {
  const { ask, at, day, company, tapeId } = await openDays(t);
  const tape = `/companies/${company}/loan-tapes/${tapeId}`;
  t.equal((await ask('PUT', tape, { status: 'paused' })).status, 200);
  await at('2026-03-03T17:00:00Z');
  t.match(await day(), { loanTape: { state: 'paused', isLate: true, pausedBy: 'status', error: 'The loan tape is paused.' } });
  await ask('PUT', tape, { status: 'active' });
  await at('2026-03-05T17:00:00Z');
  t.match(await day(), { loanTape: { state: 'done', forDate: '2026-03-05' } });
  t.match(await day('2026-03-04'), { loanTape: { state: 'skipped', isLate: false, error: /A later file was made/ } });
  t.match(await day('2026-03-03'), { loanTape: { state: 'skipped', lateSince: /^2026-03-03T12/ } });
});

test('a scheduled settlement waits while the account of the investor is missing or unclear, is late, and is made up for', async (t) => {
  const { ask, at, day, late, company, investorId } = await openDays(t);
  const instruments = `/companies/${company}/investors/${investorId}/settlement-instruments`;
  const more = idOf(await ask('POST', instruments, { ...ACCOUNT_OF_INVESTOR, accountNumber: '1122334455', isExternal: true }));
  await at('2026-03-03T06:00:00Z');
  const several = { state: 'waiting', error: /several active settlement instruments/ };
  t.match(await day(), { settlement: { ...several, isLate: false, objectIds: [] } });
  await at('2026-03-03T17:00:00Z');
  t.match(await day(), { settlement: { ...several, isLate: true } });
  t.match(
    (await late()).filter(({ work }) => work === 'settlement'),
    [{ work: 'settlement', date: '2026-03-03', subjectId: investorId, error: several.error }],
  );
  for (const { id } of listOf(await ask('GET', instruments))) if (id !== more) await ask('DELETE', `${instruments}/${String(id)}`);
  await at('2026-03-03T18:00:00Z');
  t.match(await day(), { settlement: { state: 'done', isLate: false, objectIds: [/^SE-/], error: null } });
  await ask('DELETE', `${instruments}/${more}`);
  await at('2026-03-04T17:00:00Z');
  t.match(await day(), { settlement: { state: 'waiting', isLate: true, error: /has no active settlement instrument/ } });
  const { accountNumber: _same, ...account } = ACCOUNT_OF_INVESTOR;
  t.equal((await ask('POST', `${instruments}?force=true`, { ...account, accountNumber: '5566778899', verified: true })).status, 201);
  await at('2026-03-05T17:00:00Z');
  t.match(await day(), { settlement: { state: 'waiting', isLate: true, error: /No processor transfers money/ } });
});

test('nobody sees the work of another mode or company', async (t) => {
  const { ask, at, keys, h, day } = await openDays(t);
  await at('2026-03-03T17:00:00Z');
  const live = await ask('GET', '/operations/daily', undefined, { key: keys.live });
  t.match(live, { status: 200 });
  t.notMatch(live.text, /TA-|AF-|SE-|CF-|PX-/);
  t.notOk(worksOf(dataOf(live))['loanTape']);
  const second = h.engine.world.ids.encode('CP', SHARED_SHARD, 2);
  const body = { name: 'Second Lender', timezone: 'America/New_York' };
  await h.command('company.create', null, body, { system: true, company: second, params: { newId: second } });
  await at('2026-03-04T17:00:00Z');
  t.match(await h.query('operation.daily', null, {}, { company: second }), { companyId: second, days: [{ works: [] }] });
  t.ok((await day())['loanTape']);
});

test('tenor days prints the calendar, and ends with 1 where a work is late', async (t) => {
  const { at, company, tapeId, ask, port, keys } = await openDays(t);
  const service = { TENOR_URL: `http://127.0.0.1:${port}`, TENOR_KEY: keys.test };
  t.match(await tenorHere(service, 'days', '--date', '2026-03-01'), { code: 0, out: '2026-03-01  America/New_York  nothing was due' });
  await at('2026-03-03T17:00:00Z');
  const printed = await tenorHere(service, 'days');
  t.equal(printed.code, 0, printed.error);
  t.match(printed.out, /^2026-03-03 {2}America\/New_York\n +due +work +for +state +done +began +ended +objects\n/);
  t.match(printed.out, new RegExp(`2026-03-03T11:00:00.000Z +loanTape +${tapeId} +done +2 rows +.*TF-`));
  t.match(printed.out, /2026-03-03T05:00:00.000Z +dayClose +America\/New_York 2026-03-02 +done/);
  await ask('PUT', `/companies/${company}/loan-tapes/${tapeId}`, { status: 'paused' });
  await at('2026-03-04T17:00:00Z');
  const late = await tenorHere(service, 'days', '--from', '2026-03-03', '--to', '2026-03-04');
  t.match(late, { code: 1, out: /loanTape +TA-\S+ +paused, late[^]* loanTape\/TA-\S+: The loan tape is paused\./ });
  t.match(JSON.parse((await tenorHere(service, 'days', '--json')).out), { days: [{ date: '2026-03-04', works: [{ object: 'dayWork' }] }] });
  t.match(await tenorHere(service, 'days', '--date', '2026-04-01'), { code: 2, error: /to come/ });
});

test('a test clock that is set back and moved has its own days from then on', async (t) => {
  const { ask, h } = await openHttpLender(t);
  await h.dayWork.run();
  const clock = await ask('POST', '/test-clocks', { startDate: '2026-01-05' });
  t.equal(clock.status, 201, clock.text);
  const days = async (fromDate: string, toDate: string): Promise<readonly Data[]> => {
    await h.engine.settled();
    await h.dayWork.run();
    return dataOf(await ask('GET', `/operations/daily?fromDate=${fromDate}&toDate=${toDate}`))['days'] as readonly Data[];
  };
  const goTo = (to: string): Promise<unknown> => ask('POST', `/test-clocks/${idOf(clock)}/advance?sync=true`, { to });
  t.match(await days('2026-01-05', '2026-01-05'), [{ works: [] }]);
  await goTo('2026-01-06T17:00:00Z');
  const close = { work: 'dayClose', state: 'done', isLate: false };
  t.match(await days('2026-01-05', '2026-01-06'), [
    { date: '2026-01-05', works: [] },
    { date: '2026-01-06', works: [{ ...close, forDate: '2026-01-05', dueAt: /^2026-01-06/, endedAt: /^2026-01-06T17/ }] },
  ]);
  await goTo('2026-01-09T17:00:00Z');
  t.match(await days('2026-01-07', '2026-01-09'), [
    { date: '2026-01-07', works: [{ ...close, id: /2026-01-06$/, endedAt: null }] },
    { date: '2026-01-08', works: [{ ...close, id: /2026-01-07$/, endedAt: null }] },
    { date: '2026-01-09', works: [{ ...close, id: /2026-01-08$/, endedAt: /^2026-01-09T17/ }] },
  ]);
  t.same(listOf(await ask('GET', '/events?eventType=operation.late')), []);
});
