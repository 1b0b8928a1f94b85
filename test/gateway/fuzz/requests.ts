import type { Route } from '../../../gateway/index.js';
import type { HttpQuestion } from '../harness.js';
import { spoiled } from './templates.js';
import { oddity, type Taste, valueFor } from './values.js';

export interface FuzzedRequest {
  readonly path: string;
  readonly question: HttpQuestion;
}

type Templates = Readonly<Record<string, () => readonly object[]>>;

/** The prefix of the ids of each parameter of a path. */
const PREFIX_OF: Readonly<Record<string, string>> = {
  personId: 'BO',
  loanId: 'LN',
  companyId: 'CP',
  loanTypeId: 'LT',
  contactId: 'CT',
  identityId: 'BI',
  nameId: 'BN',
  keyId: 'AK',
  labelId: 'LL',
  feeTypeId: 'FT',
  transactionId: 'TX',
  eventId: 'EV',
  loanPeriodId: 'PE',
  paymentInstrumentId: 'PT',
  testClockId: 'TI',
  drawId: 'LN',
  purchaseId: 'DP',
  purchaseDisputeId: 'PD',
};

/** What only lines of credit have. */
const OF_LINES = /\/(draws|purchases|disputes)/;

/** Parameters whose oldest id belongs to the newest borrower. */
const OF_NEWEST_BORROWER = new Set(['companyId', 'personId', 'loanTypeId', 'loanId']);

/** A request to a route: often almost right, sometimes broken in every part. */
export function requestTo(route: Route, taste: Taste, templates: Templates): FuzzedRequest {
  const { random } = taste;
  // The oldest ids of each kind belong together: the first loan is the first person's.
  const isOneBorrower = random.chance(0.7);
  const isOnLine = isOneBorrower && (OF_LINES.test(route.path) || random.chance(0.15));
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encode((isOnLine ? taste.line[name] : undefined) ?? parameter(name, taste, isOneBorrower)),
  );
  const query = route.query && random.chance(0.7) ? `?${queryText(route, taste)}` : '';
  return {
    path: `/api${random.chance(taste.oddness / 10) ? `${path}/` : path}${random.chance(taste.oddness / 2) ? '?%zz=&&=&a[=1' : query}`,
    question: {
      method: random.chance(taste.oddness / 5) ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) : route.method,
      headers: headersFor(taste),
      ...(random.chance(taste.oddness / 5) ? { key: random.pick(['', 'test_wrong_0123456789', 'Bearer']) } : {}),
      ...bodyFor(route, taste, templates),
    },
  };
}

function parameter(name: string, taste: Taste, isOneBorrower: boolean): string {
  const { random, ids, oddness } = taste;
  const fitting = ids.filter((id) => id.startsWith(PREFIX_OF[name] ?? '??'));
  if (random.chance(oddness / 2) || ids.length === 0) return textOf(oddity(taste)).slice(0, 400) || '-';
  const [oldest] = fitting;
  const newest = fitting.at(-1);
  if (isOneBorrower && OF_NEWEST_BORROWER.has(name) && oldest !== undefined) return oldest;
  if (isOneBorrower && newest !== undefined && random.chance(0.5)) return newest;
  return fitting.length > 0 && random.chance(0.9) ? random.pick(fitting) : random.pick(ids);
}

function queryText(route: Route, taste: Taste): string {
  const value = route.query ? valueFor(route.query.schemas, taste) : {};
  if (value === null || typeof value !== 'object') return encode(textOf(value));
  return Object.entries(value)
    .map(([name, part]) => `${encode(name)}=${encode(textOf(part)).slice(0, 2_000)}`)
    .join('&');
}

function headersFor({ random, oddness }: Taste): Record<string, string> {
  return {
    ...(random.chance(0.2) ? { 'Idempotency-Key': `key-${random.below(50)}` } : {}),
    ...(random.chance(oddness / 5) ? { 'X-API-Version': random.pick(['2022-05-03', 'x', '2023-11-29']) } : {}),
    ...(random.chance(oddness / 5) ? { Accept: 'text/html', 'X-Request-Id': 'x'.repeat(random.below(300)) } : {}),
  };
}

function bodyFor(
  route: Route,
  taste: Taste,
  templates: Templates,
): Pick<HttpQuestion, 'body'> & { readonly headers?: Record<string, string> } {
  const { random, oddness } = taste;
  if (route.method === 'GET') return {};
  if (!route.body) return random.chance(oddness) ? { body: '{"a":' } : {};
  const template = templates[route.operation];
  const value = template && random.chance(0.6) ? spoiled(random.pick(template()), taste) : valueFor(route.body.schemas, taste);
  if (!random.chance(oddness)) return { body: value ?? 'null' };
  const text = JSON.stringify(value) ?? '';
  switch (random.below(5)) {
    case 0:
      return { body: text.slice(0, random.below(text.length + 1)) };
    case 1:
      return { body: text.replace(/\d/, '9'.repeat(30)) };
    case 2:
      return {
        body: Buffer.from(
          text.replace(/./g, (letter) => (random.chance(0.02) ? String.fromCharCode(random.below(256)) : letter)),
          'latin1',
        ),
      };
    case 3:
      return { body: '['.repeat(random.below(2_000)) };
    default:
      return { body: `a.b=1&a.c[]=${encode(text)}&${text}`, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  }
}

/** Percent-encoding needs whole characters. */
const encode = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '\ufffd'));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
