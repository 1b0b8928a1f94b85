import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { assert } from '../../engine/index.js';
import { type CardsAnswer, type SimulatedCards } from './simulated-cards.js';

export interface CardServerOptions {
  readonly port: number;
  /** What callers have to send as a bearer token. */
  readonly apiKey: string;
  /** After a call was answered; false: the answer is lost, and its connection breaks. */
  readonly afterAnswer?: (path: string, answer: CardsAnswer) => boolean | Promise<boolean>;
}

/** Bytes of a call. */
const MOST_BYTES = 64 * 1024;

/** Serves a simulated processor of cards over HTTP on this machine. */
export class CardServer {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(cards: () => SimulatedCards, options: CardServerOptions): Promise<CardServer> {
    const server = createServer((request, response) => void serve(cards(), options, request, response));
    await new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(options.port, '127.0.0.1', done);
    });
    const address = server.address();
    assert(typeof address === 'object' && address !== null, 'a server on a port has an address');
    return new CardServer(server, address.port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }
}

async function serve(cards: SimulatedCards, options: CardServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const text = await textOf(request);
  if (text === null) return void response.destroy();
  const isKnown = headers.authorization === `Bearer ${options.apiKey}`;
  const key = headers['idempotency-key'];
  const answer: CardsAnswer = isKnown
    ? cards.answer(method, url, typeof key === 'string' ? key : null, parsed(text))
    : { status: 401, body: { message: 'The key is not known.' } };
  if ((await options.afterAnswer?.(url, answer)) === false) return void response.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
}

/** Null: it was cut, or is too long. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null; // the caller is gone
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // answered with 400
  }
}
