import { test } from 'tap';
import { tenorHere } from '../../../bench/tenor-here.js';
import { dataOf } from '../http-lender.js';
import { openDays } from './days-over-http.js';

const PAUSED = { state: 'paused', error: 'A user has paused it.', pausedBy: 'work' };

test('no file leaves for the bank while its work is paused; it is late, and leaves once the work is resumed', async (t) => {
  const { ask, at, day, pay, names, processorId, late, h } = await openDays(t);
  const body = { subjectId: processorId };
  t.match(await ask('POST', '/operations/daily/achFile/pause', body), {
    status: 200,
    json: { data: { work: 'achFile', subjectId: processorId, isPaused: true } },
  });
  t.match(await ask('POST', '/operations/daily/achFile/pause', body), { status: 200 }, 'it is paused already');
  await pay(100);
  t.match(await day(), { achFile: { state: 'waiting' } });
  await at('2026-03-02T21:10:00Z');
  t.match(await day(), { achFile: { ...PAUSED, isLate: false } });
  await at('2026-03-02T22:00:00Z');
  t.match(await day(), { achFile: { ...PAUSED, isLate: true, lateSince: '2026-03-02T21:30:00.000Z' } });
  t.match(dataOf(await ask('GET', '/operations/daily'))['pausedWorks'], [{ work: 'achFile', subjectId: processorId, pausedAt: /^2026/ }]);
  t.strictSame(names(), []);
  t.match(await late(), [{ work: 'achFile', status: 'paused' }]);

  t.match(await ask('POST', '/operations/daily/achFile/resume', body), { status: 200, json: { data: { isPaused: false } } });
  await at('2026-03-02T22:05:00Z');
  t.match(await day(), { achFile: { state: 'done', isLate: false, counts: { entries: 1 } } });
  t.equal(names().length, 1);
  t.equal((await late()).length, 1);
  t.strictSame(h.lateWork.get('achFile test'), undefined);
});

test('a file that was made and is not at the bank yet stays here while its work is paused', async (t) => {
  const { ask, at, day, pay, names, processorId, server } = await openDays(t);
  const processor = `/payment-processors/${processorId}?skipConnectionTest=true`;
  await ask('PUT', processor, { sftpHostname: '127.0.0.1:1' });
  await pay(100);
  await at('2026-03-02T21:10:00Z');
  t.match(await day(), { achFile: { state: 'running', error: /could not be reached/ } });
  await ask('POST', '/operations/daily/achFile/pause', {});
  await ask('PUT', processor, { sftpHostname: `127.0.0.1:${server.port}` });
  await at('2026-03-02T21:20:00Z');
  t.match(await day(), { achFile: PAUSED });
  t.strictSame(names(), []);
  await ask('POST', '/operations/daily/achFile/resume', {});
  await at('2026-03-02T21:25:00Z');
  t.match(await day(), { achFile: { state: 'done', lateSince: null } });
  t.equal(names().length, 1);
});

test('settlements, transfers, files for agencies and looks for files of the bank rest while they are paused', async (t) => {
  const { ask, at, day, h } = await openDays(t);
  const works = ['settlement', 'settlementTransfer', 'creditFile', 'achInbox'];
  for (const work of works) t.match(await ask('POST', `/operations/daily/${work}/pause`, {}), { status: 200 }, work);
  await at('2026-03-03T17:00:00Z');
  t.match(await day(), { settlement: PAUSED, creditFile: PAUSED, achInbox: { ...PAUSED, isLate: true }, loanTape: { state: 'done' } });
  for (const work of ['settlement', 'creditFile']) await ask('POST', `/operations/daily/${work}/resume`, {});
  await at('2026-03-03T18:00:00Z');
  t.match(await day(), { settlement: { state: 'done' }, creditFile: { state: 'done' }, achInbox: PAUSED });
  for (const work of ['settlement', 'creditFile']) await ask('POST', `/operations/daily/${work}/pause`, {});
  await h.restart();
  h.deliver();
  await h.dayWork.run();
  t.match(await h.query('operation.daily', null), {
    pausedWorks: ['settlementTransfer', 'achInbox', 'settlement', 'creditFile'].map((work) => ({ work, subjectId: null })),
  });
});

test('a settlement is computed, and its transfer waits until it is resumed', async (t) => {
  const { ask, at, day, owned, h } = await openDays(t);
  await ask('POST', `${owned}/transactions`, { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded' });
  await at('2026-03-03T17:00:00Z');
  const { settlement } = await day();
  t.match(settlement, { state: 'done', counts: { transactions: 1 } });
  const [subjectId] = settlement?.['objectIds'] as readonly string[];
  t.match(await ask('POST', '/operations/daily/settlementTransfer/pause', { subjectId }), { status: 200, json: { data: { subjectId } } });
  await at('2026-03-04T17:00:00Z');
  t.match(await day(), { settlementTransfer: { ...PAUSED, subjectId, isLate: true } });
  await ask('POST', '/operations/daily/settlementTransfer/resume', { subjectId });
  await at('2026-03-04T17:01:00Z');
  t.match(await day(), { settlementTransfer: { state: 'done', subjectId, isLate: false, counts: { transactions: 1 } } });
  t.equal(h.lateWork.size, 0);
});

test('only works that are paused by their name are, for what they are for, with the permission', async (t) => {
  const { ask, askWith, investorId, processorId } = await openDays(t);
  for (const work of ['dayClose', 'loanTape', 'nothing', 'constructor'])
    t.match(await ask('POST', `/operations/daily/${work}/pause`, {}), { status: 404, json: { message: /achFile/ } }, work);
  t.match(await ask('POST', '/operations/daily/achFile/pause', { subjectId: investorId }), { status: 404 });
  t.match(await ask('POST', '/operations/daily/settlementTransfer/pause', { subjectId: processorId }), { status: 404 });
  t.match(await ask('POST', '/operations/daily/achFile/pause', { subject: processorId }), { status: 400 });
  t.match(await askWith(['loan:read'], 'POST', '/operations/daily/achFile/pause', {}), { status: 403 });
  t.match(await askWith(['operation:update'], 'POST', '/operations/daily/achFile/pause', {}), { status: 200 });
});

test('tenor days pauses and resumes a work', async (t) => {
  const { port, keys, processorId, ask } = await openDays(t);
  const service = { TENOR_URL: `http://127.0.0.1:${port}`, TENOR_KEY: keys.test };
  t.match(await tenorHere(service, 'days', 'pause', 'achFile', '--for', processorId), {
    code: 0,
    out: `achFile of ${processorId} is paused\n`,
  });
  t.match(dataOf(await ask('GET', '/operations/daily')), { pausedWorks: [{ work: 'achFile' }] });
  t.match(await tenorHere(service, 'days', 'resume', 'achFile', '--for', processorId), { code: 0, out: /goes on/ });
  t.match(await tenorHere(service, 'days', 'resume', 'dayClose'), { code: 2, error: /paused by its name/ });
});
