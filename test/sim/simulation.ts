import { createHash } from 'node:crypto';
import { Random } from '../random.js';
import { Client } from './client.js';
import { Cluster } from './cluster.js';
import { examine } from './examination.js';
import { LIMITS } from './limits.js';
import { replaceMachineParts } from './machine-parts.js';
import { Network } from './network.js';
import { OneProcess } from './one-process.js';
import { MachineClock, type Plant, type Scenario, type ScenarioParts } from './scenario.js';
import { SimProcess, VirtualTime } from './virtual-time.js';
import { Follower, Witness } from './witness.js';

/** Five seconds before the day of everybody's first due date begins. */
const BEGIN = Date.parse('2026-03-15T03:59:55Z');
const CLIENTS = 6;
/** No fault happens before the company and its product exist: without them nobody does anything. */
const FOUNDED = 2;
const LEAST_CALM_MS = 5;
const FOLLOW_MS = [5, 200] as const;

export interface RunOptions {
  readonly seed: number;
  /** Events after which the faults end and the world is examined. */
  readonly steps: number;
  /** Absent: odd seeds are clusters. */
  readonly mode?: Mode;
  readonly plant?: Plant;
  /** The faults that happen, where not all of them do. */
  readonly only?: readonly string[];
  /** The run ends with its steps: the faults do not end and nothing is compared. */
  readonly endsUnexamined?: boolean;
  /** Without event readers: faults show only in what is read of loans. */
  readonly hasNoFollowers?: boolean;
  readonly onLine?: (line: string) => void;
}

export type Mode = 'process' | 'cluster';

const modeOf = ({ seed, mode }: RunOptions): Mode => mode ?? (seed % 2 === 0 ? 'process' : 'cluster');

export interface RunResult {
  readonly mode: Mode;
  readonly seed: number;
  /** The condition that does not hold; null when all do. */
  readonly fault: string | null;
  readonly steps: number;
  readonly virtualSeconds: number;
  readonly commands: number;
  readonly reads: number;
  readonly events: number;
  readonly disturbances: number;
  /** Digest of everything that happened: the same seed gives the same. */
  readonly digest: string;
}

/** One world from its beginning to its end. Everything in it follows from the seed. */
export async function simulate(options: RunOptions): Promise<RunResult> {
  const random = new Random(options.seed);
  const time = new VirtualTime(random);
  const putBack = replaceMachineParts(time, random);
  try {
    return await new Simulation(options, random, time).run();
  } finally {
    putBack();
  }
}

class Simulation {
  readonly #witness = new Witness();
  readonly #hash = createHash('sha256');
  readonly #parts: ScenarioParts;
  readonly #scenario: Scenario;
  readonly #followers: readonly (readonly [Follower, Follower])[];
  #fault: string | null = null;
  #disturbances = 0;
  #isQuiet = false;

  constructor(
    private readonly options: RunOptions,
    random: Random,
    time: VirtualTime,
  ) {
    this.#parts = {
      time,
      random,
      clock: new MachineClock(BEGIN, time),
      network: new Network(time, random),
      witness: this.#witness,
      plant: options.plant ?? {},
      trace: (line) => this.#trace(line),
      fail: (cause) => this.#fail(cause),
    };
    this.#scenario = modeOf(options) === 'cluster' ? new Cluster(this.#parts) : new OneProcess(this.#parts);
    this.#followers =
      options.hasNoFollowers === true
        ? []
        : this.#scenario.eventSources.map(({ name }) => [
            new Follower(`the first follower of ${name}`),
            new Follower(`the second follower of ${name}`),
          ]);
  }

  async run(): Promise<RunResult> {
    const { time } = this.#parts;
    const steps = this.options.steps * (modeOf(this.options) === 'cluster' ? LIMITS.clusterSteps : 1);
    this.#scenario.start();
    const clients = this.#startClients();
    this.#disturbLater();
    await time.run(() => this.#fault !== null || time.steps >= steps);
    let isExamined = this.#fault !== null || this.options.endsUnexamined === true;
    if (!isExamined) {
      this.#rest();
      void this.#as('the examiner', async (examiner) => {
        await clients;
        await examine(this.#parts, this.#scenario, examiner, this.#followers);
        isExamined = true;
      });
    }
    await time.run(() => this.#fault !== null || isExamined || time.steps > steps + LIMITS.stepsOfRest);
    if (!isExamined && this.#fault === null) this.#fault = 'the service does not come to rest';
    return this.#result();
  }

  #result(): RunResult {
    const { time } = this.#parts;
    return {
      seed: this.options.seed,
      mode: modeOf(this.options),
      fault: this.#fault,
      steps: time.steps,
      virtualSeconds: Math.round(time.now / 1000),
      commands: this.#witness.accepted,
      reads: this.#witness.reads,
      events: this.#followers.reduce((sum, [{ seen }]) => sum + seen.length, 0),
      disturbances: this.#disturbances,
      digest: this.#hash.digest('hex').slice(0, 16),
    };
  }

  #startClients(): Promise<unknown> {
    const { time } = this.#parts;
    const isOver = (): boolean => this.#isQuiet;
    let founded: (loanTypeId: string) => void = () => undefined;
    const loanTypeId = new Promise<string>((resolve) => {
      founded = resolve;
    });
    void this.#as('the founder', async (founder) => founded(await founder.found()));
    const treasurer = this.#as('the treasurer', (client) => client.treasure(loanTypeId, isOver));
    const living = Array.from({ length: CLIENTS }, (_, index) =>
      this.#as(`client ${index + 1}`, (client) => client.live(loanTypeId, isOver)),
    );
    const following = this.#followers.flatMap((pair, index) =>
      pair.map((follower) =>
        this.#as(follower.name, async (client) => {
          while (!isOver()) {
            await time.pause(...FOLLOW_MS);
            await client.follow(follower, this.#scenario.eventSources[index]?.shard ?? 0);
          }
        }),
      ),
    );
    return Promise.all([treasurer, ...living, ...following]);
  }

  /** A client outside of the service, who lives as long as the world. */
  #as(name: string, live: (client: Client) => Promise<void>): Promise<void> {
    const { time, random, clock } = this.#parts;
    const process = new SimProcess(name);
    const client = new Client(name, {
      time,
      random,
      connection: this.#scenario.connect(process),
      witness: this.#witness,
      machineMs: () => clock.now(),
    });
    return time.within(process, () => live(client)).catch((cause: unknown) => this.#fail(cause));
  }

  #disturbLater(): void {
    const { time } = this.#parts;
    time.after(
      time.between(LEAST_CALM_MS, this.#scenario.calmMs),
      () => {
        if (this.#isQuiet) return;
        if (this.#witness.accepted >= FOUNDED) this.#disturb();
        this.#disturbLater();
      },
      null,
    );
  }

  #disturb(): void {
    const { random, network } = this.#parts;
    const { only } = this.options;
    const all = [
      ...this.#scenario.disturbances,
      { name: 'the weather changes', weight: 3, happen: () => this.#changeWeather() },
      { name: 'the clock jumps', weight: 2, happen: () => this.#jump() },
    ].filter(({ name, isDisaster }) => (only === undefined ? isDisaster !== true : only.includes(name)));
    let drawn = random.below(all.reduce((sum, { weight }) => sum + weight, 0));
    const chosen = all.find(({ weight }) => (drawn -= weight) < 0);
    if (chosen === undefined) return;
    this.#disturbances += 1;
    this.#trace(`-- ${chosen.name}`);
    chosen.happen();
    if (chosen.name.includes('weather')) this.#trace(`   ${JSON.stringify(network.weather)}`);
  }

  #changeWeather(): void {
    const {
      random,
      network: { weather },
    } = this.#parts;
    weather.lostPercent = random.below(2) * random.below(20);
    weather.doubledPercent = random.below(2) * random.below(30);
    weather.latePercent = random.below(2) * random.below(20);
  }

  /** As an operator or a time server may set it: ahead or back. */
  #jump(): void {
    const { random, clock } = this.#parts;
    clock.jump(random.below(2 * LIMITS.clockJumpMs) - LIMITS.clockJumpMs);
  }

  #rest(): void {
    this.#isQuiet = true;
    this.#trace('-- the world comes to rest');
    Object.assign(this.#parts.network.weather, { lostPercent: 0, doubledPercent: 0, latePercent: 0 });
    this.#scenario.heal();
  }

  #trace(line: string): void {
    const text = `${this.#parts.time.now.toFixed(3).padStart(11)} ${line}`;
    this.#hash.update(text);
    this.options.onLine?.(text);
  }

  #fail(cause: unknown): void {
    this.#fault ??= cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    this.#trace(`-- FAULT ${String(cause)}`);
  }
}
