import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { OutsideFault } from '../actors/index.js';
import { LIMITS } from './limits.js';
import { type AddressRules, faultOf, hostOf, lookupWithin } from './outgoing.js';

/** A call whose answer is read. */
export interface TextCall {
  /** What is called, for faults: `query tool`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Longest time until the whole answer is there, in milliseconds, and its most bytes. */
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** The answer as text, by `callForBytes`. */
export async function callForText(rules: AddressRules, call: TextCall): Promise<TextAnswer> {
  const { status, content } = await callForBytes(rules, call);
  return { status, text: content.toString('utf8') };
}

/**
 * Calls an address outside of the service, by the rules of outgoing addresses, and reads the answer. Redirects are not followed. Throws
 * `OutsideFault` where there is no whole answer: the other side may have done what it was asked all the same.
 */
export async function callForBytes(
  rules: AddressRules,
  call: TextCall,
): Promise<{ readonly status: number; readonly content: Buffer<ArrayBuffer> }> {
  const { name, url: text } = call;
  const fault = rules.faultOf(text);
  if (fault !== null) throw new OutsideFault(`The address of the ${name} ${fault}.`);
  const url = new URL(text);
  const isEncrypted = url.protocol === 'https:';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rules.allows(host, isEncrypted))
    throw new OutsideFault(`The address of the ${name} must not be a private address.`);
  const response = await ask(rules, url, call).catch((cause: unknown) => {
    throw new OutsideFault(`The ${name} could not be asked: ${faultOf(cause)}.`, { cause });
  });
  return { status: response.statusCode ?? 0, content: await contentOf(response, call) };
}

function ask(rules: AddressRules, url: URL, { method, headers, body, timeoutMs }: TextCall): Promise<IncomingMessage> {
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isEncrypted ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      maxHeaderSize: LIMITS.outgoingHeaderBytes,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: lookupWithin(rules, isEncrypted),
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

async function contentOf(response: IncomingMessage, { name, mostBytes }: TextCall): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new OutsideFault(`The ${name} has answered more than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof OutsideFault) throw cause;
    throw new OutsideFault(`The answer of the ${name} broke off: ${faultOf(cause)}.`, { cause });
  }
  return Buffer.concat(chunks);
}
