import { Refusal } from '../errors.js';
import type { QueryRequest } from '../runtime/actor.js';
import { type OperationShare, type OperationView, wholeOf } from '../runtime/mass/share-views.js';
import type { OperationQuery } from '../runtime/operation-views.js';
import type { ListResult } from '../wire.js';
import { merged, partsOf } from './lists.js';
import { UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The operation of an id, which does not tell where it lies: all are asked, and mass work is the sum of what each has of it. */
export async function getOperation(units: UnitsClient, request: QueryRequest): Promise<OperationView> {
  const asked = { ...request, type: 'operation.share' };
  const answers = await Promise.allSettled(UNITS.map((unit) => units.ask<'query'>(unit, { type: 'query', request: asked })));
  const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  const whole = wholeOf(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value as OperationShare | OperationView] : [])));
  const worst = causes.find((cause) => !(cause instanceof Refusal && cause.errorType === 'notFound'));
  if (whole && (worst === undefined || whole.counts === null)) return whole;
  throw worst ?? causes[0];
}

export async function listOperations(units: UnitsClient, request: QueryRequest): Promise<ListResult> {
  const parts = await partsOf({
    units, over: UNITS, owners: UNITS, request,
    // Those of the same moment in units behind the owner's stand behind the cursor, those in units before it before.
    enter: ([startedAt = null], other, owner) => [startedAt, UNITS.indexOf(other) > UNITS.indexOf(owner) ? -1 : 1],
  });
  const page = merged(parts, (request.query ?? {}) as OperationQuery);
  const items = page.items as readonly OperationView[];
  const whole = await Promise.all(items.map((item) => (item.counts === null ? item : getOperation(units, { ...request, query: {}, params: { operationId: item.operationId } }))));
  const ids = items.map(({ operationId }) => operationId);
  return { ...page, items: whole, ...(ids[0] === undefined ? {} : { firstId: ids[0], lastId: ids.at(-1) ?? ids[0] }) };
}
