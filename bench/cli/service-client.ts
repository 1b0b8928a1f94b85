import { Agent, request as httpRequest } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

/** A reply that was no success. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    method: string,
    path: string,
    text: string,
  ) {
    super(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
  }
}

/** A plain client of the REST interface: JSON both ways, connections kept, a bounded number of them. */
export class Client {
  readonly #agent: Agent;
  requests = 0;

  constructor(
    private readonly port: number,
    private readonly key: string,
    connections: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** The body of a success; throws `HttpFailure` for anything else. */
  async ask(method: string, path: string, body?: object): Promise<Json> {
    const { status, text } = await this.#send(method, `/api${path}`, body);
    if (status < 200 || status > 299) throw new HttpFailure(status, method, path, text);
    return text === '' ? {} : (JSON.parse(text) as Json);
  }

  /** `data` of a reply about one object. */
  async data(method: string, path: string, body?: object): Promise<Json> {
    return (await this.ask(method, path, body))['data'] as Json;
  }

  /** The body of a success at a path of the service itself, beside the interface. */
  async text(method: string, path: string): Promise<string> {
    const { status, text } = await this.#send(method, path, undefined);
    if (status !== 200) throw new HttpFailure(status, method, path, text);
    return text;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: object | undefined): Promise<{ readonly status: number; readonly text: string }> {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${this.key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
    };
    this.requests += 1;
    return new Promise((resolve, reject) => {
      const asked = httpRequest({ host: '127.0.0.1', port: this.port, path, method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
      });
      asked.on('error', reject);
      asked.end(sent);
    });
  }
}

/** Runs work on all items, a bounded number at a time, and keeps the order of the results. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
