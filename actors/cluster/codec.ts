import { addExtension } from 'msgpackr';
import type { ErrorType } from '../error-types.js';
import { type Fault, Refusal } from '../errors.js';
import { pack, unpack } from '../runtime/records.js';
import { JsonText } from '../wire.js';
import type { Ask } from './messages.js';

/*
 * Asks and answers as msgpack. `Decimal` and `JsonText` arrive as they were, so that a reply has the same text wherever it is
 * printed.
 */
const JSON_TEXT_TYPE = 0x4a;

addExtension({
  Class: JsonText,
  type: JSON_TEXT_TYPE,
  pack: ({ text }: JsonText): Buffer => Buffer.from(text),
  unpack: (bytes: Uint8Array): JsonText => new JsonText(Buffer.from(bytes).toString()),
});

export function packAsk(ask: Ask): Uint8Array {
  if (ask.type === 'execute') return pack([ask.type, { ...ask.command, permissions: [...ask.command.permissions] }]);
  if (ask.type === 'query') return pack([ask.type, { ...ask.request, permissions: [...ask.request.permissions] }]);
  return pack([ask.type, ask]);
}

/** Asks come from our own processes: what is none is a bug of theirs. */
export function readAsk(bytes: Uint8Array): Ask {
  const [type, content] = unpack(bytes) as readonly [Ask['type'], Record<string, unknown>];
  const withPermissions = (): object => ({ ...content, permissions: new Set(content['permissions'] as readonly string[]) });
  if (type === 'execute') return { type, command: withPermissions() } as Ask;
  if (type === 'query') return { type, request: withPermissions() } as Ask;
  return content as unknown as Ask;
}

/** How an ask ended: with a value, with a refusal for the caller, or with a failure that the process which had it has told its operator. */
const enum Ending {
  value,
  refusal,
  failure,
}

export const packValue = (value: unknown): Uint8Array => pack([Ending.value, value]);

export function packRefusal({ errorType, message, errors, extra, retryAfterSeconds }: Refusal): Uint8Array {
  return pack([Ending.refusal, errorType, message, errors, extra, retryAfterSeconds ?? null]);
}

export const packFailure = (): Uint8Array => pack([Ending.failure]);

/** A worker met a bug while it answered; its own log says which. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** The value of an answer. Throws the `Refusal` that it is, or `WorkerFailed`. */
export function readAnswer(bytes: Uint8Array): unknown {
  const answer = unpack(bytes) as readonly [Ending, ...unknown[]];
  if (answer[0] === Ending.value) return answer[1];
  if (answer[0] === Ending.failure) throw new WorkerFailed('a worker met a bug; its log tells which');
  const [, errorType, message, errors, extra, retryAfterSeconds] = answer as unknown as RefusalAnswer;
  throw new Refusal(errorType, message, { errors, extra, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) });
}

type RefusalAnswer = readonly [Ending.refusal, ErrorType, string, readonly Fault[], Record<string, unknown>, number | null];
