import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { EventView } from '../../actors/index.js';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly event: EventView;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How a call is answered; default 200. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Resolves once there were this many calls. */
  calls(count: number): Promise<readonly Received[]>;
  /** Ids of the events in the order of arrival. */
  ids(): readonly string[];
}

/** A server of the lender on this machine, which webhooks call. */
export async function receiverFor(t: Test): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const received: Received = { headers: request.headers, text, event: JSON.parse(text) as EventView };
      receiver.received.push(received);
      receiver.answer(response, received);
      for (const look of waiting) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer: (response) => response.end('thanks'),
    calls: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (receiver.received.length < count) return;
          waiting.delete(look);
          resolve(receiver.received);
        };
        waiting.add(look);
        look();
      }),
    ids: () => receiver.received.map(({ event }) => event.id),
  };
  return receiver;
}
