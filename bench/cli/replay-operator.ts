import { randomUUID } from 'node:crypto';
import type { OperationView, ReplayManyRequest, Tenant } from '../../actors/index.js';
import type { RunningService } from './commands/running-service.js';
import type { House } from '../house.js';

/** Who carries out what an operator asks: a running service, or the data folder of one that is stopped. */
export interface Operator {
  /** The operation's id. */
  replay(order: ReplayManyRequest): Promise<string>;
  state(operationId: string): Promise<OperationView>;
  report(operationId: string): AsyncIterable<string>;
  close(): Promise<void>;
}

export function operatorOfHouse({ engine, ...house }: House, { company, mode }: Tenant): Operator {
  const ask = (type: string, operationId: string, query: unknown = {}): Promise<unknown> =>
    engine.query({ company, mode, type, target: null, params: { operationId }, query, permissions: new Set(['*']) });
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
    state: async (operationId) => (await ask('operation.get', operationId)) as OperationView,
    async *report(operationId) {
      for (let part = 0, parts = 1; part < parts; part += 1) {
        const read = (await ask('operation.report', operationId, { part })) as { readonly text: string; readonly parts: number };
        parts = read.parts;
        yield read.text;
      }
    },
    close: () => house.close(),
  };
}

export function operatorOfService(service: RunningService): Operator {
  return {
    replay: async (order) => (await service.post<{ readonly operationId: string }>('/operations/replays', order)).operationId,
    state: (operationId) => service.get(`/operations/${operationId}`),
    report: (operationId) => service.text(`/operations/${operationId}/report`),
    close: () => Promise.resolve(),
  };
}
