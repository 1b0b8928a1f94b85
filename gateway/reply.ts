import { STATUS_CODES } from 'node:http';
import { JsonText, type ListResult, Refusal, textOf, toJsonText, listResult } from '../actors/index.js';
import { assert, fieldOf, ownJson } from '../engine/index.js';
import { isWithin, lastForwarded } from './auth/addresses.js';
import type { EarlyRefusal, RequestHead } from './http/message.js';
import type { Reply, Route } from './routing/route.js';

/** The URL of the request, as the caller sent it. */
export interface RequestUrl {
  /** `https://loans.example.com` */
  readonly origin: string;
  readonly path: string;
  readonly queryText: string;
}

interface PageUrls {
  readonly nextUrl: string | null;
  readonly previousUrl: string | null;
}

/** Absolute URLs of the next and the previous page with the same filters; null at the ends. */
function pageUrls(list: ListResult, url: RequestUrl): PageUrls {
  const first = list.firstId ?? idOf(list.items[0]);
  const last = list.lastId ?? idOf(list.items.at(-1));
  return {
    nextUrl: list.hasMore && last !== undefined ? withCursor(url, 'startingAfter', last) : null,
    previousUrl: list.hasPrevious && first !== undefined ? withCursor(url, 'endingBefore', first) : null,
  };
}

function idOf(item: unknown): string | undefined {
  const id: unknown = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

function withCursor(url: RequestUrl, name: string, id: string): string {
  const query = new URLSearchParams(url.queryText);
  for (const other of ['startingAfter', 'endingBefore', 'offset']) query.delete(other);
  query.set(name, id);
  return `${url.origin}${url.path}?${query.toString()}`;
}

const HOST = /^[A-Za-z0-9.[\]:_-]{1,255}$/;

/** Scheme, host and port of the interface: as the operator sets them, or from the request. */
export function publicOriginOf(publicOrigin: string | null, request: RequestHead, trustedProxies: readonly string[]): string {
  if (publicOrigin !== null) return publicOrigin;
  const { host, 'x-forwarded-proto': forwarded } = request.headers;
  const isForwarded = isWithin(trustedProxies, request.peerAddress) && lastForwarded(forwarded) === 'https';
  return `${isForwarded ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}`;
}

/** The text of `data`, with the id of the operation where a command was carried out. */
function dataText({ data, operationId }: Pick<Reply, 'data' | 'operationId'>): string {
  if (operationId === undefined) return textOf(data);
  if (hasOwnOperation(data)) return data instanceof JsonText ? data.text : toJsonText({ ...data, operationId });
  const text = textOf(data);
  const added = `"operationId":${toJsonText(operationId)}}`;
  if (text === 'null' || text === '{}') return `{${added}`;
  return text.endsWith('}') ? `${text.slice(0, -1)},${added}` : text;
}

/** Beside a list of `data`, which has no room for it, the id of the operation is in the envelope. */
function objectBody(reply: Reply, envelope: object): string {
  const data = new JsonText(dataText(reply));
  const { operationId } = reply;
  return toJsonText(operationId !== undefined && data.text.startsWith('[') ? { ...envelope, operationId, data } : { ...envelope, data });
}

/** Whether data names its operation at its top. A stored reply was sent with the same id there. */
function hasOwnOperation(data: unknown): data is object {
  if (data instanceof JsonText) return data.text.includes('"operationId":') && hasOwnOperation(ownJson<unknown>(data.text));
  return typeof data === 'object' && data !== null && 'operationId' in data;
}

/** The body of a success; `urlOf` is called for lists only. */
export function successBody(route: Route, reply: Reply, urlOf: () => RequestUrl): string {
  const status = reply.status ?? route.success;
  const message = reply.message ?? STATUS_CODES[status] ?? 'OK';
  switch (route.envelope) {
    case 'empty':
      return '';
    case 'html':
      return String(reply.data);
    case 'bare':
      return dataText(reply);
    case 'object':
      return objectBody(reply, { status, message, ...reply.extra });
    case 'csv':
    case 'file':
    case 'events':
    case 'socket':
      assert(false, `${route.operation} answers no stream`);
    case 'list': {
      const list = listOf(route, reply.data);
      const { items, total } = list;
      return toJsonText({ status, message, count: items.length, total, ...pageUrls(list, urlOf()), ...reply.extra, data: items });
    }
  }
}

function listOf(route: Route, data: unknown): ListResult {
  assert(Array.isArray(fieldOf(data, 'items')), `${route.operation} answers no list`);
  return listResult(data);
}

/** The one error body, which has the fields of every known kind of client. */
export function failureBody(refusal: Refusal, requestId: string): string {
  const { statusCode, errorType, message, title, errors, extra } = refusal;
  return toJsonText({
    statusCode,
    status: statusCode,
    errorType,
    message,
    title,
    detail: message,
    type: 'about:blank',
    requestId,
    errors,
    ...extra,
  });
}

export function failureHeaders(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (refusal.retryAfterSeconds !== undefined) headers['Retry-After'] = String(refusal.retryAfterSeconds);
  if (refusal.statusCode === 401) headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}

/** The refusal for a failure of the service itself: it shows the caller nothing of the cause. */
export function refusalOf(cause: unknown): Refusal {
  return cause instanceof Refusal
    ? cause
    : new Refusal('internalError', 'The service failed. Report the `requestId`: the log has the cause under it.', { cause });
}

/** One part of a file, and how many there are. */
export interface FilePart {
  readonly text: string;
  readonly parts: number;
}

/**
 * A file that is sent part by part, as fast as the reader accepts it. The first part is read before the head is sent, so that the request
 * can still be refused.
 */
export async function csvReply(read: (part: number) => Promise<FilePart>): Promise<Reply> {
  const first = await read(0);
  return {
    stream: (connection) => {
      let isClosed = false;
      let drained: () => void = () => undefined;
      connection.onDrain(() => drained());
      connection.onClose(() => {
        isClosed = true;
        drained();
      });
      const send = async (): Promise<void> => {
        for (
          let part = 0, { text } = first;
          part < first.parts && !isClosed;
          part += 1, { text } = part < first.parts ? await read(part) : first
        ) {
          if (!connection.write(text)) await new Promise<void>((resolve) => (drained = resolve));
        }
        connection.end();
      };
      send().catch(() => connection.cut()); // cut, so that the reader does not mistake a part for the whole file
    },
  };
}

/** For requests that are not received wholly. */
export const EARLY_REFUSALS: Readonly<Record<EarlyRefusal, () => Refusal>> = {
  bodyTooLarge: () => new Refusal('payloadTooLarge', 'The body is larger than this operation allows.'),
  bodyTooSlow: () => new Refusal('badRequest', 'The body arrived too slowly. Send the request again.'),
  overloaded: () => new Refusal('unavailable', 'Too many requests are under way. Try again in a second.', { retryAfterSeconds: 1 }),
};
