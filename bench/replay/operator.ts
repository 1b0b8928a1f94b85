import { randomUUID } from 'node:crypto';
import type { OperationView, ReplayManyRequest, Tenant } from '../../actors/index.js';
import type { House } from '../house.js';

/** Who carries out what an operator asks: a running service, or the data folder of one that is stopped. */
export interface Operator {
  /** The operation's id. */
  replay(order: ReplayManyRequest): Promise<string>;
  state(operationId: string): Promise<OperationView>;
  report(operationId: string): AsyncIterable<string>;
  close(): Promise<void>;
}

/** What the operator asked for was refused. */
export class Refused extends Error {}

export function operatorOfHouse({ engine, ...house }: House, { company, mode }: Tenant): Operator {
  const ask = (type: string, operationId: string, query: unknown = {}): Promise<unknown> =>
    engine.query({ company, mode, type, target: null, params: { operationId }, query, permissions: new Set(['*']) });
  return {
    async replay(order) {
      const { operationId = '' } = await engine.execute({
        commandId: randomUUID(), company, mode, type: 'operation.replay', target: company, params: {}, body: order, query: {},
        actor: { type: 'system', id: 'operator' }, permissions: new Set(['*']), address: null, requestId: 'replay',
      }).catch(refused);
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

export function operatorOfService(url: string, key: string): Operator {
  const ask = async (method: string, path: string, body?: object): Promise<Response> => {
    const reply = await fetch(`${url.replace(/\/$/, '')}/api${path}`, {
      method, headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // 412 is the answer about an operation that has failed.
    if (!reply.ok && reply.status !== 412) throw new Refused(`${method} ${path} answered ${reply.status}: ${(await reply.text()).slice(0, 500)}`);
    return reply;
  };
  const dataOf = async (reply: Response): Promise<unknown> => ((await reply.json()) as { readonly data: unknown }).data;
  return {
    replay: async (order) => ((await dataOf(await ask('POST', '/operations/replays', order))) as { readonly operationId: string }).operationId,
    state: async (operationId) => (await dataOf(await ask('GET', `/operations/${operationId}`))) as OperationView,
    async *report(operationId) {
      const { body } = await ask('GET', `/operations/${operationId}/report`);
      const decoder = new TextDecoder();
      for await (const chunk of body ?? []) yield decoder.decode(chunk as Uint8Array, { stream: true });
    },
    close: () => Promise.resolve(),
  };
}

function refused(cause: unknown): never {
  throw new Refused(cause instanceof Error ? cause.message : String(cause), { cause });
}
