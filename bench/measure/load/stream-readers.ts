import { fork } from 'node:child_process';
import { type ClientRequest, request } from 'node:http';
import { resolve } from 'node:path';
import { assert } from '../../../engine/index.js';
import { endsWithUs } from '../../cli/children.js';

export interface ReadersPlan {
  readonly port: number;
  readonly testKey: string;
  /** The path of each connection. */
  readonly paths: readonly string[];
}

/** The events that one connection has received. */
interface ReaderTally {
  readonly events: number;
  /** Events that it had received before, or that come before one that it had received. */
  readonly doubled: number;
}

export interface StreamReaders {
  tallies(): Promise<readonly ReaderTally[]>;
  stop(): void;
}

const THIS_FILE = resolve(import.meta.dirname, 'stream-readers.js');
const CHILD_ARGUMENT = 'read';
/** What the process of the readers says first. */
const OPEN = 'open';

/** Opens streams in a process of its own; resolves when all are open. */
export async function openReaders(plan: ReadersPlan): Promise<StreamReaders> {
  const child = endsWithUs(fork(THIS_FILE, [CHILD_ARGUMENT], { serialization: 'advanced' }));
  const next = (): Promise<readonly ReaderTally[] | typeof OPEN> =>
    new Promise((done, failed) => {
      const ended = (code: number | null): void => failed(new Error(`the readers ended with code ${code ?? 'none'}`));
      child.once('exit', ended);
      child.once('message', (message: readonly ReaderTally[] | typeof OPEN) => {
        child.off('exit', ended);
        done(message);
      });
    });
  child.send(plan);
  await next();
  return {
    async tallies() {
      child.send('report');
      const tallies = await next();
      assert(tallies !== OPEN, 'the readers opened once');
      return tallies;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

const ID = Buffer.from('\nevent: ');

/** The events of a path, in the order in which the first of its readers received them. */
class Order {
  readonly #positions = new Map<string, number>();

  positionOf(id: string): number {
    const known = this.#positions.get(id);
    if (known !== undefined) return known;
    this.#positions.set(id, this.#positions.size);
    return this.#positions.size - 1;
  }
}

/** Counts server-sent events by the line behind their id, wherever a chunk is cut. */
class Connection {
  #events = 0;
  #doubled = 0;
  #next = 0;
  #rest = Buffer.alloc(0);

  constructor(private readonly order: Order) {}

  take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(ID); at !== -1; at = bytes.indexOf(ID, from)) {
      this.#count(bytes.toString('latin1', at - ID_LENGTH, at));
      from = at + ID.length;
    }
    this.#rest = Buffer.from(bytes.subarray(Math.max(from, bytes.length - ID.length - ID_LENGTH)));
  }

  tally(): ReaderTally {
    return { events: this.#events, doubled: this.#doubled };
  }

  #count(id: string): void {
    const position = this.order.positionOf(id);
    this.#events += 1;
    if (position < this.#next) this.#doubled += 1;
    else this.#next = position + 1;
  }
}

/** `EV-XXXX-XXXX`. */
const ID_LENGTH = 12;

function open({ port, testKey, paths }: ReadersPlan): { readonly connections: readonly Connection[]; readonly opened: Promise<unknown> } {
  const orders = new Map(paths.map((path) => [path, new Order()]));
  const connections = paths.map((path) => new Connection(orders.get(path) ?? new Order()));
  const opened = paths.map(
    (path, index) =>
      new Promise<ClientRequest>((done, failed) => {
        const asked = request({ host: '127.0.0.1', port, path, headers: { 'X-API-KEY': testKey }, agent: false }, (response) => {
          if (response.statusCode !== 200) return failed(new Error(`${path} is answered ${response.statusCode ?? 0}`));
          response.on('data', (chunk: Buffer) => connections[index]?.take(chunk));
          done(asked);
        });
        asked.on('error', failed).end();
      }),
  );
  return { connections, opened: Promise.all(opened) };
}

if (process.argv[1] === THIS_FILE && process.argv[2] === CHILD_ARGUMENT) {
  process.once('message', (plan: ReadersPlan) => {
    const { connections, opened } = open(plan);
    process.on('message', () => process.send?.(connections.map((connection) => connection.tally())));
    void opened.then(() => process.send?.(OPEN));
  });
}
