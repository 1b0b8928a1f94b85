import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import typia, { type tags } from 'typia';
import { type InteractionView, type Mode, Refusal, SYSTEM_AGENT } from '../../../actors/index.js';
import type { FeedbackSignal } from '../../../engine/index.js';
import { ask } from '../../answers.js';
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

/** For delivery adapters, which sign with the operator's secret. Without a secret every callback is refused. */
export const callbackRoutes = (secret: string | null): readonly Route[] => [
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
      return { data: await recordSignal(engine, channel, body, requestId) };
    },
  }),
];

function requireSigned(body: CallbackBody, secret: string | null): void {
  const isTimely = Math.abs(Date.now() / 1000 - body.at) <= LIMITS.callbackSeconds;
  if (secret !== null && isTimely && timingSafeEqual(Buffer.from(signatureOf(body, secret), 'hex'), Buffer.from(body.signature, 'hex')))
    return;
  throw new Refusal('unauthenticated', `The signature is not valid, or \`at\` is more than ${LIMITS.callbackSeconds} seconds off.`);
}

interface Report extends Pick<CallbackBody, 'mode' | 'signal'> {
  readonly company: string;
  readonly interactionId: string;
  readonly providerErrorCode?: string | null;
}

/** Records what became of a message, and returns it; 404 for a message of another channel. */
export async function recordSignal(
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
