import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { OperationView, ReplayManyRequest } from '../../actors/index.js';
import { watchOperation } from './watch-operation.js';
import type { Operator } from './replay-operator.js';

export interface ReplayRun {
  readonly order: ReplayManyRequest;
  /** Where the report of a dry run goes; null = nowhere. */
  readonly reportFile: string | null;
  readonly isQuiet: boolean;
}

/** Orders the replay, watches it to its end, and writes the report of a dry run. */
export async function runReplay(operator: Operator, { order, reportFile, isQuiet }: ReplayRun): Promise<OperationView> {
  const operationId = await operator.replay(order);
  const ended = await watchOperation(() => operator.state(operationId), { isQuiet });
  if (reportFile !== null) await writeReport(operator, operationId, reportFile);
  return ended;
}

async function writeReport(operator: Operator, operationId: string, file: string): Promise<void> {
  const out = createWriteStream(file);
  for await (const text of operator.report(operationId)) if (!out.write(text)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}
