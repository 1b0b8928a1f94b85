import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { must, textIn } from '../../../engine/index.js';
import { RESOURCE_ROUTES, type Route } from '../../../gateway/index.js';
import { Random } from '../import-rate.js';

/*
 * A hostile client with a key of its own: every route with invalid values, bodies at and above the size limit, endless conversions, lists
 * and searches, many at once, and connections that send almost nothing.
 */

export interface HostilePlan {
  readonly port: number;
  readonly key: string;
  /** Requests at once. */
  readonly parallel: number;
  /** Connections that send a few bytes now and then. */
  readonly slow: number;
  readonly seed: number;
}

export interface HostileResult {
  readonly sent: number;
  /** Answers by their status; 0 for connections that the service ended. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of the answers that say that the service has failed. */
  readonly failures: readonly string[];
}

interface Attack {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const MB = 1024 * 1024;
const OWN_PEOPLE = 100;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ODD = ['@x', '%00', '-1', '1e999', 'ext-', '💥', '{"a":', '9'.repeat(300), '2026-02-30', '__proto__', '', '(((('] as const;

/** Routes that would end its own key or move the time of its mode: after them it could reach nothing else. */
const SPARED = /^(\/keys|\/test-clocks|\/users|\/roles|\/auth|\/events\/(stream|socket))/;
const ROUTES = RESOURCE_ROUTES.filter(({ path }) => !SPARED.test(path));

/**
 * Bodies at and above the size limit. They are made by the client that sends them: every service loads this file, and would keep constants
 * of this size.
 */
const largeBodies = () =>
  ({
    text: Buffer.from(`{"externalId":"x","metaData":{"text":"${'x'.repeat(2 * MB - 100)}"}}`),
    list: Buffer.from(`{"externalId":"x","names":[${'{"a":[1.25,"x",null]},'.repeat(90_000)}0]}`),
    tooLarge: Buffer.alloc(12 * MB, ' '),
    deep: Buffer.from('['.repeat(500_000)),
    longWord: Buffer.alloc(MB, 'x'),
    upload: Buffer.alloc(24 * MB, 'x '),
  }) as const;

const HEAVY_READS = [
  '/people?limit=100&includeIdentity=true&sortBy=[createdAt]',
  '/people/search?_hasTheWords=Ada&limit=100',
  '/loans?limit=100&sortBy=[-dueDate,createdAt]',
  '/transactions?limit=100&sortBy=[-actualAmount,createdAt]',
  '/events?limit=100&order=asc',
] as const;

export class HostileClient {
  readonly #bodies = largeBodies();
  readonly #random: Random;
  readonly #agent: Agent;
  readonly #statuses: Record<string, number> = {};
  readonly #failures: string[] = [];
  #sent = 0;
  #isStopped = false;
  /** Path at which a document of its own can be converted. */
  #documentPath = '/people/ext-hostile/documents/none';

  constructor(private readonly plan: HostilePlan) {
    this.#random = new Random(plan.seed);
    this.#agent = new Agent({ keepAlive: true, maxSockets: plan.parallel });
  }

  /** Creates the objects of its later requests. */
  async prepare(): Promise<void> {
    await Promise.all(
      Array.from({ length: OWN_PEOPLE }, () =>
        this.#ask({
          method: 'POST',
          path: '/people',
          headers: JSON_TYPE,
          body: Buffer.from('{"name":{"firstName":"Ada","lastName":"Hostile"}}'),
        }),
      ),
    );
    await this.#prepareDocument();
  }

  /** Resolves when it was stopped and has its last answer. */
  async run(): Promise<HostileResult> {
    const slow = Array.from({ length: this.plan.slow }, (_, at) => this.#slowly(at));
    await Promise.all(Array.from({ length: this.plan.parallel }, () => this.#attackOn()));
    for (const stop of slow) stop();
    this.#agent.destroy();
    return { sent: this.#sent, statuses: this.#statuses, failures: this.#failures };
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #prepareDocument(): Promise<void> {
    await this.#ask({ method: 'POST', path: '/people', headers: JSON_TYPE, body: Buffer.from('{"externalId":"hostile"}') });
    const described = await this.#ask({
      method: 'POST',
      path: '/people/ext-hostile/documents',
      headers: JSON_TYPE,
      body: Buffer.from('{"type":"evidence"}'),
    });
    const id = textIn(JSON.parse(described === '' ? '{}' : described), 'id') ?? 'none';
    this.#documentPath = `/people/ext-hostile/documents/${id}`;
    await this.#ask({
      method: 'POST',
      path: `${this.#documentPath}/content`,
      headers: { 'Content-Type': 'text/plain' },
      body: this.#bodies.longWord,
    });
  }

  async #attackOn(): Promise<void> {
    while (!this.#isStopped) await this.#ask(this.#attack());
  }

  #attack(): Attack {
    const kind = this.#random.below(100);
    if (kind < 55) return this.#odd(must(ROUTES[this.#random.below(ROUTES.length)], 'a route'));
    if (kind < 80) return { method: 'GET', path: this.#random.pick(HEAVY_READS) };
    if (kind < 88) return { method: 'POST', path: `${this.#documentPath}/convert` };
    if (kind < 90)
      return {
        method: 'POST',
        path: `${this.#documentPath}/content`,
        headers: { 'Content-Type': 'text/plain' },
        body: this.#bodies.upload,
      };
    const { text, list, tooLarge, deep } = this.#bodies;
    return { method: 'POST', path: '/people', headers: JSON_TYPE, body: this.#random.pick([text, list, tooLarge, deep]) };
  }

  #odd({ method, path }: Route): Attack {
    const odd = (): string => encodeURIComponent(this.#random.pick(ODD));
    const query = ['startingAfter', 'limit', 'sortBy', 'status', 'offset'].map((name) => `${name}=${odd()}`).slice(this.#random.below(5));
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => (name === 'personId' ? 'ext-hostile' : odd() || '-'));
    const body =
      method === 'GET'
        ? {}
        : { headers: JSON_TYPE, body: Buffer.from(`{"a":${JSON.stringify(this.#random.pick(ODD))},"amount":1e400,"items":[[[{}]]]}`) };
    return { method, path: `${filled}?${query.join('&')}`, ...body };
  }

  /** The text of the answer. */
  #ask({ method, path, body, headers = {} }: Attack): Promise<string> {
    this.#sent += 1;
    return new Promise((resolve) => {
      const ended = (status: number, text: string): void => {
        this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
        if (status === 500 && this.#failures.length < 20) this.#failures.push(`${method} ${path}: ${text.slice(0, 300)}`);
        resolve(text);
      };
      const all = {
        Authorization: `Bearer ${this.plan.key}`,
        ...headers,
        ...(body === undefined ? {} : { 'Content-Length': body.length }),
      };
      const asked = httpRequest(
        { host: '127.0.0.1', port: this.plan.port, path: `/api${path}`, method, headers: all, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', () => resolve(''));
          response.on('end', () => ended(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
        },
      );
      asked.on('error', () => ended(0, ''));
      asked.end(body);
    });
  }

  /** Sends half a head, or a slow body, with and without a credential; opens a new connection when one is closed. */
  #slowly(at: number): () => void {
    let socket: Socket | null = null;
    const credential = at % 2 === 0 ? `Authorization: Bearer ${this.plan.key}\r\n` : '';
    const head = `POST /api/people HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\nContent-Length: ${8 * MB}\r\n`;
    const open = (): void => {
      socket = connect(this.plan.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      socket.write(at % 3 === 0 ? head.slice(0, 40) : `${head}\r\n`);
    };
    open();
    const timer = setInterval(() => {
      if (socket?.writable) socket.write(' ');
      else open();
    }, 100);
    return () => {
      clearInterval(timer);
      socket?.destroy();
    };
  }
}
