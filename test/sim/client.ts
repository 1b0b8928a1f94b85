import { createHash } from 'node:crypto';
import { type CommandRequest, type QueryRequest, SHARED_SHARD } from '../../actors/index.js';
import { rootShardOf } from '../../actors/kernel/shard/execution.js';
import { Ids } from '../../actors/kernel/ids.js';
import type { Random } from '../random.js';
import type { Answer, Ask } from './network.js';
import type { VirtualTime } from './virtual-time.js';
import {
  type Follower,
  hold,
  type IndexValue,
  type KnownLoan,
  type ListedPayment,
  type SeenEvent,
  type Sent,
  type Witness,
} from './witness.js';

export const ID_KEY = new Uint8Array(32).fill(9);
const ids = new Ids(ID_KEY);
const COMPANY = ids.encode('CP', SHARED_SHARD, 1);

/** The connection of one client to the service. */
export interface Connection {
  /** Whether the shard is part of the simulated world. */
  serves(shard: number): boolean;
  ask(ask: Ask, shard: number): Promise<Answer>;
}

/** Clients write and read at random, and retry under the same key until they know the answer or lose patience. */
const PAUSE_MS = { turn: [0, 30], retry: [5, 400], value: [200, 5_000] } as const;
const MOST_PAYMENTS = 60;
const MOST_TRIES = 12;
const EVENT_PAGE = 20;
/** The value of the index before it is changed, and the spread of some loans over it. */
const FIRST_VALUE = { annualRate: 0.03, startDate: '2026-01-01' } as const;
const SPREAD = 0.02;
/** New values of the index apply from days before the world begins: every loan that follows it has something to recompute. */
const NEWEST_VALUE_FROM = Date.parse('2026-03-14T00:00:00Z');
const DAY_MS = 86_400_000;
const MOST_VALUES = 5;

export interface MassShare {
  readonly status: string;
  /** Of mass work; absent when no loan follows the index. */
  readonly counts?: { readonly changed: number; readonly unchanged: number; readonly failed: number };
}

/** Answers after which the request is sent again. */
const TRY_AGAIN: ReadonlySet<string> = new Set(['unavailable', 'idempotencyInProgress']);

export interface ClientParts {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly connection: Connection;
  readonly witness: Witness;
  machineMs(): number;
}

/** A client of the service; all clients use the same company. */
export class Client {
  #keys = 0;
  #loanTypeId: Promise<string> | null = null;

  constructor(
    private readonly name: string,
    private readonly parts: ClientParts,
  ) {}

  /** Creates the company with its product: the first thing that happens. */
  async found(): Promise<string> {
    const company = this.#command('company.create', null, { name: 'Northwind Lending', timezone: 'America/New_York' }, { newId: COMPANY });
    await this.#settle({ ...company, actor: { type: 'system', id: 'system' } }, SHARED_SHARD);
    const loanTypeId = idOf(
      await this.#settle(this.#command('loanType.create', COMPANY, { type: 'installment', name: 'Personal loan' }), SHARED_SHARD),
    );
    await this.#value(loanTypeId, FIRST_VALUE);
    return loanTypeId;
  }

  /** Gives the index another value for a past day, now and then: mass work on all loans that follow it. */
  async treasure(loanTypeId: Promise<string>, isOver: () => boolean): Promise<void> {
    const { time, random, witness } = this.parts;
    const id = await loanTypeId;
    while (!isOver() && witness.values.length < MOST_VALUES) {
      await time.pause(...PAUSE_MS.value);
      const startDate = new Date(NEWEST_VALUE_FROM - witness.values.length * DAY_MS).toISOString().slice(0, 10);
      if (!isOver()) await this.#value(id, { annualRate: (200 + random.below(800)) / 10_000, startDate });
    }
  }

  async #value(loanTypeId: string, { annualRate, startDate }: Omit<IndexValue, 'sent'>): Promise<void> {
    const sent = this.#send(this.#command('indexRate.create', COMPANY, { annualRate, startDate }, { loanTypeId }));
    this.parts.witness.values.push({ sent, annualRate, startDate });
    await this.#untilKnown(sent, SHARED_SHARD);
  }

  async live(loanTypeId: Promise<string>, isOver: () => boolean): Promise<void> {
    this.#loanTypeId = loanTypeId;
    await loanTypeId;
    const { time, random, witness } = this.parts;
    while (!isOver()) {
      await time.pause(...PAUSE_MS.turn);
      const loan = witness.loans[random.below(witness.loans.length + 1)];
      const die = random.below(10);
      if (loan === undefined || (die === 0 && witness.loans.length < 40)) await this.#borrow();
      else if (!loan.isActive) await this.#activate(loan);
      else if (die < 7 && loan.payments.length < MOST_PAYMENTS) await this.#pay(loan);
      else await this.read(loan);
    }
  }

  /** Reads the payments of the loan, and compares them with the known ones. */
  async read(loan: KnownLoan): Promise<boolean> {
    const shownBefore = loan.shown.length;
    const answer = await this.#ask(
      { type: 'query', request: this.#query('transaction.list', loan.id, { limit: 100 }, loan.personId) },
      shardOf(loan.id),
    );
    if (answer.type !== 'done') return this.#isLater(answer);
    const { items } = JSON.parse(answer.text) as { readonly items: readonly ListedPayment[] };
    this.parts.witness.checkRead(loan, shownBefore, items);
    return true;
  }

  /** Reads the next events; false when there are none. */
  async follow(follower: Follower, shard: number): Promise<boolean> {
    const { cursor } = follower;
    const query = { order: 'asc', limit: EVENT_PAGE, ...(cursor === undefined ? {} : { startingAfter: cursor }) };
    const answer = await this.#ask({ type: 'query', request: this.#query('event.list', null, query, null) }, shard);
    if (answer.type !== 'done') return !this.#isLater(answer);
    const { items } = JSON.parse(answer.text) as { readonly items: readonly SeenEvent[] };
    if (follower.cursor === cursor) for (const event of items) follower.take(event);
    return items.length > 0;
  }

  /** The answer of a query, for comparisons. */
  async answerTo(type: string, loan: KnownLoan): Promise<string> {
    for (;;) {
      const answer = await this.#ask({ type: 'query', request: this.#query(type, loan.id, {}, loan.personId) }, shardOf(loan.id));
      if (answer.type === 'done') return answer.text;
      this.#isLater(answer);
      await this.parts.time.pause(...PAUSE_MS.retry);
    }
  }

  /** The progress of one part of the service with mass work; null when no loan had to follow. */
  async mass(operationId: string, shard: number): Promise<MassShare | null> {
    for (;;) {
      const answer = await this.#ask(
        { type: 'query', request: { ...this.#query('operation.get', null, {}, null), params: { operationId } } },
        shard,
      );
      if (answer.type === 'done') return JSON.parse(answer.text) as MassShare;
      if (answer.type === 'refused' && answer.errorType === 'notFound') return null;
      this.#isLater(answer);
      await this.parts.time.pause(...PAUSE_MS.retry);
    }
  }

  /** Sends a command again under its key, until it is known whether it was accepted. */
  async again(sent: Sent): Promise<void> {
    const shard = shardOfCommand(sent.request);
    while (!(await this.#try(sent, shard))) await this.parts.time.pause(...PAUSE_MS.retry);
  }

  async #borrow(): Promise<void> {
    const { witness } = this.parts;
    const person = await this.#settle(this.#command('person.create', null, { name: { firstName: 'Ada', lastName: 'Verde' } }));
    if (person === null) return;
    const personId = idOf(person);
    const spread = this.parts.random.below(2) === 0 ? SPREAD : null;
    const loan = await this.#settle(this.#command('loan.create', personId, loanBody((await this.#loanTypeId) ?? '', spread), { personId }));
    if (loan !== null) witness.loans.push({ id: idOf(loan), personId, spread, isActive: false, payments: [], shown: [] });
  }

  async #activate(loan: KnownLoan): Promise<void> {
    if (
      await this.#settle(
        this.#command('loan.activate', loan.id, { activationDate: '2026-02-15' }, { personId: loan.personId }, `activate-${loan.id}`),
      )
    )
      loan.isActive = true;
  }

  async #pay(loan: KnownLoan): Promise<void> {
    const amount = (100 + loan.payments.length) / 100;
    const request = this.#command(
      'transaction.create',
      loan.id,
      { type: 'oneTime', amount, isExternal: true, status: 'succeeded' },
      { personId: loan.personId },
    );
    const sent = this.#send(request);
    loan.payments.push({ sent, amount });
    const reply = await this.#untilKnown(sent, shardOf(loan.id));
    if (reply === null) return;
    const id = idOf(reply);
    if (!loan.shown.includes(id)) loan.shown.push(id);
  }

  #send(request: CommandRequest): Sent {
    const sent: Sent = { request, at: this.parts.machineMs(), state: 'unknown', reply: '' };
    this.parts.witness.sent.push(sent);
    return sent;
  }

  #settle(request: CommandRequest, shard = shardOfCommand(request)): Promise<string | null> {
    return this.#untilKnown(this.#send(request), shard);
  }

  async #untilKnown(sent: Sent, shard: number): Promise<string | null> {
    const isNeeded = shard === SHARED_SHARD;
    for (let tries = 1; isNeeded || tries <= MOST_TRIES; tries++) {
      if (await this.#try(sent, shard)) return sent.reply;
      await this.parts.time.pause(...PAUSE_MS.retry);
    }
    return null;
  }

  async #try(sent: Sent, shard: number): Promise<boolean> {
    const wasKnown = sent.state === 'accepted';
    const answer = await this.#ask({ type: 'command', request: sent.request }, shard);
    if (answer.type !== 'done') return this.#isLater(answer);
    hold(
      !wasKnown || answer.replayed,
      () => `${sent.request.type} ${sent.request.commandId} was accepted before and is carried out once more`,
    );
    this.parts.witness.accept(sent, answer.text);
    return true;
  }

  #ask(ask: Ask, shard: number): Promise<Answer> {
    return this.parts.connection.ask(ask, shard);
  }

  /** False: the request may be sent again. All other answers are wrong. */
  #isLater(answer: Answer): false {
    hold(
      answer.type === 'lost' || (answer.type === 'refused' && TRY_AGAIN.has(answer.errorType)),
      () => `${this.name} is answered ${JSON.stringify(answer)}`,
    );
    return false;
  }

  #command(
    type: string,
    target: string | null,
    body: unknown,
    params: Readonly<Record<string, string>> = {},
    key?: string,
  ): CommandRequest {
    const commandId = key ?? this.#newKey(target === null && type !== 'company.create');
    return {
      commandId,
      company: COMPANY,
      mode: 'test',
      type,
      target,
      params,
      body,
      query: {},
      actor: { type: 'key', id: 'AK-TEST-TEST' },
      permissions: EVERYTHING,
      address: '127.0.0.1',
      requestId: 'request',
      idempotency: { key: commandId, digest: createHash('sha256').update(JSON.stringify(body)).digest('hex') },
    };
  }

  /** The key determines the shard of a new root: one that somebody serves. */
  #newKey(isOfRoot: boolean): string {
    for (;;) {
      this.#keys += 1;
      const key = `${this.name}-${String(this.#keys).padStart(5, '0')}`;
      if (!isOfRoot || this.parts.connection.serves(rootShardOf(key))) return key;
    }
  }

  #query(type: string, target: string | null, query: unknown, personId: string | null): QueryRequest {
    return { company: COMPANY, mode: 'test', type, target, params: personId === null ? {} : { personId }, query, permissions: EVERYTHING };
  }
}

const EVERYTHING: ReadonlySet<string> = new Set(['*']);

const idOf = (text: string | null): string => (JSON.parse(text ?? '{}') as { readonly id: string }).id;

export const shardOf = (id: string): number => ids.shardOf(id) ?? SHARED_SHARD;

/** The shard of a new root follows from its key, that of any other command from its target. */
function shardOfCommand({ type, target, commandId }: CommandRequest): number {
  if (type === 'company.create') return SHARED_SHARD;
  return target === null ? rootShardOf(commandId) : shardOf(target);
}

/** A loan that is due on the day that ends soon after the beginning. */
const loanBody = (loanTypeId: string, spread: number | null): object => ({
  type: 'installment',
  loanTypeId,
  status: 'originated',
  servicedBy: 'creditor',
  newDrawsAllowed: false,
  atOrigination: {
    amountFinanced: 10_000,
    duration: 12,
    paymentFrequency: 'monthly',
    specificDays: [15],
    interestRates: [
      spread === null ? { interestType: 'absolute', days: null, rate: 0.05 } : { interestType: 'spread', days: null, rate: spread },
    ],
    personAddress: { addressLine1: '1 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
    originationLicense: 'stateLicense',
    originatingCreditorName: 'Northwind Lending',
  },
});
