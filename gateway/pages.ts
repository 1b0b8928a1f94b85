import { clientAddress, isWithin } from './auth/addresses.js';
import type { HttpReply, HttpRequest } from './http/message.js';

/** A document that is served as it is, outside of the interface: health, metrics, the interface's own description. */
export interface Page {
  readonly path: string;
  /** To nobody but those whom the operator names. */
  readonly isForOperators?: true;
  respond(): HttpReply | Promise<HttpReply>;
}

/** Whose requests for the operators' pages are answered. */
export interface PageReaders {
  /** Addresses and blocks. */
  readonly operators: readonly string[];
  /** Addresses and blocks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

/** The answer to a request for one of the pages; undefined where it is for none, or for one that the caller may not see. */
export function pageAnswers(
  pages: readonly Page[],
  { operators, trustedProxies }: PageReaders,
): (request: HttpRequest) => ReturnType<Page['respond']> | undefined {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return ({ method, path, peerAddress, headers }) => {
    const page = byPath.get(path);
    if (!page || (method !== 'GET' && method !== 'HEAD')) return undefined;
    if (page.isForOperators && !isWithin(operators, clientAddress(peerAddress, headers['x-forwarded-for'], trustedProxies)))
      return undefined;
    return page.respond();
  };
}

export const plainText = (status: number, body: string): HttpReply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
});

export const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: JSON.stringify(body),
});
