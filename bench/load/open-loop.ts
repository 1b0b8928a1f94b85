import { connect, type Socket } from 'node:net';
import { must } from '../../engine/index.js';

/*
 * An open-loop load generator, a program of its own: requests are due at a fixed rate whatever the service does, and a
 * request's latency counts from the moment at which it was due. Raw sockets, keep-alive, one request at a time on each
 * connection; what is due while all are busy waits, and its wait counts. Requests become due in ticks of a millisecond.
 */

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Requests as they go over the wire, taken in turn. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly sent: number;
  readonly answered: number;
  /** Answers other than 2xx. */
  readonly failed: number;
  readonly firstFailure: string | null;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

const TICK_MS = 1;
/** Longest wait for the last answers, in milliseconds. */
const DRAIN_MS = 30_000;

class Connection {
  #dueAt = 0;
  #received = '';

  constructor(private readonly socket: Socket, private readonly answered: (connection: Connection, dueAt: number, text: string) => void) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
  }

  send(request: string, dueAt: number): void {
    this.#dueAt = dueAt;
    this.socket.write(request);
  }

  close(): void {
    this.socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const [, length = '0'] = /content-length: *(\d+)/i.exec(this.#received.slice(0, headEnd)) ?? [];
    if (this.#received.length < headEnd + 4 + Number(length)) return;
    const answer = this.#received;
    this.#received = '';
    this.answered(this, this.#dueAt, answer);
  }
}

export async function generateLoad(plan: LoadPlan): Promise<LoadResult> {
  const { requests } = plan;
  const latenciesMs: number[] = [];
  const waiting: number[] = [];
  const idle: Connection[] = [];
  let sent = 0;
  let failed = 0;
  let firstFailure: string | null = null;
  const dispatch = (connection: Connection): void => {
    const dueAt = waiting.shift();
    if (dueAt === undefined) idle.push(connection);
    else connection.send(requests[sent++ % requests.length] ?? '', dueAt);
  };
  const onAnswer = (connection: Connection, dueAt: number, text: string): void => {
    latenciesMs.push(performance.now() - dueAt);
    if (!/^HTTP\/1\.1 2/.test(text)) {
      failed += 1;
      firstFailure ??= text.slice(0, 500);
    }
    dispatch(connection);
  };
  const connections = await Promise.all(Array.from({ length: plan.connections }, async () => new Connection(await opened(plan.port), onAnswer)));
  idle.push(...connections);

  const total = Math.round(plan.ratePerSecond * plan.seconds);
  const startedAt = performance.now();
  for (let due = 0; due < total; ) {
    const now = performance.now();
    for (; due < total && startedAt + (due * 1000) / plan.ratePerSecond <= now; due++) waiting.push(startedAt + (due * 1000) / plan.ratePerSecond);
    while (waiting.length > 0 && idle.length > 0) dispatch(must(idle.pop(), 'an idle connection'));
    await pause(TICK_MS);
  }
  const deadline = performance.now() + DRAIN_MS;
  while (latenciesMs.length < total && performance.now() < deadline) await pause(TICK_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  return { sent, answered: latenciesMs.length, failed, firstFailure, seconds, latenciesMs };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}
