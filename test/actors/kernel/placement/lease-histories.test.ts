import { setImmediate as othersTurn } from 'node:timers/promises';
import { test } from 'tap';
import type { SharedChange, SharedEntry, SharedKeyValue } from '../../../../actors/index.js';
import { KeyValueUnavailable, MemoryKeyValue } from '../../../../persistence/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { HandClock, Member } from './members.js';

const HISTORIES = 30;
const STEPS = 500;
const UNITS = ['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'shared'];

/** Connections to a store on which calls and their answers are delayed for any time, overtake each other, and get lost. */
class SlowWires {
  isQuick = false;
  readonly #underWay: (() => void)[] = [];

  constructor(
    private readonly store: SharedKeyValue,
    private readonly random: Random,
  ) {}

  get count(): number {
    return this.#underWay.length;
  }

  /** Something that is under way arrives. */
  arrive(): void {
    const [one] = this.#underWay.splice(this.random.below(Math.max(1, this.#underWay.length)), 1);
    one?.();
  }

  wire(): SharedKeyValue {
    const { store } = this;
    return {
      get: (key) => this.#ask(() => store.get(key)),
      create: (key, value) => this.#ask(() => store.create(key, value)),
      update: (key, value, revision) => this.#ask(() => store.update(key, value, revision)),
      delete: (key, revision) => this.#ask(() => store.delete(key, revision)),
      list: (prefix): Promise<readonly SharedEntry[]> => this.#ask(() => store.list(prefix)),
      watch: (prefix, signal): AsyncIterable<SharedChange> => store.watch(prefix, signal),
    };
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    await this.#travel();
    const answer = await ask();
    await this.#travel();
    if (!this.isQuick && this.random.below(12) === 0) throw new KeyValueUnavailable('the answer is lost');
    return answer;
  }

  async #travel(): Promise<void> {
    if (!this.isQuick) await new Promise<void>((resolve) => this.#underWay.push(resolve));
  }
}

/**
 * Counts a little more or less time than passes. Timers of a worker depend on it alone, so that a seed gives the same history each time.
 */
class WrongClock extends HandClock {
  readonly #waiting: { readonly until: number; readonly goOn: () => void }[] = [];

  constructor(
    at: number,
    private readonly rate: number,
  ) {
    super(at);
  }

  pass(ms: number): void {
    this.at += ms * this.rate;
    const due = this.#waiting.filter(({ until }) => until <= this.at);
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.goOn();
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((goOn) => this.#waiting.push({ until: this.at + ms, goOn }));
  }
}

interface Being {
  readonly member: Member;
  isPaused: boolean;
  /** Calls that have not ended. */
  busy: number;
}

/** Workers that pause, die, come and leave, each with a clock that runs a little wrong. */
class History {
  readonly #random: Random;
  readonly #wires: SlowWires;
  readonly #members: Being[] = [];
  /** Clocks of all members, and of those that are joining. */
  readonly #clocks: WrongClock[] = [];
  readonly #epochs = new Map<string, { readonly epoch: number; readonly name: string }>();
  #named = 0;
  /** Little arrives. */
  #isStormy = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#wires = new SlowWires(new MemoryKeyValue(), this.#random);
  }

  /** What went wrong, or undefined. */
  async run(): Promise<string | undefined> {
    this.#wires.isQuick = true;
    await this.#join();
    this.#wires.isQuick = false;
    for (let step = 0; step < STEPS; step += 1) {
      this.#act();
      await othersTurn();
      const fault = this.#fault();
      if (fault !== undefined) return `step ${step}: ${fault}`;
    }
    this.#wires.isQuick = true;
    while (this.#wires.count > 0) {
      this.#wires.arrive();
      await othersTurn();
    }
    await this.#join(); // the others may be leaving
    for (let beat = 0; beat < 40; beat += 1) {
      this.#pass(300);
      for (const { member } of this.#living()) await member.step();
      const fault = this.#fault();
      if (fault !== undefined) return `beat ${beat} of the end: ${fault}`;
    }
    const owned = this.#living().flatMap(({ member }) => UNITS.filter((unit) => member.holder.isHeld(unit)));
    return owned.length === UNITS.length ? undefined : `in the end ${owned.length} units are owned`;
  }

  /** About a tenth of a second of everybody's life. */
  #act(): void {
    this.#pass(this.#random.below(200));
    if (this.#random.below(40) === 0) this.#isStormy = !this.#isStormy;
    for (let arriving = this.#random.below(this.#isStormy ? 2 : 30); arriving > 0; arriving -= 1) this.#wires.arrive();
    if (this.#living().length < 4 && this.#random.below(25) === 0) void this.#join();
    for (const one of this.#living()) {
      if (this.#random.below(one.isPaused ? 40 : 60) === 0) one.isPaused = !one.isPaused;
      if (one.isPaused) continue;
      const { holder } = one.member;
      if (this.#random.below(300) === 0) holder.stop();
      else if (this.#random.below(200) === 0) this.#start(one, () => holder.leave());
      // oxlint-disable-next-line no-dupe-else-if -- each question draws another number
      else if (this.#random.below(3) === 0) this.#start(one, () => holder.beat());
      else if (this.#random.below(3) === 0) this.#start(one, async () => holder.look().then(() => holder.place()));
    }
  }

  #start(one: Being, work: () => Promise<void>): void {
    if (one.busy >= 4) return;
    one.busy += 1;
    void work()
      .catch(unlessAway)
      .finally(() => {
        one.busy -= 1;
      });
  }

  async #join(): Promise<void> {
    this.#named += 1;
    const name = `w${this.#named}`;
    const clock = new WrongClock(this.#random.below(1_000_000), 0.95 + this.#random.below(11) / 100);
    this.#clocks.push(clock);
    const pause = (ms: number): Promise<void> => clock.pause(ms);
    const member = await Member.join(this.#wires.wire(), name, { clock, pause, units: UNITS }).catch(unlessAway);
    if (member !== undefined) this.#members.push({ member, isPaused: false, busy: 0 });
  }

  #living(): Being[] {
    return this.#members.filter(({ member }) => !member.holder.isOver);
  }

  #pass(ms: number): void {
    for (const clock of this.#clocks) clock.pass(ms);
  }

  /** Two that own one unit, or an owner whose epoch is not larger than that of the one before it. */
  #fault(): string | undefined {
    for (const unit of UNITS) {
      const owners = this.#members.filter(({ member }) => member.holder.isHeld(unit)).map(({ member }) => member);
      if (owners.length > 1) return `unit ${unit} is owned by ${owners.map(({ name }) => name).join(' and ')}`;
      const [owner] = owners;
      const [before, epoch] = [this.#epochs.get(unit), owner?.holder.leases.get(unit)?.epoch ?? 0];
      if (owner === undefined) continue;
      if (before !== undefined && before.name !== owner.name && epoch <= before.epoch)
        return `unit ${unit} has epoch ${epoch} under ${owner.name} after ${before.epoch}`;
      this.#epochs.set(unit, { epoch, name: owner.name });
    }
    return undefined;
  }
}

function unlessAway(cause: unknown): undefined {
  if (!(cause instanceof KeyValueUnavailable)) throw cause;
}

test('no unit ever has two owners, whatever is delayed, lost or paused, and in the end each has one', async (t) => {
  t.comment(`seed ${SEED}`);
  for (let number = 0; number < HISTORIES; number += 1) {
    const seed = (SEED + number) & 0x7fff_ffff;
    const fault = await new History(seed).run();
    if (fault !== undefined) return t.fail(`seed ${seed}: ${fault}`);
  }
  return t.pass(`${HISTORIES} histories`);
});
