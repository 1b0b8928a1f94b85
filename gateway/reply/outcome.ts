import { JsonText, textOf, toJsonText } from '../../actors/index.js';
import type { Reply } from '../routing/route.js';

/** The text of `data`. The id of a command's operation stands in it, beside what the object has of its own. */
export function dataText({ data, operationId }: Pick<Reply, 'data' | 'operationId'>): string {
  if (operationId === undefined) return textOf(data);
  if (hasOwnOperation(data)) return toJsonText({ ...data, operationId });
  const text = textOf(data);
  const added = `"operationId":${toJsonText(operationId)}}`;
  if (text === 'null' || text === '{}') return `{${added}`;
  return text.endsWith('}') ? `${text.slice(0, -1)},${added}` : text;
}

const hasOwnOperation = (data: unknown): data is object =>
  typeof data === 'object' && data !== null && !(data instanceof JsonText) && 'operationId' in data;
