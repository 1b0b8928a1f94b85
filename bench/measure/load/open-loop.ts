import { connect, type Socket } from 'node:net';
import { must } from '../../../engine/index.js';
import { AnswerReader } from './answer.js';

/*
 * An open-loop load generator, a program of its own: requests are due at a fixed rate whatever the service does, and the latency of a
 * request counts from the moment at which it was due. It uses raw sockets with keep-alive, one request at a time on each connection. A
 * request that is due while all connections are busy waits, and its wait counts. A free connection sends the next due request right after
 * its answer, or at the next tick of a millisecond.
 *
 * It shares its processors with the service that it measures, so it does little for a request: it sends prepared bytes, reads the answer
 * into one buffer a connection, and parses two numbers of it.
 */

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly ratePerSecond: number;
  /** How long it is measured. */
  readonly seconds: number;
  /** Before that, the same requests are sent for so long, and their latencies do not count; default 0. */
  readonly warmUpSeconds?: number;
  /** Requests as bytes on the wire, sent one after the other. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly sent: number;
  readonly answered: number;
  /** Answers other than 2xx. */
  readonly failed: number;
  readonly firstFailure: string | null;
  readonly seconds: number;
  /** Processor time of the generator itself, in microseconds a request. */
  readonly ownMicrosecondsEach: number;
  readonly latenciesMs: Float64Array;
}

const TICK_MS = 1;
/** Longest wait for the last answers, in milliseconds. */
const DRAIN_MS = 30_000;
/** What a connection reads at once, in bytes. */
const READ_BYTES = 64 * 1024;

/** What becomes of a connection. */
interface Listener {
  readonly answered: (connection: Connection, status: number, dueAt: number) => void;
  /** The service has closed the connection, as it does after ten seconds of silence. `dueAt`: of the request under way. */
  readonly ended: (connection: Connection, dueAt: number | null) => void;
}

class Connection {
  readonly #reader = new AnswerReader();
  readonly #socket: Socket;
  #dueAt: number | null = null;

  constructor(port: number, { answered, ended }: Listener, opened: () => void, failed: (cause: Error) => void) {
    const memory = Buffer.allocUnsafe(READ_BYTES);
    const callback = (length: number): boolean => {
      const status = this.#reader.take(memory.subarray(0, length));
      const dueAt = this.#dueAt;
      if (status === 0 || dueAt === null) return true;
      this.#dueAt = null;
      answered(this, status, dueAt);
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: memory, callback } }, opened);
    this.#socket.on('error', failed);
    this.#socket.on('close', () => ended(this, this.#dueAt));
  }

  static open(port: number, listener: Listener): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(port, listener, () => resolve(connection), reject);
    });
  }

  get failureText(): string {
    return this.#reader.failureText;
  }

  send(request: Buffer, dueAt: number): void {
    this.#dueAt = dueAt;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** @param onMeasured called once, when the warm-up is over */
export async function generateLoad(plan: LoadPlan, onMeasured: () => void = () => undefined): Promise<LoadResult> {
  const requests = plan.requests.map((request) => Buffer.from(request));
  const unmeasured = Math.round(plan.ratePerSecond * (plan.warmUpSeconds ?? 0));
  const total = unmeasured + Math.round(plan.ratePerSecond * plan.seconds);
  const betweenMs = 1000 / plan.ratePerSecond;
  const latenciesMs = new Float64Array(total - unmeasured);
  const idle: Connection[] = [];
  let startedAt = 0;
  let sent = 0;
  let answered = 0;
  let measured = 0;
  let failed = 0;
  let firstFailure: string | null = null;

  /** Sends the next request on a connection if it is due. */
  const take = (connection: Connection, now: number): boolean => {
    const dueAt = startedAt + sent * betweenMs;
    if (sent >= total || dueAt > now) return false;
    if (sent === unmeasured) onMeasured();
    connection.send(must(requests[sent++ % requests.length], 'a request'), dueAt);
    return true;
  };
  const refused = (text: string): void => {
    failed += 1;
    firstFailure ??= text;
  };
  const note = (dueAt: number, now: number): void => {
    answered += 1;
    // Half a step before the first measured request: sums of fractions are not exact.
    if (dueAt > startedAt + (unmeasured - 0.5) * betweenMs) latenciesMs[measured++] = now - dueAt;
  };
  let isOver = false;
  const listener: Listener = {
    answered(connection, status, dueAt) {
      const now = performance.now();
      note(dueAt, now);
      if (status < 200 || status > 299) refused(connection.failureText);
      if (!take(connection, now)) idle.push(connection);
    },
    ended(connection, dueAt) {
      connections.delete(connection);
      if (isOver) return;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      if (dueAt !== null) {
        note(dueAt, performance.now());
        refused('the connection was ended before there was an answer');
      }
      void reopen();
    },
  };
  const connections = new Set<Connection>();
  const open = async (): Promise<Connection> => {
    const connection = await Connection.open(plan.port, listener);
    connections.add(connection);
    return connection;
  };
  const reopen = async (): Promise<void> => {
    try {
      idle.push(await open());
    } catch (cause) {
      refused(String(cause));
    }
  };
  idle.push(...(await Promise.all(Array.from({ length: plan.connections }, open))));

  const begun = process.cpuUsage();
  startedAt = performance.now();
  const deadline = startedAt + total * betweenMs + DRAIN_MS;
  for (let now = startedAt; answered < total && now < deadline; now = performance.now()) {
    // The one that has been idle for longest: the service ends connections that are idle for 10 s.
    for (let next = idle[0]; next && take(next, now); next = idle[0]) idle.shift();
    await pause(TICK_MS);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(begun);
  isOver = true;
  for (const connection of connections) connection.close();
  return {
    sent,
    answered,
    failed,
    firstFailure,
    seconds,
    ownMicrosecondsEach: Math.round((user + system) / Math.max(1, answered)),
    latenciesMs: latenciesMs.slice(0, measured),
  };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
