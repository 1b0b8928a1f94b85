import type { ListResult } from '../../actors/index.js';
import { isWithin, lastForwarded } from '../auth/addresses.js';
import type { RequestHead } from '../http/message.js';

/** The address that was asked for, in the caller's words. */
export interface RequestUrl {
  /** `https://loans.example.com` */
  readonly origin: string;
  readonly path: string;
  readonly queryText: string;
}

export interface PageUrls {
  readonly nextUrl: string | null;
  readonly previousUrl: string | null;
}

/** Absolute addresses of the neighbouring pages with the same filters; null at the ends. */
export function pageUrls(list: ListResult, url: RequestUrl): PageUrls {
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

/** Scheme, host and port of the interface: as the operator names them, or as the request says. */
export function originOf(publicOrigin: string | null, request: RequestHead, trustedProxies: readonly string[]): string {
  if (publicOrigin !== null) return publicOrigin;
  const { host, 'x-forwarded-proto': forwarded } = request.headers;
  const isForwarded = isWithin(trustedProxies, request.peerAddress) && lastForwarded(forwarded) === 'https';
  return `${isForwarded ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}`;
}
