import {
  LeaseHolder,
  type Lease,
  type LeaseTimes,
  type MonotonicClock,
  type Heartbeat,
  type SharedKeyValue,
} from '../../../../actors/index.js';

export const UNITS: readonly string[] = Array.from({ length: 65 }, (_, at) => `u${String(at).padStart(2, '0')}`);
/** Nothing passes by itself: a test sets the clocks. */
export const TIMES: LeaseTimes = { ttlMs: 2_500, holdMs: 2_000, beatMs: 400, graceMs: 6_000, settleMs: 0 };

export class HandClock implements MonotonicClock {
  constructor(public at: number) {}
  now(): number {
    return this.at;
  }
}

/** A worker with a clock of its own, and the calls that it has received. */
export class Member {
  readonly taken: Lease[] = [];
  readonly givenUp: string[] = [];
  readonly lost: string[] = [];
  /** Giving up waits for it. */
  serving: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: string,
    readonly clock: HandClock,
    private readonly joined: { holder?: LeaseHolder },
  ) {}

  static async join(
    records: SharedKeyValue,
    name: string,
    {
      clock = new HandClock(0),
      times = TIMES,
      units = UNITS,
      pause,
      heartbeat,
    }: {
      clock?: HandClock;
      times?: LeaseTimes;
      units?: readonly string[];
      pause?: (ms: number) => Promise<void>;
      heartbeat?: Heartbeat;
    } = {},
  ): Promise<Member> {
    const joined: { holder?: LeaseHolder } = {};
    const member = new Member(name, clock, joined);
    joined.holder = await LeaseHolder.join({
      records,
      worker: name,
      address: `tenor.${name}`,
      units,
      clock,
      times,
      ...(pause === undefined ? {} : { pause }),
      ...(heartbeat === undefined ? {} : { heartbeat }),
      owner: {
        taken: (leases) => void member.taken.push(...leases),
        giveUp: async (given) => {
          await member.serving;
          member.givenUp.push(...given);
        },
        lost: (gone) => void member.lost.push(...gone),
      },
      report: () => undefined,
    });
    return member;
  }

  get holder(): LeaseHolder {
    if (this.joined.holder === undefined) throw new Error(`${this.name} has not joined`);
    return this.joined.holder;
  }

  /** The units that it serves at this moment. */
  get units(): readonly string[] {
    return UNITS.filter((unit) => this.holder.isHeld(unit));
  }

  /** Everything that a worker does with each beat. */
  async step(): Promise<void> {
    await this.holder.beat();
    await this.holder.look();
    await this.holder.place();
  }
}

/** The members do their work until nothing moves any more and all records are known. */
export async function settle(...members: readonly Member[]): Promise<void> {
  for (let before = ''; ; ) {
    for (const member of members) await member.step();
    const now = JSON.stringify(members.map(({ units }) => units));
    if (now === before) break;
    before = now;
  }
  for (const { holder } of members) await holder.look();
}
