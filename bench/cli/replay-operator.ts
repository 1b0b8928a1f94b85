import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OperationView, QueryRequest, ReplayManyRequest, Tenant } from '../../actors/index.js';
import { ask } from '../../gateway/index.js';
import type { Service } from '../access.js';
import type { RunningService } from './commands/running-service.js';
import { UsageError } from './lookups.js';
import { watchOperation } from './operation-views.js';

type Value = string | boolean | readonly string[];

const text = (value: string): Value => value;
const list = (value: string): Value => value.split(',');

/** Filters by the names of `GET /loans`. */
const FILTERS: {
  readonly [Name in Exclude<keyof ReplayManyRequest, 'loanIds' | 'all' | 'fromDate' | 'reason' | 'dryRun' | 'hold'>]: (
    value: string,
  ) => Value;
} = {
  statuses: list,
  labels: list,
  managedByService: (value) => value === 'true',
  loanTypeId: text,
  dueDate: text,
  createdAtAfter: text,
  createdAtBefore: text,
  updatedAtAfter: text,
  updatedAtBefore: text,
  originatedAtAfter: text,
  originatedAtBefore: text,
  activatedAtAfter: text,
  activatedAtBefore: text,
};

/** `statuses=active,frozen&dueDate=2026-01-01`, as in the address of a list. */
export function filterOf(query: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => {
      const read = (FILTERS as Readonly<Record<string, ((value: string) => Value) | undefined>>)[name];
      if (!read) throw new UsageError(`There is no filter ${name}; there are ${Object.keys(FILTERS).join(', ')}.`);
      return [name, read(value)];
    }),
  );
}

/** Carries out the orders of an operator: on a running service, or on the data folder of a stopped one. */
export interface Operator {
  /** The operation's id. */
  replay(order: ReplayManyRequest): Promise<string>;
  state(operationId: string): Promise<OperationView>;
  report(operationId: string): AsyncIterable<string>;
  close(): Promise<void>;
}

export function localOperator({ engine, ...service }: Service, { company, mode }: Tenant): Operator {
  const of = (operationId: string, query: object = {}): Omit<QueryRequest, 'type'> => ({
    company,
    mode,
    target: null,
    params: { operationId },
    query,
    permissions: new Set(['*']),
  });
  return {
    async replay(order) {
      const { operationId = '' } = await engine.execute({
        commandId: randomUUID(),
        company,
        mode,
        type: 'operation.replay',
        target: company,
        params: {},
        body: order,
        query: {},
        actor: { type: 'system', id: 'operator' },
        permissions: new Set(['*']),
        address: null,
        requestId: 'replay',
      });
      return operationId;
    },
    state: (operationId) => ask(engine, { ...of(operationId), type: 'operation.get' }),
    async *report(operationId) {
      for (let part = 0, parts = 1; part < parts; part += 1) {
        const read = await ask(engine, { ...of(operationId, { part }), type: 'operation.report' });
        parts = read.parts;
        yield read.text;
      }
    },
    close: () => service.close(),
  };
}

export function remoteOperator(service: RunningService): Operator {
  return {
    replay: async (order) => (await service.post<{ readonly operationId: string }>('/operations/replays', order)).operationId,
    state: (operationId) => service.get(`/operations/${operationId}`),
    report: (operationId) => service.text(`/operations/${operationId}/report`),
    close: () => Promise.resolve(),
  };
}

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
  await pipeline(Readable.from(operator.report(operationId)), createWriteStream(file));
}
