import { lookup as lookUp } from 'node:dns';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LIMITS } from '../limits.js';
import { type AddressRules, hostOf } from './address-rules.js';
import type { Outgoing, OutgoingAnswer, OutgoingCall, OutgoingFault } from './outgoing.js';

class AddressNotAllowed extends Error {}

/**
 * Calls over HTTP and TLS. The address is checked when it is connected to: what a name resolves to then is what the connection
 * goes to, so that a name cannot be safe when it is looked at and private when it is used. No redirect is followed.
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
    // A connection that was kept may have been closed by the other side just then: that says nothing of the receiver.
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
      lookup: this.#lookup(isEncrypted),
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

  #lookup(isEncrypted: boolean): LookupFunction {
    return (hostname, options, callback) => {
      lookUp(hostname, { ...options, all: true }, (cause, found) => {
        if (cause) return callback(cause, []);
        const allowed = found.filter(({ address }) => this.rules.allows(address, isEncrypted));
        const [first] = allowed;
        if (first === undefined) return callback(new AddressNotAllowed(), []);
        if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }
}

const POOL = { keepAlive: true, maxFreeSockets: LIMITS.outgoingKept, timeout: LIMITS.outgoingIdleMs };

const asAnswer = (answer: OutgoingAnswer | 'staleConnection'): OutgoingAnswer =>
  answer === 'staleConnection' ? { type: 'failed', fault: 'connectionLost' } : answer;

/** The status has told all: a little of the body is read, so that the connection can be kept, and no more. */
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

const codeOf = (cause: Error): string => ('code' in cause ? String(cause.code) : '');

function faultOf(cause: Error): OutgoingFault {
  if (cause instanceof AddressNotAllowed) return 'addressNotAllowed';
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError') return 'timeout';
  const code = codeOf(cause);
  if (code.startsWith('HPE_')) return 'badAnswer';
  if (code.includes('CERT') || code.includes('SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO') return 'tlsFailed';
  return FAULTS[code] ?? 'connectionLost';
}
