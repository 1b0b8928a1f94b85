import { isRecord, recordsIn, textIn, fieldOf } from '../../../engine/index.js';
import type { Command } from 'commander';
import { BASE_PATH } from '../../../gateway/index.js';
import { connectionFault } from '../connection-faults.js';
import { UsageError } from '../lookups.js';

const STANDARD_URL = 'http://127.0.0.1:8080';
/** Longest wait for an answer, in milliseconds: longer than the service's own bound of a request. */
const ANSWER_MS = 45_000;
/** Items of one page of a list. */
const PAGE = 100;
/** Statuses of answers to requests that were wrong. */
const WRONG_USAGE: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413]);
/** Status of answers to requests that a rule of the business does not allow now. */
const NOT_ALLOWED = 422;

/** Address of a running service, and the key to call it with. */
export interface ServiceFlags {
  readonly url?: string;
  readonly key?: string;
}

/** The flags of a command that calls a running service. */
export const askingService = (command: Command): Command =>
  command
    .option('--url <address>', `address of the running service; else TENOR_URL, else ${STANDARD_URL}`)
    .option('--key <key>', 'API key; better in TENOR_KEY, where nobody sees it')
    .option('--json', 'print JSON');

/** Exit codes of every command that calls a running service. */
const ASKING_EXITS = 'Exit codes: 0 done, 1 a finding, or the service does not answer or cannot do it now, 2 wrong usage.';

/** Help with an example of a command. */
export const withExample = (example: string, exits: string = ASKING_EXITS): string => `\nExample:\n  ${example}\n\n${exits}`;

/** The address as it was given; undefined where none was. */
export const givenUrl = ({ url }: ServiceFlags, environment: NodeJS.ProcessEnv = process.env): string | undefined =>
  url ?? environment['TENOR_URL'];

/** The request was well formed, but a rule does not allow it: of several requests the others may go on. */
export class NotAllowed extends UsageError {
  override readonly name = 'NotAllowed';
}

/** No answer, or one that is no success: the message is one sentence for the operator. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';

  /** `mayPass`: the same may succeed a moment later. */
  constructor(
    message: string,
    readonly mayPass: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface Page<View> {
  readonly data: readonly View[];
  readonly nextUrl: string | null;
}

/**
 * An operator's calls to a running service, over its interface. They throw `UsageError` where the request was wrong, and `ServiceFailure`
 * for every other answer that is no success.
 */
export class RunningService {
  private constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** The service that the flags name, or the environment. */
  static of(flags: ServiceFlags, environment: NodeJS.ProcessEnv = process.env): RunningService {
    const url = givenUrl(flags, environment) ?? STANDARD_URL;
    const key = flags.key ?? environment['TENOR_KEY'];
    if (key === undefined || key === '')
      throw new UsageError(
        'A running service asks for a key, in TENOR_KEY or --key. `npm start` printed one for each mode when it made the company; ' +
          'further ones come from "tenor keys create".',
      );
    return new RunningService(rootOf(url), key);
  }

  /** The `data` of the reply; the whole reply where it has none. */
  async get<View>(path: string): Promise<View> {
    return viewOf<View>(await this.#ask('GET', path));
  }

  /** A file goes as it is, everything else as JSON. */
  async post<View>(path: string, body: object = {}): Promise<View> {
    return viewOf<View>(await this.#ask('POST', path, body));
  }

  async put<View>(path: string, body: object): Promise<View> {
    return viewOf<View>(await this.#ask('PUT', path, body));
  }

  async delete(path: string): Promise<void> {
    await this.#ask('DELETE', path);
  }

  /** The first items of a list, page after page: all, or as many as are wanted. */
  async list<View extends object>(path: string, wanted = Number.MAX_SAFE_INTEGER): Promise<View[]> {
    const items: View[] = [];
    let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${Math.min(PAGE, wanted)}`;
    while (next !== null && items.length < wanted) {
      const page: Page<View> = await answerIn(await this.#ask('GET', next));
      items.push(...page.data);
      next = page.nextUrl === null ? null : withoutBase(new URL(page.nextUrl));
    }
    return items.slice(0, wanted);
  }

  /** A text as it comes: a report. */
  async *text(path: string): AsyncIterable<string> {
    const { body } = await this.#ask('GET', path);
    if (body === null) return;
    const chunks: AsyncIterable<Uint8Array> = body;
    const decoder = new TextDecoder();
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#ask('GET', path)).arrayBuffer());
  }

  async #ask(method: string, path: string, body?: object): Promise<Response> {
    const reply = await this.#send(method, path, body);
    // 412 is the answer about an operation that has failed.
    if (reply.ok || reply.status === 412) return reply;
    const message = await messageOf(reply);
    if (reply.status === NOT_ALLOWED) throw new NotAllowed(message);
    if (WRONG_USAGE.has(reply.status)) throw new UsageError(message);
    throw new ServiceFailure(
      `${this.url} answered ${reply.status}: ${message}`,
      reply.status >= 500 || reply.status === 429 || reply.status === 423,
    );
  }

  #send(method: string, path: string, body: object | undefined): Promise<Response> {
    const isFile = body instanceof Uint8Array;
    const type = isFile ? 'application/octet-stream' : 'application/json';
    return answerOf(this.url, `${BASE_PATH}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, ...(body === undefined ? {} : { 'Content-Type': type }) },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
  }
}

/** A page for operators beside the interface, without a key: `/health/…`. */
export async function askProcess<View>(flags: Pick<ServiceFlags, 'url'>, path: string): Promise<View> {
  const url = rootOf(givenUrl(flags) ?? STANDARD_URL);
  const reply = await answerOf(url, path, {});
  if (!reply.ok) throw new ServiceFailure(`${url}${path} answered ${reply.status}: ${await messageOf(reply)}`, reply.status >= 500);
  return answerIn<View>(reply);
}

/** Throws `ServiceFailure` where no answer comes in time. */
async function answerOf(url: string, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, { ...request, signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (cause) {
    throw notAnswered(url, cause);
  }
}

/** The service may name itself by another address than the one of the request. */
const withoutBase = ({ pathname, search }: URL): string => pathname.slice(BASE_PATH.length) + search;

/** Without the slash at its end. */
function rootOf(url: string): string {
  if (!/^https?:\/\/[^/?#\s]+\/?$/.test(url))
    throw new UsageError(`The address of a service is a scheme and a host, like ${STANDARD_URL}: ${url}`);
  return url.replace(/\/$/, '');
}

function notAnswered(url: string, cause: unknown): ServiceFailure {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = connectionFault(inner) ?? (inner instanceof Error ? inner.message : String(inner));
  return new ServiceFailure(
    isLate ? `${url} has not answered within ${ANSWER_MS / 1000} s.` : `${url} does not answer: ${reason || 'no connection'}`,
    true,
    { cause },
  );
}

/**
 * The body of an answer as JSON, or a part of it; null where it is empty. The caller names the type that the interface has for the reply of
 * its path: the command and the service are of one release, and what another release lacks is printed as missing.
 */
async function answerIn<Answer>(reply: Response, partOf: (body: unknown) => unknown = (body) => body): Promise<Answer> {
  const text = await reply.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return (text === '' ? null : partOf(JSON.parse(text))) as Answer;
}

const viewOf = <View>(reply: Response): Promise<View> =>
  answerIn<View>(reply, (body) => (isRecord(body) && 'data' in body ? body['data'] : body));

/** The error message of the service, with each fault of the body. */
async function messageOf(reply: Response): Promise<string> {
  const text = await reply.text();
  try {
    const reported: unknown = JSON.parse(text);
    const faults = recordsIn(reported, 'errors').map((fault) => `${textIn(fault, 'path') ?? ''}: ${textIn(fault, 'message') ?? ''}`);
    return [String(fieldOf(reported, 'message')), ...faults].join('\n  ');
  } catch {
    return text.slice(0, 300);
  }
}
