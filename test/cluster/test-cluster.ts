import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { type ClusterOptions, type RunningCluster, runCluster } from '../../bench/index.js';
import { patient } from '../service/patience.js';
import type { Ask } from '../service/spread-loans.js';
import { type Answer, askAt, LIVE_KEY, TEST_KEY } from '../service/service.js';

type Test = { teardown(run: () => void | Promise<void>): void };

export interface TestCluster extends RunningCluster {
  /** Its data folder. */
  readonly data: string;
  /** Through the first gateway, or another. */
  ask(method: string, path: string, body?: unknown, gateway?: number, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The same until it is not temporarily refused. */
  insist: TestCluster['ask'];
}

/** A cluster of processes on free ports of this machine, removed after the test. */
export async function testCluster(t: Test, options: Partial<ClusterOptions> = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-cluster-'));
  const cluster = await runCluster({
    workers: 2,
    gateways: 1,
    port: 0,
    data: folder,
    ...options,
    environment: { TENOR_TEST_KEY: TEST_KEY, TENOR_LIVE_KEY: LIVE_KEY, ...options.environment },
  });
  t.teardown(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const urlOf = (gateway: number): string => must(must(cluster.gateways[gateway], `gateway ${gateway}`).url, 'a gateway has an address');
  const through =
    (gateway: number): Ask =>
    (method, path, body, headers = {}) =>
      askAt(urlOf(gateway), method, path, body, headers);
  return {
    ...cluster,
    data: folder,
    ask: (method, path, body, gateway = 0, headers = {}) => through(gateway)(method, path, body, headers),
    insist: (method, path, body, gateway = 0, headers = {}) => patient(through(gateway))(method, path, body, headers),
  };
}
