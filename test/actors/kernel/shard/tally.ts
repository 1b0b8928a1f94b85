import { createHash, randomUUID } from 'node:crypto';
import { type Day, formatDay } from '../../../../engine/index.js';
import { Refusal } from '../../../../actors/errors.js';
import { type ActorModule, actorModule, type CommandRequest, type QueryRequest } from '../../../../actors/kernel/actor.js';
import type { Mode } from '../../../../actors/kernel/fact.js';

/** A small actor for tests of the runtime: it counts, and once a day it doubles what it has counted. */
export interface Tally {
  readonly id: string;
  count: number;
  through: Day | null;
  doubledDays: number;
  createdStamp: number;
  externalId: string | null;
}

const ZONE = 'America/New_York';

export const tallyModule: ActorModule = actorModule<Tally>({
  definition: {
    kind: 'tally',
    prefix: 'TY',
    initial: (id) => ({ id, count: 0, through: null, doubledDays: 0, createdStamp: 0, externalId: null }),
    evolve(state, fact, emit) {
      const body = fact.body as { amount: number; externalId?: string; through: Day };
      if (fact.type === 'TallyStarted') {
        state.createdStamp = fact.stamp;
        state.externalId = body.externalId ?? null;
        state.through = body.through;
      } else if (fact.type === 'Counted') {
        state.count += body.amount;
        emit?.({
          eventType: 'tally.counted',
          objectType: 'tally',
          objectId: state.id,
          refs: { loanId: state.id },
          data: { count: state.count },
        });
      } else if (fact.type === 'CaughtUp') {
        if (body.amount === -1) throw new Error('a bug of the test');
        state.through = body.through;
        state.count *= 2;
        state.doubledDays += 1;
      }
    },
    clone: (state) => ({ ...state }),
    row: (state) => ({
      id: state.id,
      externalId: state.externalId,
      createdStamp: state.createdStamp,
      updatedStamp: state.createdStamp,
      parentId: null,
      fields: { count: state.count },
    }),
    pack: (state) => state,
    unpack: (packed) => packed as Tally,
    agenda: (state) => (state.through === null ? null : { zone: ZONE, nextDay: (state.through + 1) as Day }),
    *catchUp(state, throughDay) {
      while (state.through !== null && state.through < throughDay)
        yield { type: 'CaughtUp', body: { through: (state.through + 1) as Day } };
    },
    digest: (state) => `${state.count}@${state.through === null ? '' : formatDay(state.through)}`,
  },
  commands: [
    {
      kind: 'tally',
      type: 'tally.create',
      place: { on: 'root' },
      decide: ({ body, env }) => {
        const { externalId } = body as { readonly externalId?: string };
        if (externalId !== undefined && env.findExternal(env.tenant, 'tally', externalId) !== undefined)
          throw new Refusal('duplicate', 'It is taken.');
        return {
          facts: [{ type: 'TallyStarted', body: { ...(body as object), through: env.today(ZONE) } }],
          reply: (after) => ({ data: { id: after.id, count: after.count } }),
        };
      },
    },
    {
      kind: 'tally',
      type: 'tally.count',
      place: { on: 'target' },
      decide: ({ body }) => {
        const { amount, previewMode } = body as { amount: number; previewMode?: boolean };
        if (amount < 0) throw new Refusal('validationError', 'Nothing is counted backwards.');
        return {
          facts: [{ type: amount === 666 ? 'CaughtUp' : 'Counted', body: amount === 666 ? { amount: -1 } : { amount } }],
          preview: previewMode === true,
          reply: (after) => ({ data: { id: after.id, count: after.count } }),
        };
      },
    },
    {
      kind: 'tally',
      type: 'tally.countAmong',
      place: { on: 'target' },
      decide: ({ body, env }) => ({
        facts: [{ type: 'Counted', body }],
        reply: (after) => ({ data: { id: after.id, count: after.count, among: env.list('tally', { limit: 1 }).total } }),
      }),
    },
    {
      kind: 'tally',
      type: 'tally.failEarly',
      place: { on: 'target' },
      decide: () => {
        throw new Error('a bug in a decision');
      },
    },
    {
      kind: 'tally',
      type: 'tally.refuseLate',
      place: { on: 'target' },
      decide: ({ body }) => ({
        facts: [{ type: 'Counted', body }],
        reply: () => {
          throw new Refusal('validationError', 'Too late for a refusal.');
        },
      }),
    },
  ],
  queries: [
    {
      kind: 'tally',
      type: 'tally.fail',
      on: 'target',
      read: () => {
        throw new Error('a bug in a query');
      },
    },
    { kind: 'tally', type: 'tally.get', on: 'target', read: ({ state }) => ({ ...state }) },
    {
      kind: 'tally',
      type: 'tally.list',
      on: 'tenant',
      read: ({ env, query }) => env.list('tally', { limit: 100, ...(query as object) }).rows.map((row) => row.id),
    },
  ],
});

export function command(type: string, target: string | null, body: unknown, key?: string, mode: Mode = 'test'): CommandRequest {
  return {
    commandId: key ?? randomUUID(),
    company: COMPANY,
    mode,
    type,
    target,
    params: {},
    body,
    actor: { type: 'key', id: 'AK-TEST-TEST' },
    permissions: new Set(),
    address: '127.0.0.1',
    requestId: 'request',
    ...(key === undefined ? {} : { idempotency: { key, digest: createHash('sha256').update(JSON.stringify(body)).digest('hex') } }),
  };
}

export const query = (type: string, target: string | null, body: unknown = {}, mode: Mode = 'test'): QueryRequest => ({
  company: COMPANY,
  mode,
  type,
  target,
  params: {},
  query: body,
  permissions: new Set(),
});

export const COMPANY = 'CP-TEST-TEST';
