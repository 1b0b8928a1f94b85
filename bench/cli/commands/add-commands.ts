import type { Command } from 'commander';
import { addBench } from './bench.js';
import { addCheckConfig } from './check-config.js';
import { addCompany } from './company.js';
import { addClock } from './clock.js';
import { addCluster } from './cluster.js';
import { addDemo } from './demo.js';
import { addErase } from './erase.js';
import { addExport } from './export.js';
import { addGateway } from './gateway.js';
import { addImport } from './import.js';
import { addKeys } from './keys.js';
import { addOperations } from './operations.js';
import { addRestore } from './restore.js';
import { addServe } from './serve.js';
import { addSnapshot } from './snapshot.js';
import { addShards } from './shards.js';
import { addLoan } from './loan.js';
import { addReplay } from './replay.js';
import { addWebhooks } from './webhooks.js';
import { addWorker } from './worker.js';
import { addVerify } from './verify.js';
import type { Door } from '../../house.js';

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
  addExport(program, door);
  addRestore(program, door);
  addSnapshot(program);
  addLoan(program, door);
  addReplay(program, door);
  addBench(program, door);
  addKeys(program, door);
  addShards(program, door);
  addOperations(program);
  addClock(program);
  addWebhooks(program);
  addImport(program, door);
  addCheckConfig(program);
}
