import { test } from 'tap';
import { RESOURCE_ROUTES, type Route } from '../../../gateway/index.js';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, idOf, openHttpLender } from './http-lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { NAME } from '../../people.js';

/** Malformed cursors: broken ids, positions, numbers, and texts that may break a parser. */
const NO_CURSORS = [
  '@x',
  '@',
  '@[]',
  '@[1]',
  '@["x",null]',
  '@{}',
  '@null',
  'ext-',
  'ext-@x',
  '0',
  'EV-',
  'LN-0000-0000',
  '\u0000',
  '%',
  '💥',
  '-1',
];

/** Texts that may break parsers of dates, numbers, zones, lists and expressions. */
const ODD_TEXTS = [
  ...NO_CURSORS,
  '',
  '2026-13-01',
  '2026-02-30T25:61:61Z',
  '+275760-09-14T00:00:00Z',
  '-271821-04-20',
  '1e999',
  '0x10',
  'NaN',
  '9'.repeat(400),
  'America/Nowhere',
  '+01:00',
  '(((((',
  '[',
  '*a',
  '{"a":',
  '__proto__',
  'constructor',
  'toString,hasOwnProperty',
  ',,,',
  'x'.repeat(2_000),
];

interface LenderWithLoan extends HttpLender {
  readonly ids: Readonly<Record<string, string>>;
}

async function openLenderWithLoan(t: Parameters<typeof openHttpLender>[0]): Promise<LenderWithLoan> {
  const lender = await openHttpLender(t);
  const personId = idOf(await lender.ask('POST', '/people', { externalId: 'ann-1', name: NAME }));
  const loanTypeId = idOf(await lender.ask('POST', `/companies/${lender.company}/loan-types`, { type: 'installment', name: 'Personal' }));
  const loanId = idOf(await lender.ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
  return { ...lender, ids: { companyId: lender.company, personId, loanTypeId, loanId } };
}

const pathOf = ({ path }: Route, ids: LenderWithLoan['ids'], other: string): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? encodeURIComponent(other));

/** The names of the query's parameters. */
function parametersOf({ query }: Route): readonly string[] {
  const schemas = Object.values(query?.schemas.components.schemas ?? {}) as readonly { readonly properties?: object }[];
  return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

const CURSORS = ['startingAfter', 'endingBefore'];

test('every list refuses a malformed cursor by name, and the engine goes on', async (t) => {
  const lender = await openLenderWithLoan(t);
  const { world } = lender.h.engine;
  const lists = RESOURCE_ROUTES.filter((route) => route.method === 'GET' && parametersOf(route).includes('startingAfter'));
  t.ok(lists.length > 30, `${lists.length} lists`);
  const bad: string[] = [];
  let refused = 0;
  for (const route of lists)
    for (const cursor of CURSORS)
      for (const text of NO_CURSORS) {
        const path = `${pathOf(route, lender.ids, 'XX-AAAA-1111')}?${cursor}=${encodeURIComponent(text)}`;
        const answer = await lender.ask('GET', path);
        if (answer.status === 404 || answer.status === 409) continue; // the owner of the list does not exist or is of another type
        const errors = (answer.json['errors'] ?? []) as readonly { readonly path: string }[];
        if (answer.status !== 400 || !errors.some((error) => error.path === cursor))
          bad.push(`${path} -> ${answer.status} ${answer.text.slice(0, 200)}`);
        else refused += 1;
      }
  t.strictSame(bad, []);
  t.ok(refused > 30 * NO_CURSORS.length, `${refused} were refused`);
  await wentOn(t, lender, world);
});

test('no odd text in a query, a path or a header makes the service fail', async (t) => {
  const lender = await openLenderWithLoan(t);
  const { world } = lender.h.engine;
  const bad: string[] = [];
  const check = (what: string, answer: HttpAnswer): void => {
    if (answer.status >= 500) bad.push(`${what} -> ${answer.status} ${answer.text.slice(0, 200)}`);
  };
  for (const route of RESOURCE_ROUTES.filter(({ method }) => method === 'GET')) {
    const path = pathOf(route, lender.ids, 'XX-AAAA-1111');
    for (const name of parametersOf(route))
      for (const text of ODD_TEXTS) {
        check(`${path}?${name}=${text}`, await lender.ask('GET', `${path}?${name}=${encodeURIComponent(text)}`));
      }
    for (const text of ODD_TEXTS.filter((odd) => odd !== ''))
      check(`${route.path} ${text}`, await lender.ask('GET', pathOf(route, {}, text)));
  }
  for (const header of HEADERS)
    for (const text of ODD_TEXTS.map((odd) => Buffer.from(odd).toString('latin1').replace(/\0/g, ' ')))
      for (const path of ['/people', `/events/stream?startingAfter=x`])
        check(`${header}: ${text}`, await lender.ask('GET', path, undefined, { headers: { [header]: text } }));
  t.strictSame(bad, []);
  await wentOn(t, lender, world);
});

const HEADERS = [
  'Last-Event-ID',
  'X-API-Version',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Request-Id',
  'Idempotency-Key',
  'Content-Type',
  'Host',
];

/** Checks that the service still reads and writes, and that memory was not computed again. */
async function wentOn(t: Parameters<typeof openHttpLender>[0], { h, ask, failures }: LenderWithLoan, world: unknown): Promise<void> {
  t.equal((await ask('POST', '/people', { name: NAME })).status, 200);
  t.equal((await ask('GET', '/transactions')).status, 200);
  t.equal(h.cluster === null ? h.engine.world : world, world, 'memory was not computed again');
  t.strictSame([failures, h.reports], [[], []]);
}
