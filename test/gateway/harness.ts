import { request as httpRequest } from 'node:http';
import type { Test } from 'tap';
import { type CommandRequest, type Outcome, type QueryRequest, Refusal } from '../../actors/index.js';
import {
  ALL_PERMISSIONS,
  apiKeyAuthenticator,
  type ApiKeyRecord,
  type EngineCalls,
  type Gateway,
  type GatewayOptions,
  hashOfKey,
  modeOfKey,
  startGateway,
} from '../../gateway/index.js';

export const TEST_KEY = 'test_0123456789abcdef';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body. */
  readonly json: Record<string, unknown>;
}

export interface HttpQuestion {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string | Buffer;
  /** False: without the harness's key. */
  readonly key?: string | false;
}

export interface TestGateway {
  readonly gateway: Gateway;
  readonly failures: unknown[];
  ask(path: string, question?: HttpQuestion): Promise<HttpAnswer>;
}

export interface TestGatewayOptions extends Partial<Omit<GatewayOptions, 'host' | 'port'>> {
  readonly keys?: readonly ApiKeyRecord[];
}

/** A gateway on a free port of this machine, closed with the test. */
export async function gatewayFor(t: Test, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const keys = options.keys ?? [keyRecord(TEST_KEY)];
  const failures: unknown[] = [];
  const gateway = await startGateway({
    routes: [],
    engine: noEngine,
    authenticator: apiKeyAuthenticator((hash) => keys.find((key) => key.hash === hash)),
    onFailure: (cause) => failures.push(cause),
    ...options,
    host: '127.0.0.1',
    port: 0,
  });
  t.teardown(async () => {
    await gateway.close();
    for (const failure of failures) t.comment(failure);
  });
  return { gateway, failures, ask: (path, question) => ask(gateway.port, path, question) };
}

export function keyRecord(text: string, changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    hash: hashOfKey(text),
    keyId: 'AK-TEST-KEY1',
    company: 'CP-TEST-CMP1',
    mode: modeOfKey(text),
    userId: 'UR-TEST-USR1',
    isActive: true,
    permissions: ALL_PERMISSIONS,
    whitelistedIPs: [],
    ...changes,
  };
}

/** An engine that answers with the given functions and records the requests. */
export function scriptedEngine(answers: {
  readonly execute?: (command: CommandRequest) => Promise<Outcome> | Outcome;
  readonly query?: (request: QueryRequest) => unknown;
}): EngineCalls & { readonly commands: CommandRequest[]; readonly queries: QueryRequest[] } {
  const commands: CommandRequest[] = [];
  const queries: QueryRequest[] = [];
  return {
    commands,
    queries,
    async execute(command) {
      commands.push(command);
      return answers.execute ? await answers.execute(command) : { data: { id: 'XX-AAAA-1111' }, replayed: false };
    },
    async query(request) {
      queries.push(request);
      const answer = answers.query?.(request);
      return answer === undefined ? {} : answer;
    },
  };
}

const noEngine: EngineCalls = scriptedEngine({});

export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, key = TEST_KEY }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  const sent = body === undefined ? undefined : isText ? body : JSON.stringify(body);
  const all = {
    ...(key === false ? {} : { Authorization: `Bearer ${key}` }),
    ...(sent === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sent)) }),
    ...(body === undefined || isText ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const isJson = (response.headers['content-type'] ?? '').includes('json') && text !== '';
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, bytes, json: isJson ? JSON.parse(text) : {} });
      });
    });
    request.on('error', reject);
    if (sent !== undefined) request.write(sent);
    request.end();
  });
}

/** The error type that a call is refused with; undefined when it is not. */
export function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (cause) {
    if (cause instanceof Refusal) return cause.errorType;
    throw cause;
  }
}

/** A promise that `open` resolves. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
