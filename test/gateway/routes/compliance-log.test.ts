import { test } from 'tap';
import { ask as askAt, type HttpAnswer } from '../harness.js';
import { idOf, listOf, servePortfolio } from './http-lender.js';
import { ANN, NIGHT, openGuarded } from './guarded.js';

test('decisions: what was said is kept beside the borrower, newest first, without anything personal', async (t) => {
  const { ask, check, company, phoneId, h } = await openGuarded(t);
  const path = `/companies/${company}/compliance/decisions`;
  await check({});
  h.nowMs += 60_000;
  await check({ startedAt: NIGHT });
  const personId = idOf(await ask('GET', ANN));
  const all = await ask('GET', path);
  t.match(listOf(all), [
    {
      id: /^CG-/,
      object: 'complianceDecision',
      personId,
      source: 'canInteract',
      contactId: phoneId,
      channel: 'voice',
      theme: 'opsCollDebt',
      result: false,
      ruleCode: 'US-TIME-COLL',
      sendAt: '2026-03-04T13:00:00.000Z',
      evaluatedAt: '2026-03-04T03:30:00.000Z',
    },
    { result: true, rules: Array, rulesVersion: 9 },
  ]);
  for (const secret of ['555', 'Albany', 'Quimby', '12207']) t.notOk(all.text.includes(secret), secret);
  const filtered = async (query: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `${path}?${query}`)).map(({ result }) => result);
  t.strictSame(await filtered('result=true'), [true]);
  t.strictSame(await filtered('ruleId=CR-USTM-CLL1'), [false]);
  t.strictSame(await filtered('personId=ext-ann-1'), [false, true]);
  t.strictSame(await filtered('personId=BO-AAAA-1111'), []);
  t.strictSame(await filtered('createdAtAfter=2030-01-01T00:00:00Z'), []);
  const oldest = String(listOf(all).at(-1)?.['createdAt']);
  t.strictSame(await filtered(`personId=ext-ann-1&createdAtAfter=${oldest}`), [false], 'what came behind the oldest');
  t.strictSame(await filtered('personId=ext-ann-1&createdAtAfter=2020-01-01T00:00:00Z'), [false, true]);
  t.strictSame(await filtered('createdAtBefore=2030-01-01T00:00:00Z&limit=1'), [false]);
});

test('decisions: the index lists the newest hundred of a borrower, and the log pages all of them, also after a restart', async (t) => {
  const { check, ask, company, h, keys } = await openGuarded(t);
  await check({ startedAt: NIGHT });
  for (let more = 0; more < 12; more++) await Promise.all(Array.from({ length: 10 }, () => check({})));
  const everybody = `/companies/${company}/compliance/decisions?limit=100`;
  t.match((await ask('GET', everybody)).json, { total: 100, count: 100 });
  t.strictSame(listOf(await ask('GET', `${everybody}&result=false`)), [], 'of all borrowers together the newest');

  const whole = async (read: (path: string) => Promise<HttpAnswer>): Promise<readonly Record<string, unknown>[]> => {
    const entries: Record<string, unknown>[] = [];
    for (let cursor = ''; ; cursor = `&startingAfter=${String(entries.at(-1)?.['id'])}`) {
      const page = await read(`/companies/${company}/compliance/decisions?personId=ext-ann-1&limit=40${cursor}`);
      t.match(page.json, { total: 121 });
      entries.push(...listOf(page));
      if (page.json['nextUrl'] === null) return entries;
    }
  };
  const entries = await whole((path) => ask('GET', path));
  t.equal(new Set(entries.map(({ id }) => id)).size, 121);
  t.equal(entries.at(-1)?.['result'], false, 'the oldest is there');
  const own = `/companies/${company}/compliance/decisions?personId=ext-ann-1&limit=100`;
  t.strictSame(listOf(await ask('GET', `${own}&result=false`)), [entries.at(-1)]);
  const oldest = String(entries.at(-1)?.['id']);
  t.strictSame(
    listOf(await ask('GET', `${own.replace('limit=100', 'limit=3')}&endingBefore=${oldest}`)),
    entries.slice(-4, -1),
    'backwards, too',
  );
  if (h.cluster) return;
  await h.restart();
  const { gateway } = await servePortfolio(t, h);
  const again = await whole((path) => askAt(gateway.port, `/api${path}`, { key: keys.test }));
  t.strictSame(again, entries, 'the same off the disk');
});
