import { Refusal } from '../errors.js';
import type { QueryRequest } from '../runtime/actor.js';
import type { ListResult } from '../wire.js';
import { BORROWER_UNITS, UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

/** A query that every unit answers with its part. */
export async function everywhere(client: UnitsClient, request: QueryRequest): Promise<unknown> {
  const isRuntimes = request.type.startsWith('event.') || request.type.startsWith('operation.');
  const answers = await Promise.allSettled((isRuntimes ? UNITS : BORROWER_UNITS).map((unit) => client.ask<'query'>(unit, { type: 'query', request })));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  const worst = failed.find((cause) => !(cause instanceof Refusal && cause.errorType === 'notFound'));
  if (worst !== undefined) throw worst;
  if (found.length === 0) throw failed[0];
  return found.every(isList) ? merged(found) : found[0];
}

const isList = (answer: unknown): answer is ListResult => typeof answer === 'object' && answer !== null && 'items' in answer;

function merged(lists: readonly ListResult[]): ListResult {
  return {
    items: lists.flatMap(({ items }) => items),
    total: lists.reduce<number | null>((sum, { total }) => (sum === null || total === null ? null : sum + total), 0),
    hasMore: lists.some(({ hasMore }) => hasMore),
    hasPrevious: lists.some(({ hasPrevious }) => hasPrevious),
  };
}
