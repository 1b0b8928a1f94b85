import { parseLease, parseWorker } from '../placement/index.js';
import type { EngineState, EngineStatus } from '../shard/engine-status.js';
import type { Bus, SharedKeyValue } from '../ports.js';
import { CLUSTER_LIMITS } from './limits.js';
import { UNITS } from './units.js';

/** `recovering`: being opened. `stopped`: its last opening has failed. */
export interface UnitStatus extends Omit<EngineStatus, 'state'> {
  readonly unit: string;
  readonly state: EngineState | 'recovering' | 'stopped';
}

/** What a process says of itself. */
export interface ProcessStatus {
  readonly name: string;
  readonly pid: number;
  readonly upSeconds: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Since the last beat of its leases that was acknowledged; null for a process that needs none. */
  readonly beatAgeSeconds: number | null;
  readonly units: readonly UnitStatus[];
}

/** A unit, whoever owns it. */
export interface ShardsLine extends Omit<UnitStatus, 'state'> {
  /** The name of its process; null while nobody owns it. */
  readonly owner: string | null;
  /** Grows with each change of owner; null in one process. */
  readonly epoch: number | null;
  /** `unowned`: nobody has it. `silent`: its owner does not answer. */
  readonly state: UnitStatus['state'] | 'unowned' | 'silent';
}

/** How all shards stand, and the processes that own them. */
export interface ShardsReport {
  readonly units: readonly ShardsLine[];
  readonly processes: readonly Omit<ProcessStatus, 'units'>[];
}

const NOTHING_KNOWN: Omit<UnitStatus, 'unit' | 'state' | 'reason' | 'shards'> = {
  unstoredRecords: 0,
  snapshotAgeSeconds: 0,
  loans: null,
  awake: 0,
  quarantined: 0,
  recoveredRecords: 0,
  recoverySeconds: 0,
  clockAheadSeconds: 0,
  dayClosingLateSeconds: 0,
  dayWorkWaiting: 0,
  massWorks: [],
};

/** Of a unit that is not served yet: what went wrong when it was opened last, if it was. */
export const openingStatus = (unit: string, trouble: string | null): UnitStatus => ({
  unit,
  ...NOTHING_KNOWN,
  state: trouble === null ? 'recovering' : 'stopped',
  reason: trouble,
  shards: (UNITS.find(({ name }) => name === unit)?.shards ?? []).map((shard) => ({ shard, journal: null, snapshot: null })),
});

/** What a process says of itself, beside how its units stand. */
export function processStatus(name: string, units: readonly UnitStatus[], beatAgeSeconds: number | null): ProcessStatus {
  const { rss, heapUsed } = process.memoryUsage();
  return { name, pid: process.pid, upSeconds: Math.round(process.uptime()), rssBytes: rss, heapBytes: heapUsed, beatAgeSeconds, units };
}

/** The report of one process that owns all. */
export function reportOfProcess({ units, ...own }: ProcessStatus): ShardsReport {
  return { units: units.map((unit) => ({ ...unit, owner: own.name, epoch: null })), processes: [own] };
}

const addressOf = (worker: string): string => `status.${worker}`;

/** Lets a worker be asked how it stands, by the name of its leases. */
export const serveStatus = (bus: Bus, worker: string, status: () => ProcessStatus): Promise<() => Promise<void>> =>
  bus.serve(addressOf(worker), () => Promise.resolve(Buffer.from(JSON.stringify(status()))));

/** Asks the records of leases who owns what, and each worker how it stands. Throws what the store throws. */
export async function clusterReport(records: SharedKeyValue, bus: Bus): Promise<ShardsReport> {
  const entries = await records.list('');
  const below = (kind: string): typeof entries => entries.filter(({ key }) => key.startsWith(`${kind}.`));
  const names = new Map(below('workers').map(({ key, value }) => [key.slice('workers.'.length), parseWorker(value).address]));
  const leases = new Map(below('leases').map(({ value }) => [parseLease(value).unit, parseLease(value)]));
  const answers = await Promise.all([...names.keys()].map(async (worker) => [worker, await askStatus(bus, worker)] as const));
  const statuses = new Map(answers);
  const units = UNITS.map(({ name }): ShardsLine => {
    const lease = leases.get(name);
    const owner = lease?.worker ?? null;
    const common = { owner: owner === null ? null : (names.get(owner) ?? null), epoch: lease?.epoch ?? null };
    if (owner === null || !names.has(owner))
      return { ...openingStatus(name, null), ...common, state: 'unowned', reason: 'no worker owns it' };
    const status = statuses.get(owner);
    if (!status) return { ...openingStatus(name, null), ...common, state: 'silent', reason: 'its worker does not answer' };
    return { ...(status.units.find(({ unit }) => unit === name) ?? openingStatus(name, null)), ...common };
  });
  return { units, processes: answers.flatMap(([, status]) => (status ? [withoutUnits(status)] : [])) };
}

const withoutUnits = ({ units: _units, ...own }: ProcessStatus): Omit<ProcessStatus, 'units'> => own;

/** Null where no answer comes. */
async function askStatus(bus: Bus, worker: string): Promise<ProcessStatus | null> {
  try {
    return JSON.parse(Buffer.from(await bus.ask(addressOf(worker), new Uint8Array(), CLUSTER_LIMITS.statusMs)).toString()) as ProcessStatus;
  } catch {
    return null;
  }
}
