import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

interface Sending {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  /** All data received, once there is an answer or the connection has ended. */
  readonly answered: Promise<string>;
}

/** Sends only the head of a request, and the given part of its body. */
export function send(t: Test, port: number, head: readonly string[], body: Buffer | string = ''): Sending {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  const connected = new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(`${head.join('\r\n')}\r\nHost: x\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  const answered = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (text.includes('\r\n\r\n')) resolve(text);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  return { socket, connected, answered };
}

export const length = (bytes: number): string => `Content-Length: ${bytes}`;
