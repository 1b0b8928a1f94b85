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
import { addLetters, addMessages } from './messages.js';
import { addWebhooks } from './webhooks.js';
import { addVerify } from './verify.js';
import type { Access } from '../../access.js';

/** Every subcommand of `tenor`. */
export function addCommands(program: Command, access: Access): void {
  addServe(program, access);
  addWorker(program, access);
  addGateway(program, access);
  addCluster(program);
  addCompany(program, access);
  addErase(program, access);
  addDemo(program);
  addVerify(program, access);
  addExport(program, access);
  addRestore(program, access);
  addSnapshot(program);
  addLoan(program, access);
  addReplay(program, access);
  addBench(program, access);
  addKeys(program, access);
  addShards(program, access);
  addOperations(program);
  addInspect(program, access);
  addClock(program);
  addSql(program);
  addWebhooks(program);
  addMessages(program);
  addLetters(program);
  addImport(program, access);
  addCheckConfig(program);
}
