import { createHmac } from 'node:crypto';
import { type DeliveryAdapter, MessageRefused, type OutgoingMessage, SendRate } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { signalOfCode } from './text-errors.js';

export interface TextProviderOptions {
  /** Where texts are posted to. */
  readonly url: string;
  /** Signs requests, or is the password of the account. */
  readonly secret: string;
  /** Null: requests are JSON, signed with the secret. Else as the common providers take it, by the account's name and password. */
  readonly account: string | null;
  /** The number that texts come from where the company has none. */
  readonly from: string | null;
  /** Where the gateway is reached from outside; null: the provider cannot report a status. */
  readonly publicUrl: string | null;
}

interface WireRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a provider answers: its id of the text, or why it does not take it. */
interface WireAnswer {
  readonly providerMessageId?: unknown;
  readonly sid?: unknown;
  readonly code?: unknown;
  readonly errorCode?: unknown;
}

/**
 * Hands texts to a provider over HTTP, in one of two ways: JSON under a signature of Standard Webhooks, or the fields that the
 * common providers take. What the provider refuses for good has failed at once; too many, and a fault of the provider, are tried again.
 */
export class TextProvider implements DeliveryAdapter {
  readonly #rate = new SendRate(LIMITS.textsPerSecond);

  constructor(private readonly options: TextProviderOptions) {}

  async submit(message: OutgoingMessage): Promise<{ readonly providerMessageId: string }> {
    await this.#rate.wait();
    const { url, account } = this.options;
    const { body, headers } = account === null ? signedJson(this.options, message) : accountRequest(this.options, account, message);
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'Idempotency-Key': keyOf(message) },
      redirect: 'error',
      signal: AbortSignal.timeout(LIMITS.textWaitMs),
    }).catch((cause: unknown) => {
      throw new Error(`the provider of texts cannot be reached (${cause instanceof Error ? cause.name : 'no cause'})`);
    });
    const answer = await answerOf(response);
    if (response.ok) return { providerMessageId: textOf(answer.providerMessageId) || textOf(answer.sid) || keyOf(message) };
    const code = codeOf(answer);
    if (TRIED_AGAIN.has(response.status) || response.status >= 500)
      throw new Error(`the provider of texts answered ${response.status}${code === null ? '' : ` (${code})`}`);
    throw new MessageRefused(signalOfCode(code), code ?? String(response.status));
  }
}

/** Wrong credentials are the operator's to put right; the others pass. */
const TRIED_AGAIN: ReadonlySet<number> = new Set([401, 403, 404, 408, 409, 425, 429]);

/** Interactions of two companies, and of both modes, have different keys. */
const keyOf = ({ company, mode, idempotencyKey }: OutgoingMessage): string => `${company}/${mode}/${idempotencyKey}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const codeOf = ({ code, errorCode }: WireAnswer): string | null => {
  const said = errorCode ?? code;
  return (typeof said === 'string' || typeof said === 'number') && String(said).length <= 100 ? String(said) : null;
};

function signedJson({ secret, from, publicUrl }: TextProviderOptions, message: OutgoingMessage): WireRequest {
  const { company, mode, idempotencyKey: interactionId, content } = message;
  const body = JSON.stringify({
    interactionId,
    company,
    mode,
    from: content['from'] ?? from,
    to: content['to'],
    contentText: content['contentText'],
    statusCallback: publicUrl && `${publicUrl}/api/communicator/callbacks/text`,
  });
  const [id, seconds] = [keyOf(message), String(Math.floor(Date.now() / 1000))];
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
    },
  };
}

function accountRequest({ secret, from, publicUrl }: TextProviderOptions, account: string, message: OutgoingMessage): WireRequest {
  const { content } = message;
  const sender = textOf(content['from']) || (from ?? '');
  const callback = statusUrl(publicUrl, message);
  const fields = {
    To: textOf(content['to']),
    ...(sender === '' ? {} : { From: sender }),
    Body: textOf(content['contentText']),
    ...(callback === null ? {} : { StatusCallback: callback }),
  };
  return {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`,
    },
  };
}

/** Where the provider reports the status of a text of which there is a record; the address is what it signs. */
export const statusUrl = (
  publicUrl: string | null,
  { company, mode, idempotencyKey }: Pick<OutgoingMessage, 'company' | 'mode' | 'idempotencyKey'>,
): string | null =>
  publicUrl === null || !idempotencyKey.startsWith('IN-')
    ? null
    : `${publicUrl}/api/communicator/callbacks/text/${company}/${mode}/${idempotencyKey}`;

/** Where the provider posts texts that come in for a company; the operator enters it at the provider. */
export const inboundUrl = (publicUrl: string, { company, mode }: Pick<OutgoingMessage, 'company' | 'mode'>): string =>
  `${publicUrl}/api/communicator/callbacks/inbound-texts/${company}/${mode}`;

/** How the common providers sign a form: the address, and the fields in the order of their names. */
export const fieldsSignature = (url: string, fields: Readonly<Record<string, string>>, secret: string): string =>
  createHmac('sha1', secret)
    .update(
      url +
        Object.keys(fields)
          .sort()
          .map((name) => `${name}${fields[name] ?? ''}`)
          .join(''),
    )
    .digest('base64');

/** So much of an answer is read, and no more. */
async function answerOf(response: Response): Promise<WireAnswer> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return {};
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > LIMITS.textAnswerBytes) break;
    chunks.push(chunk);
  }
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {}; // the status says enough
  }
}
