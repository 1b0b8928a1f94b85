import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { ShardsReport } from '../../actors/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { unlessBroken } from '../service/patience.js';
import type { Answer } from '../service/service.js';
import type { TestCluster } from './test-cluster.js';

/** Longest wait until the damaged part serves again, in milliseconds. */
const HEALED_MS = 120_000;
/** Longest time until a request is refused, in milliseconds, and a margin for a busy machine. */
const REFUSED_MS = LIMITS.requestMs + 15_000;
const CALLERS = 6;
/** Pause of a caller between two requests, in milliseconds. */
const REST_MS = 10;
/** The same after so many acknowledged requests: while the damaged part heals, most callers wait for it in any case. */
const LONG_REST_MS = 60;
const BUSY = 240;
/** Acknowledged requests after which a fault is injected. */
const UNDER_WAY = 24;
/** Requests that are checked together afterwards. */
const TOGETHER = 16;

interface Created {
  readonly key: string;
  readonly id: string;
}

/** Creates borrowers until it is stopped, each under a key of its own; keeps which requests were acknowledged and which were not. */
export class Load {
  readonly acknowledged: Created[] = [];
  readonly unanswered: string[] = [];
  /** Statuses of refused requests. */
  readonly refusals: Answer[] = [];
  #isStopped = false;
  readonly #running: Promise<unknown>;

  private constructor(
    private readonly cluster: TestCluster,
    private readonly gateway: number,
    private readonly before: number,
  ) {
    this.#running = Promise.all(Array.from({ length: CALLERS }, () => this.#run()));
  }

  /** The first external ids of a new cluster wait until unknown earlier claims would have expired. */
  static async underWay(t: Test, cluster: TestCluster, gateway = 0): Promise<Load> {
    const load = new Load(cluster, gateway, await countPeople(cluster, gateway));
    t.ok(await until(async () => load.acknowledged.length >= UNDER_WAY), 'a load is under way');
    return load;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** True when as many requests in a row are refused as there are callers: no caller gets through any more. */
  async isRefused(): Promise<boolean> {
    let [acknowledged, refused] = [this.acknowledged.length, this.refusals.length];
    return until(async () => {
      if (this.acknowledged.length > acknowledged) [acknowledged, refused] = [this.acknowledged.length, this.refusals.length];
      return this.refusals.length >= refused + CALLERS;
    });
  }

  /** True when so many more are acknowledged than now. */
  async goesOn(): Promise<boolean> {
    const wanted = this.acknowledged.length + UNDER_WAY;
    return until(async () => this.acknowledged.length >= wanted);
  }

  /** Each acknowledged borrower exists, and each repeated request gets the same answer or is carried out now: once in all. */
  async nothingIsLost(t: Test, gateway = this.gateway): Promise<void> {
    await this.stop();
    const { cluster, acknowledged, unanswered } = this;
    t.ok(acknowledged.length > 0, `${acknowledged.length} acknowledged, ${unanswered.length} not`);
    await inGroups(acknowledged, async ({ key, id }) => {
      const again = await answeredUnder(cluster, key, gateway);
      if (again.status !== 200 || idOf(again) !== id || !again.replayed) t.same(again, { status: 200, id }, `the retry of ${id}`);
      const read = await cluster.insist('GET', `/people/${id}`, undefined, gateway);
      if (read.status !== 200) t.equal(read.status, 200, `${id} is there`);
    });
    await inGroups(unanswered, async (key) => {
      const { status } = await answeredUnder(cluster, key, gateway);
      if (status !== 200) t.equal(status, 200, `what was not answered is carried out: ${key}`);
    });
    t.equal(await countPeople(cluster, gateway), this.before + acknowledged.length + unanswered.length, 'nothing was applied twice');
  }

  async #run(): Promise<void> {
    for (; !this.#isStopped; await pause(this.acknowledged.length < BUSY ? REST_MS : LONG_REST_MS)) {
      const key = randomUUID();
      const answer = await createUnder(this.cluster, key, this.gateway);
      if (answer === null || answer.status === 503) this.unanswered.push(key);
      else if (answer.status === 200) this.acknowledged.push({ key, id: idOf(answer) });
      else throw new Error(`a borrower was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
      if (answer?.status === 503) this.refusals.push(answer);
    }
  }
}

export const idOf = ({ json }: Answer): string => (json['data'] as { readonly id: string }).id;

/** Null when the connection broke. */
export async function createUnder({ ask }: TestCluster, key: string, gateway = 0): Promise<Answer | null> {
  return ask('POST', '/people', { externalId: `x-${key}`, name: { firstName: 'Ada', lastName: 'Verde' } }, gateway, {
    'idempotency-key': key,
  }).catch(unlessBroken);
}

/** The same until it is no longer refused: the damaged part may still be recovering. */
async function answeredUnder(cluster: TestCluster, key: string, gateway: number): Promise<Answer> {
  for (const end = performance.now() + HEALED_MS; performance.now() < end; await pause(200)) {
    const answer = await createUnder(cluster, key, gateway);
    if (answer !== null && answer.status !== 503 && answer.json['errorType'] !== 'idempotencyInProgress') return answer;
  }
  throw new Error(`${key} was refused for ${HEALED_MS} ms`);
}

async function countPeople({ insist }: TestCluster, gateway: number): Promise<number> {
  return Number((await insist('GET', '/people?limit=1', undefined, gateway)).json['total']);
}

async function inGroups<T>(all: readonly T[], look: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  await Promise.all(
    Array.from({ length: TOGETHER }, async () => {
      for (const one of waiting) await look(one);
    }),
  );
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + HEALED_MS; performance.now() < end; await pause(100)) if (await holds()) return true;
  return false;
}

/** A write that cannot be carried out now is refused in time. */
export async function isRefusedInTime(t: Test, cluster: TestCluster, { unanswered }: Load): Promise<void> {
  const begun = performance.now();
  const key = randomUUID();
  const answer = await createUnder(cluster, key);
  unanswered.push(key);
  t.match(answer, { status: 503 });
  t.ok(Number(answer?.retryAfterSeconds) > 0, 'with a time after which to try again');
  t.ok(performance.now() - begun < REFUSED_MS, 'within bounds');
}

/** How many units the worker of the name serves. */
export async function unitsOf({ gateways }: TestCluster, name: string, gateway = 0): Promise<number> {
  const reply = await fetch(`${gateways[gateway]?.url ?? ''}/health/shards`).catch(unlessBroken);
  if (reply?.status !== 200) return 0;
  return ((await reply.json()) as ShardsReport).units.filter(({ owner, state }) => owner === name && state === 'serving').length;
}

/** Reads over all units, several times in a row. */
export const serves =
  (cluster: TestCluster, gateway = 0) =>
  async (): Promise<boolean> =>
    (await Promise.all(Array.from({ length: 4 }, () => isRead(cluster, gateway)))).every(Boolean);

async function isRead({ ask }: TestCluster, gateway: number): Promise<boolean> {
  return (await ask('GET', '/people?limit=1', undefined, gateway).catch(() => null))?.status === 200;
}
