import { lookup as lookUp } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Mode } from '../actors/index.js';
import { textIn } from '../engine/index.js';
import { isWithin } from './auth/addresses.js';
import { LIMITS } from './limits.js';

/** IPv4 that is not of the public internet (IANA special-purpose registry), multicast and reserved space. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast: all other IPv6 is loopback, link-local, private, mapped or multicast. */
const PUBLIC_IPV6 = ['2000::/3'];
/** Within it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** The addresses that the service may call: the public internet over TLS, and addresses that the operator lists. */
export class AddressRules {
  constructor(private readonly listed: readonly string[]) {}

  /** Whether a connection to the address may be opened; without TLS only to listed addresses. */
  allows(address: string, isEncrypted: boolean): boolean {
    return isWithin(this.listed, address) || (isEncrypted && isPublic(address));
  }

  /** What is wrong with a URL that a caller gives; null = nothing. The address of a host name is checked when it is called. */
  faultOf(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an https address';
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
    const host = hostOf(url);
    const isAddress = isIP(host) !== 0;
    if (url.protocol === 'http:' && !(isAddress && this.allows(host, false))) return 'must be an https address';
    if (isAddress && !this.allows(host, true)) return 'must not be a private address';
    return null;
  }
}

function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !isWithin(NOT_PUBLIC, address) : isWithin(PUBLIC_IPV6, address) && !isWithin(NOT_PUBLIC_IPV6, address);
}

/** The host of a URL as sockets take it: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** A POST to an address that a caller of the interface has given. */
export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why there was no answer. */
type OutgoingFault = 'timeout' | 'addressNotAllowed' | 'dnsFailed' | 'connectionRefused' | 'connectionLost' | 'tlsFailed' | 'badAnswer';

export type OutgoingAnswer =
  | { readonly type: 'answered'; readonly status: number }
  | { readonly type: 'failed'; readonly fault: OutgoingFault };

/** Calls addresses outside of the service. Answers within the time-out in every case, and never throws. */
export interface Outgoing {
  post(call: OutgoingCall): Promise<OutgoingAnswer>;
  /** Aborts the calls under way. */
  close(): void;
}

class AddressNotAllowed extends Error {}

/**
 * Calls over HTTP and TLS. The address is checked when the connection is opened, so that a name cannot resolve to a public address when it
 * is checked and to a private one when it is used. Redirects are not followed.
 */
export class HttpOutgoing implements Outgoing {
  readonly #agents = { 'http:': new HttpAgent(POOL), 'https:': new HttpsAgent(POOL) };
  readonly #running = new Set<ClientRequest>();

  constructor(
    private readonly rules: AddressRules,
    private readonly timeoutMs: number = LIMITS.outgoingMs,
  ) {}

  async post(call: OutgoingCall): Promise<OutgoingAnswer> {
    const url = new URL(call.url);
    const isEncrypted = url.protocol === 'https:';
    const host = hostOf(url);
    if (isIP(host) !== 0 && !this.rules.allows(host, isEncrypted)) return { type: 'failed', fault: 'addressNotAllowed' };
    const signal = AbortSignal.timeout(this.timeoutMs);
    const first = await this.#attempt(url, call, isEncrypted, signal);
    // The receiver may have closed a kept connection at the same moment: that is not a failure of the receiver.
    return first === 'staleConnection' ? asAnswer(await this.#attempt(url, call, isEncrypted, signal, false)) : first;
  }

  close(): void {
    for (const request of this.#running) request.destroy();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #attempt(
    url: URL,
    { headers, body }: OutgoingCall,
    isEncrypted: boolean,
    signal: AbortSignal,
    keeps = true,
  ): Promise<OutgoingAnswer | 'staleConnection'> {
    const options: RequestOptions = {
      method: 'POST',
      signal,
      maxHeaderSize: LIMITS.outgoingHeaderBytes,
      lookup: lookupWithin(this.rules, isEncrypted),
      agent: keeps ? this.#agents[isEncrypted ? 'https:' : 'http:'] : false,
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    };
    return new Promise((resolve) => {
      const request = (isEncrypted ? httpsRequest : httpRequest)(url, options);
      this.#running.add(request);
      request.on('response', (response) => {
        resolve({ type: 'answered', status: response.statusCode ?? 0 });
        pass(response);
      });
      request.on('error', (cause) => {
        const isStale = request.reusedSocket && codeOf(cause) === 'ECONNRESET';
        resolve(isStale ? 'staleConnection' : { type: 'failed', fault: faultOf(cause) });
      });
      request.on('close', () => {
        this.#running.delete(request);
        resolve({ type: 'failed', fault: 'connectionLost' });
      });
      request.end(body);
    });
  }
}

/** Looks a name up for a connection: what the rules do not allow is not among what it resolves to. */
export const lookupWithin =
  (rules: AddressRules, isEncrypted: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (cause, found) => {
      if (cause) return callback(cause, []);
      const allowed = found.filter(({ address }) => rules.allows(address, isEncrypted));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressNotAllowed(), []);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

const POOL = { keepAlive: true, maxFreeSockets: LIMITS.outgoingKept, timeout: LIMITS.outgoingIdleMs };

const asAnswer = (answer: OutgoingAnswer | 'staleConnection'): OutgoingAnswer =>
  answer === 'staleConnection' ? { type: 'failed', fault: 'connectionLost' } : answer;

/** Only the status counts. A little of the body is read, so that the connection can be kept. */
function pass(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LIMITS.outgoingAnswerBytes) response.destroy();
  });
  response.on('error', () => undefined); // it was cut, by us or by the other side
}

const FAULTS: Readonly<Record<string, OutgoingFault>> = {
  ABORT_ERR: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'connectionRefused',
  ENOTFOUND: 'dnsFailed',
  EAI_AGAIN: 'dnsFailed',
};

const codeOf = (cause: unknown): string => textIn(cause, 'code') ?? '';

export function faultOf(cause: unknown): OutgoingFault {
  if (cause instanceof AddressNotAllowed) return 'addressNotAllowed';
  const name = textIn(cause, 'name');
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  const code = codeOf(cause);
  if (code.startsWith('HPE_')) return 'badAnswer';
  if (code.includes('CERT') || code.includes('SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO') return 'tlsFailed';
  return FAULTS[code] ?? 'connectionLost';
}

/** A text that a host's name servers should have. */
interface WantedText {
  readonly host: string;
  readonly value: string;
}

/** Reads the TXT records of a host: none where the host has none, or no server answers in time. Never throws. */
export interface NameServers {
  texts(wanted: WantedText, mode: Mode): Promise<readonly string[]>;
}

/** In test mode every host has the wanted text, except hosts below a name that begins so. */
const NEVER_VERIFIED = 'unverified.';

const isFoundInTest = ({ host }: WantedText): boolean => !host.slice(host.indexOf('.') + 1).startsWith(NEVER_VERIFIED);

/** Answers from a list, without a name server. */
export const localNames = (texts: ReadonlyMap<string, readonly string[]>): NameServers => ({
  texts: async (wanted, mode) => [...(texts.get(wanted.host) ?? []), ...(mode === 'test' && isFoundInTest(wanted) ? [wanted.value] : [])],
});

/** The name servers that the machine is set up with, in live mode. */
export function systemNames(
  resolver: Pick<Resolver, 'resolveTxt'> = new Resolver({ timeout: LIMITS.nameServerMs, tries: LIMITS.nameServerTries }),
): NameServers {
  const local = localNames(new Map());
  return {
    async texts(wanted, mode) {
      if (mode === 'test') return local.texts(wanted, mode);
      // A host without such a record and a server that does not answer have the same result: the domain is not verified.
      const parts = await resolver.resolveTxt(wanted.host).catch(() => []);
      return parts.map((each) => each.join(''));
    },
  };
}

const HEADER = 'host,text';

/**
 * Reads the texts of hosts: a header, then lines such as `_sending.mail.example,sending-domain=MA-…`.
 *
 * @throws TypeError that names the malformed line.
 */
export function parseNames(text: string): ReadonlyMap<string, readonly string[]> {
  const [header, ...lines] = text.split(/\r?\n/).map((line) => line.trim());
  if (header !== HEADER) throw new TypeError(`line 1 must be ${HEADER}`);
  const texts = new Map<string, readonly string[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const comma = line.indexOf(',');
    if (comma < 1) throw new TypeError(`line ${index + 2} must be a host, a comma and a text: ${line}`);
    const host = line.slice(0, comma).toLowerCase();
    texts.set(host, [...(texts.get(host) ?? []), line.slice(comma + 1)]);
  }
  return texts;
}
