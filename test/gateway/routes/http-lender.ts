import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import { actorModules, type CompanyState, usersOf } from '../../../actors/index.js';
import { must } from '../../../engine/index.js';
import {
  AddressRules,
  clusterEventSource,
  type CodeMessage,
  CodeMessages,
  DEFAULT_RATE_LIMITS,
  engineEventSource,
  hashOfKey,
  logSender,
  MemoryRateLimiter,
  openAccess,
  OWN_LOOKUPS,
  rateLimitsFor,
  Renderer,
  resourceRoutes,
} from '../../../gateway/index.js';
import { FolderBlobs } from '../../../persistence/index.js';
import { Harness, type HarnessOptions, type Over } from '../../actors/harness.js';
import { ask, gatewayFor, type HttpAnswer, type HttpQuestion, type TestGateway } from '../harness.js';

export interface HttpLender {
  readonly h: Harness;
  readonly company: string;
  readonly userId: string;
  readonly keys: { readonly test: string; readonly live: string };
  readonly port: number;
  readonly failures: readonly unknown[];
  /** What the service has sent to users, the newest last. */
  readonly sent: readonly CodeMessage[];
  /** Asks `/api` with the test mode's key. */
  ask(method: string, path: string, body?: object, question?: HttpQuestion): Promise<HttpAnswer>;
}

/** The secret with which delivery adapters sign. */
export const CALLBACK_SECRET = 'the secret of all adapters in tests';

/** The password of the account at the provider of texts. */
export const TEXT_SECRET = 'the token of the account at the provider';

/** Where the tests' gateways are reached from outside. */
export const PUBLIC_URL = 'https://loans.example.com';

/** `TENOR_TEST_CLUSTER=1` runs the tests of the routes over a cluster. */
const OVER: Over = process.env['TENOR_TEST_CLUSTER'] === '1' ? 'cluster' : 'oneProcess';

/** A real engine behind the real gateway, with a company and one key a mode. */
export async function openHttpLender(
  t: Test,
  over: Over = OVER,
  options: HarnessOptions & { readonly codes?: CodesByAdapters } = {},
): Promise<HttpLender> {
  const h = await Harness.open(() => actorModules(), over, options);
  await h.makeCompany(options.company);
  const keys = { test: `test_${randomBytes(32).toString('base64url')}`, live: `live_${randomBytes(32).toString('base64url')}` };
  for (const mode of ['test', 'live'] as const) {
    const state = must(h.engine.stateOf<CompanyState>({ company: h.company, mode }, 'company', h.company), 'the company');
    const userId = must([...usersOf(state).keys()][0], 'its user');
    await h.data('apiKey.create', h.company, { userId, hash: hashOfKey(keys[mode]) }, { mode, permissions: ['*'] });
  }
  const testState = must(h.engine.stateOf<CompanyState>({ company: h.company, mode: 'test' }, 'company', h.company), 'the company');
  const sent: CodeMessage[] = [];
  const { gateway, failures } = await servePortfolio(t, h, sent, options.codes);
  h.deliver();
  t.teardown(() => h.close());
  return {
    h,
    company: h.company,
    userId: must([...usersOf(testState).keys()][0], 'its user'),
    keys,
    port: gateway.port,
    failures,
    sent,
    ask: (method, path, body, question = {}) =>
      ask(gateway.port, `/api${path}`, { method, ...(body === undefined ? {} : { body }), key: keys.test, ...question }),
  };
}

/** Sends codes of the live mode, and collects reports about failures. */
export interface CodesByAdapters {
  readonly adapters?: ConstructorParameters<typeof CodeMessages>[0]['adapters'];
  readonly reports?: string[];
}

const RENDERER = new Renderer();

/** Starts a gateway for the harness's current engine; after a restart it needs a new one. */
export function servePortfolio(
  t: Test,
  h: Harness,
  sent: CodeMessage[] = [],
  { adapters = {}, reports = [] }: CodesByAdapters = {},
): Promise<TestGateway> {
  const { cluster, engine } = h;
  const nowMs = (): number => h.nowMs;
  // Limits of a company must not limit sign-ins, of which nobody knows the company.
  const limiter = new MemoryRateLimiter({ ...DEFAULT_RATE_LIMITS, test: rateLimitsFor({ perSecond: 1, burst: 2 }) }, nowMs);
  const logged = logSender((message) => sent.push(message));
  const codes = new CodeMessages({
    engine,
    renderer: RENDERER,
    adapters,
    inTest: logged,
    report: (message, details) => reports.push(JSON.stringify([message, details])),
  });
  const { access, authenticator } = openAccess({
    engine,
    companies: engine,
    nowMs,
    limiter,
    codes,
    caughtUp: cluster && (() => cluster.gateway.client.sharedNow()),
    onFailure: (cause) => t.fail('what nobody waits for has failed', { cause }),
  });
  return gatewayFor(t, {
    routes: resourceRoutes(OWN_LOOKUPS, new AddressRules(['127.0.0.0/8']), {
      access,
      codes,
      callbackSecrets: { callback: CALLBACK_SECRET, textAccountKey: { secret: TEXT_SECRET, publicUrl: PUBLIC_URL } },
      blobs: new FolderBlobs(join(h.folder, 'documents')),
    }),
    engine,
    events: cluster ? clusterEventSource(cluster.gateway.client.events) : engineEventSource(engine),
    rateLimiter: new MemoryRateLimiter({ test: rateLimitsFor(null), live: rateLimitsFor(null) }, nowMs),
    authenticator,
  });
}

/** Opens a case of Ann; returns its id. */
export const newCase = async ({ ask: asked }: Pick<HttpLender, 'ask'>): Promise<string> =>
  idOf(await asked('POST', '/people/ext-ann-1/cases', { caseType: 'generic' }));

/** `data` of a single object's reply. */
export const dataOf = (answer: HttpAnswer): Record<string, unknown> => answer.json['data'] as Record<string, unknown>;

/** `data` of a list's reply. */
export const listOf = (answer: HttpAnswer): readonly Record<string, unknown>[] => answer.json['data'] as readonly Record<string, unknown>[];

export const idOf = (answer: HttpAnswer): string => String(dataOf(answer)['id']);

/** The id of a document of the borrower of a path. */
export const signedDocument = async (asked: HttpLender['ask'], path = '/people/ext-ann-1'): Promise<string> =>
  String((await asked('POST', `${path.split('/').slice(0, 3).join('/')}/documents`, { type: 'other' })).json['id']);
