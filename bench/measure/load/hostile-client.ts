import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf, must, recordsIn, textIn } from '../../../engine/index.js';
import { Random } from '../import-rate.js';
import { type Attack, JSON_TYPE, OddRequests } from './odd-requests.js';

/*
 * A hostile client with a key of its own: every operation with invalid values, bodies at and above the size limit, endless conversions,
 * lists, searches and templates, many at once, and connections that send almost nothing.
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

export const ATTACK_KINDS = ['odd request', 'heavy read', 'conversion', 'template', 'upload', 'large body'] as const;
export type AttackKind = (typeof ATTACK_KINDS)[number];

/** Answers by their status; 0 for connections that the service ended. */
type Statuses = Readonly<Record<string, number>>;

export interface HostileResult {
  readonly sent: number;
  readonly statuses: Statuses;
  readonly byKind: Readonly<Record<AttackKind, Statuses>>;
  /** Operations of the service's document, and how many of them were requested. */
  readonly operations: number;
  readonly requested: number;
  /** Some of the answers that say that the service has failed. */
  readonly failures: readonly string[];
  /** Some of the answers that say that an object of this client, or a path of the document, does not exist. */
  readonly missed: readonly string[];
}

const MB = 1024 * 1024;
const OWN_PEOPLE = 100;
/** Answers of which the text is kept. */
const KEPT = 20;

/**
 * Bodies at and above the size limit. They are made by the client that sends them: every service loads this file, and would keep constants
 * of this size.
 */
const largeBodies = () => {
  const person = '"externalId":"x","name":{"firstName":"Ada","lastName":"Hostile"}';
  return {
    text: Buffer.from(`{${person},"metaData":{"text":"${'x'.repeat(2 * MB - 200)}"}}`),
    list: Buffer.from(`{${person},"names":[${'{"a":[1.25,"x",null]},'.repeat(15_000)}0]}`),
    tooLarge: Buffer.alloc(12 * MB, ' '),
    deep: Buffer.from('['.repeat(500_000)),
    longWord: Buffer.alloc(MB, 'x'),
    upload: Buffer.alloc(24 * MB, 'x '),
  } as const;
};

const HEAVY_READS = [
  '/people?limit=100&includeIdentity=true&sortBy=[createdAt]',
  '/people/search?_hasTheWords=Ada&limit=100',
  '/loans?limit=100&sortBy=[-dueDate,createdAt]',
  '/transactions?limit=100&sortBy=[-actualAmount,createdAt]',
  '/events?limit=100&order=asc',
] as const;

/** Loans of the hostile client: an installment loan that is active. */
const LOAN = {
  type: 'installment',
  status: 'originated',
  servicedBy: 'creditor',
  newDrawsAllowed: false,
  atOrigination: {
    amountFinanced: 10_000,
    duration: 36,
    paymentFrequency: 'monthly',
    interestRates: [{ interestType: 'absolute', days: null, rate: 0.05 }],
    personAddress: { state: 'IL', country: 'US' },
    originationLicense: 'stateLicense',
    originatingCreditorName: 'Northwind Lending',
  },
} as const;

/** What it has made before it attacks. */
interface Prepared {
  readonly odd: OddRequests;
  /** Paths of a document that can be converted, and of one that is uploaded again and again. */
  readonly converted: string;
  readonly uploaded: string;
  /** Requests that render what costs much. */
  readonly templates: readonly [Attack, ...Attack[]];
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export class HostileClient {
  readonly #bodies = largeBodies();
  readonly #random: Random;
  readonly #agent: Agent;
  readonly #statuses: Record<AttackKind, Record<string, number>> = {
    'odd request': {},
    'heavy read': {},
    conversion: {},
    template: {},
    upload: {},
    'large body': {},
  };
  readonly #failures: string[] = [];
  readonly #missed: string[] = [];
  #sent = 0;
  #converting = 0;
  #isStopped = false;
  #prepared: Prepared | null = null;

  constructor(private readonly plan: HostilePlan) {
    this.#random = new Random(plan.seed);
    this.#agent = new Agent({ keepAlive: true, maxSockets: plan.parallel });
  }

  /** Creates the objects of its later requests. Throws where one is refused: what follows would attack nothing. */
  async prepare(): Promise<void> {
    const people = await Promise.all(Array.from({ length: OWN_PEOPLE }, () => this.#made('/people', PERSON)));
    const [personId, owner] = [must(people[0], 'a borrower'), must(people[1], 'another borrower')];
    const companyId = must(
      textIn(recordsIn(await this.#json({ method: 'GET', path: '/companies' }), 'data')[0], 'id'),
      'the company of the key',
    );
    const loanTypeId = await this.#made(`/companies/${companyId}/loan-types`, { type: 'installment', name: `Hostile ${personId}` });
    const loanId = await this.#made(`/people/${personId}/loans`, { ...LOAN, loanTypeId });
    await this.#json(sent(`/people/${personId}/loans/${loanId}/activate`, {}));
    const caseId = await this.#made(`/people/${personId}/cases`, { caseType: 'generic' });
    const own = new Map(Object.entries({ companyId, personId, loanTypeId, loanId, caseId }));
    const document = await this.#json({ method: 'GET', path: '/openapi.json' });
    this.#prepared = {
      odd: new OddRequests(document, own, this.#random),
      converted: await this.#document(owner),
      uploaded: await this.#document(owner),
      templates: await this.#templates(),
    };
  }

  /** Resolves when it was stopped and has its last answer. */
  async run(): Promise<HostileResult> {
    const prepared = must(this.#prepared, 'the client is prepared');
    const slow = Array.from({ length: this.plan.slow }, (_, at) => this.#slowly(at));
    await Promise.all(Array.from({ length: this.plan.parallel }, () => this.#attackOn(prepared)));
    for (const stop of slow) stop();
    this.#agent.destroy();
    return {
      sent: this.#sent,
      statuses: sumOf(Object.values(this.#statuses)),
      byKind: this.#statuses,
      operations: prepared.odd.operations,
      requested: prepared.odd.requested,
      failures: this.#failures,
      missed: this.#missed,
    };
  }

  /** Whether each operation of the service's document was requested. */
  get hasRequestedAll(): boolean {
    const { requested, operations } = must(this.#prepared, 'the client is prepared').odd;
    return requested === operations;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The path of a new document with content. */
  async #document(personId: string): Promise<string> {
    const id = must(textIn(await this.#json(sent(`/people/${personId}/documents`, { type: 'evidence' })), 'id'), 'the id of the document');
    const path = `/people/${personId}/documents/${id}`;
    await this.#json({ method: 'POST', path: `${path}/content`, headers: TEXT_TYPE, body: this.#bodies.longWord });
    return path;
  }

  /** The trial of a template that cannot be activated, and the rendering of one whose variables make it cost much. */
  async #templates(): Promise<Prepared['templates']> {
    const body = '{{ a | plus: 1 | plus: 1 | plus: 1 }}{% endfor %}';
    const [costly, active] = [
      await this.#version('hostileTrial', `{% for a in (1..9999) %}${body}`),
      await this.#version('hostileRendering', `{% for a in items %}${body}`),
    ];
    await this.#json(sent(`${active}/activate`, {}));
    const context = { items: Array.from({ length: 9_999 }, (_, at) => at) };
    return [sent(`${costly}/validate`, {}), sent('/communicator/render', { subject: 'hostileRendering', channel: 'text', context })];
  }

  /** The path of a new version of a new template. */
  async #version(subject: string, contentTextTemplate: string): Promise<string> {
    const descriptor = must(textIn(await this.#json(sent(DESCRIPTORS, { subject, channel: 'text' })), 'id'), 'the id of the template');
    const versions = `${DESCRIPTORS}/${descriptor}/versions`;
    return `${versions}/${must(textIn(await this.#json(sent(versions, { contentTextTemplate })), 'id'), 'the id of the version')}`;
  }

  /** The id of what the request makes. */
  async #made(path: string, body: object): Promise<string> {
    return must(textIn(fieldOf(await this.#json(sent(path, body)), 'data'), 'id'), `the id of what POST ${path} makes`);
  }

  async #json(attack: Attack): Promise<unknown> {
    let { status, text } = await this.#ask(attack);
    for (let tries = 0; status === TOO_MANY && tries < PATIENCE; tries++) {
      await pause(1000);
      ({ status, text } = await this.#ask(attack));
    }
    if (status < 200 || status > 299)
      throw new Error(
        `the hostile client cannot prepare its attacks: ${attack.method} ${attack.path} is answered ${status} ${text.slice(0, 300)}`,
      );
    return JSON.parse(text);
  }

  async #attackOn(prepared: Prepared): Promise<void> {
    while (!this.#isStopped) {
      const kind = this.#kind();
      if (kind === 'conversion') this.#converting += 1;
      const attack = this.#attack(kind, prepared);
      const answer = await this.#ask(attack);
      if (kind === 'conversion') this.#converting -= 1;
      this.#note(kind, attack, answer);
    }
  }

  /** A conversion takes seconds: with one on each connection it would send nothing else. */
  #kind(): AttackKind {
    const kind = this.#random.below(100);
    if (kind < 8 && this.#converting < this.plan.parallel / 4) return 'conversion';
    if (kind < 60) return 'odd request';
    if (kind < 84) return 'heavy read';
    if (kind < 88) return 'template';
    return kind < 90 ? 'upload' : 'large body';
  }

  #attack(kind: AttackKind, { odd, converted, uploaded, templates }: Prepared): Attack {
    const { text, list, tooLarge, deep, upload } = this.#bodies;
    switch (kind) {
      case 'odd request':
        return odd.next();
      case 'heavy read':
        return { method: 'GET', path: this.#random.pick(HEAVY_READS) };
      case 'conversion':
        return { method: 'POST', path: `${converted}/convert` };
      case 'template':
        return this.#random.pick(templates);
      case 'upload':
        return { method: 'POST', path: `${uploaded}/content`, headers: TEXT_TYPE, body: upload };
      case 'large body':
        return { method: 'POST', path: '/people', headers: JSON_TYPE, body: this.#random.pick([text, list, tooLarge, deep]) };
    }
  }

  #note(kind: AttackKind, { method, path }: Attack, { status, text }: Answer): void {
    this.#statuses[kind][status] = (this.#statuses[kind][status] ?? 0) + 1;
    const shown = `${method} ${path}: ${text.slice(0, 300)}`;
    if (status === 500 && this.#failures.length < KEPT) this.#failures.push(shown);
    if (status === 404 && this.#missed.length < KEPT && this.#isMissed(text)) this.#missed.push(shown);
  }

  /** Odd ids are not found, its own objects are. */
  #isMissed(text: string): boolean {
    const { odd } = must(this.#prepared, 'the client is prepared');
    return text.includes('Unknown path') || odd.ownIds.some((id) => new RegExp(`There is no (?:[a-z]+ )?[a-z]+ ${id}\\b`, 'i').test(text));
  }

  #ask({ method, path, body, headers = {} }: Attack): Promise<Answer> {
    this.#sent += 1;
    return new Promise((resolve) => {
      const all = {
        Authorization: `Bearer ${this.plan.key}`,
        ...headers,
        ...(body === undefined ? {} : { 'Content-Length': body.length }),
      };
      const asked = httpRequest(
        { host: '127.0.0.1', port: this.plan.port, path: `/api${path}`, method, headers: all, agent: this.#agent },
        (response) => resolve(answerOf(response)),
      );
      asked.on('error', () => resolve(ENDED));
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

const PERSON = { name: { firstName: 'Ada', lastName: 'Hostile' } } as const;
const DESCRIPTORS = '/communicator/templatedescriptors';
const TEXT_TYPE = { 'Content-Type': 'text/plain' } as const;
const TOO_MANY = 429;
/** How often a request that prepares is sent again, each time a second later, where the service limits the rate of its key. */
const PATIENCE = 10;
/** The service ended the connection. */
const ENDED: Answer = { status: 0, text: '' };

const sent = (path: string, body: object): Attack => ({
  method: 'POST',
  path,
  headers: JSON_TYPE,
  body: Buffer.from(JSON.stringify(body)),
});

/** A stream is left once it has begun. */
function answerOf(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
    response.destroy();
    return Promise.resolve({ status, text: '' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => resolve(ENDED));
    response.on('end', () => resolve({ status, text: Buffer.concat(chunks).toString('utf8') }));
  });
}

function sumOf(all: readonly Statuses[]): Statuses {
  const sum: Record<string, number> = {};
  for (const statuses of all) for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count;
  return sum;
}
