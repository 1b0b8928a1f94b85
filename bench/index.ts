import type { Command } from 'commander';
import { addBench } from './commands/bench.js';
import { addCheckConfig } from './commands/check-config.js';
import { addCompany } from './commands/company.js';
import { addClock } from './commands/clock.js';
import { addCluster } from './commands/cluster.js';
import { addDemo } from './commands/demo.js';
import { addErase } from './commands/erase.js';
import { addGateway } from './commands/gateway.js';
import { addImport } from './commands/import.js';
import { addKeys } from './commands/keys.js';
import { addOperations } from './commands/operations.js';
import { addServe } from './commands/serve.js';
import { addShards } from './commands/shards.js';
import { addLoan } from './commands/loan.js';
import { addReplay } from './commands/replay.js';
import { addWorker } from './commands/worker.js';
import { addVerify } from './commands/verify.js';
import type { Door } from './house.js';

export type { DemoResult } from './demo/run-demo.js';
export { type NatsProcess, startNats } from './cluster/nats-server.js';
export { type ClusterOptions, type Member, runCluster, type RunningCluster } from './cluster/run-cluster.js';
export { latenciesOf, median } from './figures/statistics.js';
export { generateLoad } from './load/open-loop.js';
export { Random } from './random.js';
export { textTable } from './text-table.js';
export { EXIT, type Door, type GatewayHouse, type House, type WorkerHouse, type Serving, type Workshop } from './house.js';
export { importFile, type ImportOptions, type ImportSummary } from './import/import-file.js';
export { type Mapping, MappingError, readMapping } from './import/mapping.js';
export { noProgress } from './import/progress.js';
export { lookupsOf } from './service/lookups.js';
export { reportRecovery } from './service/report-recovery.js';
export { UsageError } from './usage-error.js';
export { addressesOf, rateLimitOf, readSettings, type Settings } from './settings.js';

/** Every subcommand of `tenor`. */
export function addCommands(program: Command, door: Door): void {
  addServe(program, door);
  addWorker(program, door);
  addGateway(program, door);
  addCluster(program);
  addCompany(program, door);
  addErase(program, door);
  addDemo(program);
  addVerify(program, door);
  addLoan(program, door);
  addReplay(program, door);
  addBench(program, door);
  addKeys(program, door);
  addShards(program, door);
  addOperations(program);
  addClock(program);
  addImport(program, door);
  addCheckConfig(program);
}
