import { JsonText, type Outcome } from '../../actors/index.js';
import type { Reply } from '../routing/route.js';

/** A command's outcome as a reply: the id of its operation stands in `data`, beside the object (money 1). */
export function replyOf(outcome: Outcome): Reply {
  const { data, status, message, operationId, replayed } = outcome;
  return {
    data: operationId === undefined ? data : withOperation(data, operationId),
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    replayed,
  };
}

function withOperation(data: unknown, operationId: string): unknown {
  if (data === null || data === undefined) return { operationId };
  if (data instanceof JsonText) return withOperationText(data, operationId);
  return typeof data === 'object' && !Array.isArray(data) ? { ...data, operationId } : data;
}

/** The stored text of an object gets one more property at its end. */
function withOperationText({ text }: JsonText, operationId: string): JsonText {
  if (!text.endsWith('}')) return new JsonText(text === 'null' ? `{"operationId":"${operationId}"}` : text);
  const separator = text === '{}' ? '' : ',';
  return new JsonText(`${text.slice(0, -1)}${separator}"operationId":"${operationId}"}`);
}
