import { Refusal } from '../errors.js';
import type { QueryRequest } from '../runtime/actor.js';
import type { OperationQuery, OperationView } from '../runtime/system.js';
import type { ListResult } from '../wire.js';
import { merged, partsOf } from './lists.js';
import { UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The operation of an id, which does not tell where it lies: all are asked. */
export async function getOperation(units: UnitsClient, request: QueryRequest): Promise<unknown> {
  const answers = await Promise.allSettled(UNITS.map((unit) => units.ask<'query'>(unit, { type: 'query', request })));
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found) return found.value;
  const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  throw causes.find((cause) => !(cause instanceof Refusal && cause.errorType === 'notFound')) ?? causes[0];
}

export async function listOperations(units: UnitsClient, request: QueryRequest): Promise<ListResult> {
  const parts = await partsOf({
    units, over: UNITS, owners: UNITS, request,
    // Those of the same moment in units behind the owner's stand behind the cursor, those in units before it before.
    enter: ([startedAt = null], other, owner) => [startedAt, UNITS.indexOf(other) > UNITS.indexOf(owner) ? -1 : 1],
  });
  const page = merged(parts, (request.query ?? {}) as OperationQuery);
  const ids = page.items.map((item) => (item as OperationView).operationId);
  return { ...page, ...(ids[0] === undefined ? {} : { firstId: ids[0], lastId: ids.at(-1) ?? ids[0] }) };
}
