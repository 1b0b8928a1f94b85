import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import typia, { type tags } from 'typia';
import { type InteractionView, type Mode, Refusal, SYSTEM_AGENT } from '../../../actors/index.js';
import type { FeedbackSignal } from '../../../engine/index.js';
import { ask } from '../../answers.js';
import { statusSignature, statusUrl } from '../../delivery/text-provider.js';
import { signalOfCode } from '../../delivery/text-errors.js';
import type { EngineCalls } from '../../engine-calls.js';
import { LIMITS } from '../../limits.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** The report of a delivery adapter about a message. */
export interface CallbackBody {
  readonly company: string & tags.MaxLength<50>;
  readonly mode: Mode;
  readonly interactionId: string & tags.Pattern<'^IN-[A-Z1-9]{4}-[A-Z1-9]{4}$'>;
  readonly signal: FeedbackSignal;
  readonly providerErrorCode?: (string & tags.MaxLength<100>) | null;
  /** Seconds since 1970. */
  readonly at: number & tags.Type<'uint32'>;
  /** HMAC-SHA256 with the operator's secret, in hexadecimal, of `signedText`. */
  readonly signature: string & tags.Pattern<'^[0-9a-f]{64}$'>;
}

interface CallbackView {
  readonly interactionId: string;
  readonly status: InteractionView['status'];
  readonly statusDetails: InteractionView['statusDetails'];
}

/** The signed text: each field on its own line. */
const signedText = ({ at, company, mode, interactionId, signal, providerErrorCode }: Omit<CallbackBody, 'signature'>): string =>
  [at, company, mode, interactionId, signal, providerErrorCode ?? ''].join('\n');

export const signatureOf = (body: Omit<CallbackBody, 'signature'>, secret: string): string =>
  createHmac('sha256', secret).update(signedText(body)).digest('hex');

/** The prefix of the signals of each channel. */
const SIGNALS: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['text', 'text'],
  ['mail', 'letter'],
]);

const NOTHING: ReadonlySet<string> = new Set();

/** The secrets that callbacks are signed with; null: every callback is refused. */
export interface CallbackSecrets {
  /** The operator's secret, of delivery adapters. */
  readonly callback: string | null;
  /** The secret of an account at a text provider, and the address at which it reaches the gateway. */
  readonly textAccountKey: { readonly secret: string; readonly publicUrl: string } | null;
}

/** The status of a text, as providers post it; only some fields are read. */
export interface TextStatus {
  readonly [field: string]: string & tags.MaxLength<2000>;
}

/** For delivery adapters, which sign with the operator's secret. Without a secret every callback is refused. */
export const callbackRoutes = ({ callback: secret, textAccountKey }: CallbackSecrets): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/communicator/callbacks/{channel}',
    operation: 'tellDelivery',
    summary: 'Report the delivery status of a message (delivery adapters)',
    tags: ['Communicator'],
    permission: 'public',
    textParameters: ['channel'],
    reply: typia.json.schemas<[CallbackView], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<CallbackBody>(), schemas: typia.json.schemas<[CallbackBody], '3.1'>() },
    handle: async ({ params: { channel }, body, engine, requestId }) => {
      const prefix = SIGNALS.get(channel);
      if (prefix === undefined) throw new Refusal('notFound', `Unknown channel. Supported: ${[...SIGNALS.keys()].join(', ')}.`);
      requireSigned(body, secret);
      if (!body.signal.startsWith(prefix))
        throw new Refusal('validationError', `\`signal\` ${body.signal} is not a signal of the channel ${channel}.`, {
          errors: [{ path: 'signal', expected: `a signal of ${channel}`, message: `signal is not one of ${channel}` }],
        });
      return { data: await recorded(engine, channel, body, requestId) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/callbacks/text/{companyId}/{mode}/{interactionId}',
    operation: 'reportTextStatus',
    summary: 'Report the status of a text in a form (text providers)',
    description: 'Signed in a header `X-…-Signature`: HMAC-SHA1, in base64, of the address and the fields in the order of their names.',
    tags: ['Communicator'],
    permission: 'public',
    envelope: 'empty',
    success: 204,
    textParameters: ['mode'],
    body: { validate: typia.misc.createValidatePrune<TextStatus>(), schemas: typia.json.schemas<[TextStatus], '3.1'>() },
    handle: async ({ params: { companyId: company, mode, interactionId }, body, engine, requestId, signature }) => {
      const at = { company, mode: requireStatusSigned(textAccountKey, { company, mode, interactionId }, body, signature), interactionId };
      const signal = signalOfStatus(body);
      if (signal !== null) {
        const providerErrorCode = body['ErrorCode']?.slice(0, 100) || null;
        await recorded(engine, 'text', { ...at, signal, providerErrorCode }, requestId);
      }
      return {};
    },
  }),
];

function requireSigned(body: CallbackBody, secret: string | null): void {
  const isTimely = Math.abs(Date.now() / 1000 - body.at) <= LIMITS.callbackSeconds;
  if (secret !== null && isTimely && timingSafeEqual(Buffer.from(signatureOf(body, secret), 'hex'), Buffer.from(body.signature, 'hex')))
    return;
  throw new Refusal('unauthenticated', `The signature is not valid, or \`at\` is more than ${LIMITS.callbackSeconds} seconds off.`);
}

/** The mode of a text whose status is signed. */
function requireStatusSigned(
  known: CallbackSecrets['textAccountKey'],
  { company, mode, interactionId }: { readonly company: string; readonly mode: string; readonly interactionId: string },
  fields: TextStatus,
  signature: string | null,
): Mode {
  if (known !== null && signature !== null && (mode === 'live' || mode === 'test')) {
    const url = statusUrl(known.publicUrl, { company, mode, idempotencyKey: interactionId });
    const wanted = Buffer.from(statusSignature(url ?? '', fields, known.secret));
    const shown = Buffer.from(signature);
    if (wanted.length === shown.length && timingSafeEqual(wanted, shown)) return mode;
  }
  throw new Refusal('unauthenticated', 'The signature is not valid.');
}

/** Null while the text is under way. */
function signalOfStatus({ MessageStatus: status, ErrorCode: code }: TextStatus): FeedbackSignal | null {
  if (status === 'delivered' || status === 'read') return 'textDelivered';
  return status === 'undelivered' || status === 'failed' ? signalOfCode(code || null) : null;
}

interface Report extends Pick<CallbackBody, 'mode' | 'signal'> {
  readonly company: string;
  readonly interactionId: string;
  readonly providerErrorCode?: string | null;
}

async function recorded(
  engine: EngineCalls,
  channel: string,
  { company, mode, interactionId, signal, providerErrorCode }: Report,
  requestId: string,
): Promise<unknown> {
  const request = { company, mode, target: interactionId, params: {}, query: {}, permissions: NOTHING };
  const interaction = await ask(engine, { ...request, type: 'interaction.get' });
  if (interaction.channel !== channel || interaction.isExternal)
    throw new Refusal('notFound', `There is no message ${interactionId} on the channel ${channel}.`);
  const { data } = await engine.execute({
    ...request,
    type: 'interaction.feedback',
    commandId: `callback-${randomUUID()}`,
    body: { signal, providerErrorCode: providerErrorCode ?? null },
    actor: SYSTEM_AGENT,
    address: null,
    requestId,
  });
  return data;
}
