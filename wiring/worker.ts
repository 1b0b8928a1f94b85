import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type EngineParts,
  LeaseHolder,
  type ProcessStatus,
  processStatus,
  reportOfProcess,
  RUNTIME_LIMITS,
  serveStatus,
  UNITS,
  Worker,
  workerKey,
} from '../actors/index.js';
import { addressesOf, type Settings, type WorkerService } from '../bench/index.js';
import { type Readiness, startOperatorServer } from '../gateway/index.js';
import { ThreadHeartbeat } from '../persistence/index.js';
import { arrangeCollection } from './garbage-collection.js';
import { joinCluster, type Membership, membersOf } from './membership.js';
import { natsOf } from './settings.js';

/** Joins the cluster as a worker, and takes the units that fall to it. */
export async function openWorker(settings: Settings): Promise<WorkerService> {
  arrangeCollection();
  const member = await joinCluster(settings, 'worker');
  const report: EngineParts['report'] = (level, message, details) => member.log[level](details ?? {}, message);
  const folderOf = (unit: string): string => join(settings.dataFolder, 'units', unit);
  const worker: Worker = new Worker({
    bus: member.bus,
    report,
    isHeld: (unit) => leases.isHeld(unit),
    open: (unit, acknowledged) => member.open(unit, folderOf(unit.name), { isHeld: () => leases.isHeld(unit.name), acknowledged }),
  });
  const leases = await leasesOf(settings, member, worker, report);
  const status = (): ProcessStatus => processStatus(member.name, worker.status(), leases.beatAgeMs / 1000);
  const readiness = (): Readiness => ({
    ready: leases.isAwake && worker.isWritable,
    parts: { leases: leases.isAwake ? 'held' : 'late', units: worker.isWritable ? 'writable' : 'readOnly' },
  });
  measure(member, worker, leases, readiness);
  const silence = await serveStatus(member.bus, leases.worker, status);
  const pages = await operatorPagesOf(settings, member, readiness, status);
  leases.run();
  return {
    name: member.name,
    operatorUrl: pages && `http://${settings.host}:${pages.port}`,
    ended: leases.ended,
    async close() {
      await leases.leave();
      await worker.settled();
      await silence();
      await pages?.close();
      await member.close();
    },
  };
}

async function leasesOf(
  settings: Settings,
  { name, records }: Membership,
  owner: Worker,
  report: EngineParts['report'],
): Promise<LeaseHolder> {
  const id = `${name}-${randomBytes(4).toString('hex')}`;
  const heartbeat = await ThreadHeartbeat.start({
    nats: natsOf(settings),
    name: `${settings.cluster} heartbeat of ${id}`,
    bucket: membersOf(settings.cluster),
    key: workerKey(id),
    beatMs: RUNTIME_LIMITS.leaseBeatMs,
    stallMs: RUNTIME_LIMITS.workerStallMs,
  });
  return LeaseHolder.join({ records, worker: id, address: name, units: UNITS.map((unit) => unit.name), owner, heartbeat, report });
}

function measure({ metrics }: Membership, worker: Worker, leases: LeaseHolder, readiness: () => Readiness): void {
  metrics.readUnits(() => worker.status());
  metrics.read({
    tenor_ready: () => Number(readiness().ready),
    tenor_leases_held: () => leases.leases.size,
    tenor_lease_beat_age_seconds: () => leases.beatAgeMs / 1000,
    tenor_lease_beats_missed_total: () => leases.beatsMissed,
  });
}

/** Health and metrics of the worker itself; null where the settings name no port for them. */
async function operatorPagesOf(
  settings: Settings,
  { metrics, log }: Membership,
  readiness: () => Readiness,
  status: () => ProcessStatus,
): Promise<Awaited<ReturnType<typeof startOperatorServer>> | null> {
  if (settings.operatorPort === null) return null;
  return startOperatorServer({
    host: settings.host,
    port: settings.operatorPort,
    operators: addressesOf(settings.operators),
    trustedProxies: addressesOf(settings.trustedProxies),
    registry: metrics.registry,
    readiness,
    shards: () => Promise.resolve(reportOfProcess(status())),
    onFailure: (cause) => log.error({ err: cause }, 'a page failed'),
  });
}
