import type { HttpReply } from './http/message.js';

/** A document that is served as it is, outside of the interface: health, metrics, the interface's own description. */
export interface Page {
  readonly path: string;
  respond(): HttpReply | Promise<HttpReply>;
}

export const plainText = (status: number, body: string): HttpReply => ({
  status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body,
});

export const json = (status: number, body: unknown): HttpReply => ({
  status, headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }, body: JSON.stringify(body),
});
