import { addExtension } from 'msgpackr';
import { type ErrorType, type Fault, Refusal } from '../../errors.js';
import { pack, unpack } from '../journal/records.js';
import { JsonText } from '../../wire.js';
import type { CommandRequest, QueryRequest } from '../actor.js';
import type { Ask } from './messages.js';

/*
 * Requests and answers as msgpack. `Decimal` and `JsonText` keep their digits and text, so that a reply has the same text wherever it is
 * printed.
 */
const JSON_TEXT_TYPE = 0x4a;

addExtension({
  Class: JsonText,
  type: JSON_TEXT_TYPE,
  pack: ({ text }: JsonText): Buffer => Buffer.from(text),
  unpack: (bytes: Uint8Array): JsonText => new JsonText(Buffer.from(bytes).toString()),
});

/** `seen`: the highest stamp that the caller knows of. */
export function packAsk(ask: Ask, seen: number): Uint8Array {
  if (ask.type === 'execute') return pack([ask.type, { ...ask.command, permissions: [...ask.command.permissions] }, seen]);
  if (ask.type === 'query') return pack([ask.type, { ...ask.request, permissions: [...ask.request.permissions] }, seen]);
  return pack([ask.type, ask, seen]);
}

/** Requests come from our own processes: an invalid one is a bug. */
export function readAsk(bytes: Uint8Array): { readonly ask: Ask; readonly seen: number } {
  const packed = unpack<PackedAsk>(bytes);
  return { ask: askOf(packed), seen: packed[2] };
}

function askOf(packed: PackedAsk): Ask {
  if (packed[0] === 'execute') return { type: 'execute', command: { ...packed[1], permissions: new Set(packed[1].permissions) } };
  if (packed[0] === 'query') return { type: 'query', request: { ...packed[1], permissions: new Set(packed[1].permissions) } };
  return packed[1];
}

/** As `packAsk` writes it. */
type PackedAsk =
  | readonly ['execute', command: WithPermissions<CommandRequest>, seen: number]
  | readonly ['query', request: WithPermissions<QueryRequest>, seen: number]
  | readonly [type: OtherAsk['type'], ask: OtherAsk, seen: number];

type OtherAsk = Exclude<Ask, { readonly type: 'execute' | 'query' }>;

type WithPermissions<Request extends CommandRequest | QueryRequest> = Omit<Request, 'permissions'> & {
  readonly permissions: readonly string[];
};

/** How a request ended: with a value, with a refusal for the caller, or with a failure that the other process has logged. */
enum Ending {
  value,
  refusal,
  failure,
}

/** `stamp`: the highest stamp given in this process. */
export const packValue = (value: unknown, stamp: number): Uint8Array => pack([Ending.value, value, stamp]);

export function packRefusal({ errorType, message, errors, extra, retryAfterSeconds }: Refusal): Uint8Array {
  return pack([Ending.refusal, errorType, message, errors, extra, retryAfterSeconds ?? null]);
}

export const packFailure = (): Uint8Array => pack([Ending.failure]);

/** A worker met a bug while it answered; the worker's own log has the details. */
class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** The value of an answer, and the highest stamp of its sender. Throws the `Refusal` that was sent, or `WorkerFailed`. */
export function readAnswer<Value>(bytes: Uint8Array): { readonly value: Value; readonly stamp: number } {
  const answer = unpack<readonly [Ending.value, Value, stamp: number] | readonly [Ending.failure] | RefusalAnswer>(bytes);
  if (answer[0] === Ending.value) return { value: answer[1], stamp: answer[2] };
  if (answer[0] === Ending.failure) throw new WorkerFailed('a worker met a bug: see the log of that worker');
  const [, errorType, message, errors, extra, retryAfterSeconds] = answer;
  throw new Refusal(errorType, message, { errors, extra, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) });
}

type RefusalAnswer = readonly [Ending.refusal, ErrorType, string, readonly Fault[], Record<string, unknown>, number | null];
