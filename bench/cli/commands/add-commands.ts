import type { Command } from 'commander';
import { addBench } from './bench.js';
import { addCheckConfig, addCluster, addGateway, addServe, addWorker } from './serve.js';
import { addCompany, addErase } from './company.js';
import { addClock } from './clock.js';
import { addDemo, addOperations } from './operations.js';
import { addExport } from './export.js';
import { addImport } from './import.js';
import { addInspect } from './inspect.js';
import { addKeys } from './keys.js';
import { addRestore } from './restore.js';
import { addSnapshot } from './snapshot.js';
import { addShards } from './shards.js';
import { addLoan } from './loan.js';
import { addSql } from './sql.js';
import { addReplay } from './replay.js';
import { addWebhooks } from './webhooks.js';
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
  addInspect(program);
  addClock(program);
  addSql(program);
  addWebhooks(program);
  addImport(program, door);
  addCheckConfig(program);
}
