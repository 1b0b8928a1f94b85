import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import typia, { type tags } from 'typia';
import {
  type AnyId,
  type CardAccess,
  type CardDisputeBody,
  ofReference,
  Refusal,
  ServiceCalls,
  type Tenant,
} from '../../../actors/index.js';
import { cents } from '../../../engine/index.js';
import { LIMITS } from '../../limits.js';
import type { EngineCalls } from '../../engine-calls.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** What a processor of cards reports of a dispute. */
interface CardCallbackBody {
  readonly eventId: string & tags.MinLength<1> & tags.MaxLength<200>;
  /** As the service has sent it with the payment. */
  readonly reference: string & tags.MinLength<1> & tags.MaxLength<200>;
  readonly disputeId: string & tags.MinLength<1> & tags.MaxLength<50>;
  readonly status: CardDisputeBody['status'];
  /** Whole cents. */
  readonly amount: number & tags.Type<'uint32'> & tags.Minimum<1>;
  readonly reasonCode: (string & tags.MaxLength<50>) | null;
  /** Seconds since 1970. */
  readonly at: number & tags.Type<'uint32'>;
  /** HMAC-SHA256 with the secret of the processor, in hexadecimal. */
  readonly signature: string & tags.Pattern<'^[0-9a-f]{64}$'>;
}

interface CardCallbackView {
  readonly object: 'cardCallback';
  readonly eventId: AnyId;
}

/** The signed text: each field on its own line. */
const signedText = ({ at, eventId, reference, disputeId, status, amount, reasonCode }: CardCallbackBody): string =>
  [at, eventId, reference, disputeId, status, amount, reasonCode].join('\n');

/** Callbacks of processors of cards, which sign them with their own secret. */
export const cardCallbackRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/payment-processors/{paymentProcessorId}/callbacks/{companyId}/{mode}',
    operation: 'takeCardCallback',
    summary: 'Take a callback of a processor of cards about a dispute',
    description:
      '`signature` is HMAC-SHA256 with the `cardWebhookSecret` of the processor, in hexadecimal, of `at`, `eventId`, `reference`, ' +
      '`disputeId`, `status`, `amount` and `reasonCode`, each on its own line. A callback that comes again changes nothing. One that is ' +
      'refused is sent again later; what no callback has brought comes with the results of the day.',
    tags: ['Payment processors'],
    permission: 'public',
    textParameters: ['mode'],
    success: 202,
    body: { validate: typia.misc.createValidatePrune<CardCallbackBody>(), schemas: typia.json.schemas<[CardCallbackBody], '3.1'>() },
    reply: typia.json.schemas<[CardCallbackView], '3.1'>(),
    handle: async ({ params: { paymentProcessorId, companyId: company, mode }, body, engine }) => {
      const signer = await requireSigned(engine, { company, mode, paymentProcessorId }, body);
      const at = ofReference(body.reference);
      if (at === null)
        throw new Refusal('validationError', 'The reference is not one of the service.', {
          errors: [{ path: 'reference', expected: 'the reference of a payment', message: 'is not a reference of the service' }],
        });
      const { disputeId, status, amount, reasonCode, eventId } = body;
      await new ServiceCalls(engine, signer.tenant).command({
        type: 'transaction.cardDispute',
        target: at.loanId,
        params: { transactionId: at.transactionId },
        body: { processorId: signer.processorId, disputeId, status, amountCents: cents(amount), reasonCode } satisfies CardDisputeBody,
      });
      return { data: { object: 'cardCallback', eventId } satisfies CardCallbackView };
    },
  }),
];

/** Who has signed it. All that is wrong with it has the same answer. */
async function requireSigned(
  engine: EngineCalls,
  { company, mode, paymentProcessorId }: { readonly company: string; readonly mode: string; readonly paymentProcessorId: string },
  body: CardCallbackBody,
): Promise<{ readonly tenant: Tenant; readonly processorId: string }> {
  const isTimely = Math.abs(Date.now() / 1000 - body.at) <= LIMITS.callbackSeconds;
  if (isTimely && (mode === 'live' || mode === 'test')) {
    const tenant = { company, mode } as const;
    const { webhookSecret, processorId } = await accessOf(new ServiceCalls(engine, tenant), company, paymentProcessorId);
    const wanted = createHmac('sha256', webhookSecret ?? randomUUID())
      .update(signedText(body))
      .digest();
    if (webhookSecret !== null && timingSafeEqual(wanted, Buffer.from(body.signature, 'hex'))) return { tenant, processorId };
  }
  throw new Refusal('unauthenticated', `The signature is not valid, or \`at\` is more than ${LIMITS.callbackSeconds} seconds off.`);
}

async function accessOf(calls: ServiceCalls, company: string, paymentProcessorId: string): Promise<CardAccess> {
  try {
    return await calls.query<CardAccess>('paymentProcessor.cardAccess', company, {}, { paymentProcessorId });
  } catch (cause) {
    if (cause instanceof Refusal && cause.statusCode < 500) return NO_ACCESS;
    throw cause;
  }
}

const NO_ACCESS: CardAccess = { processorId: '', apiUrl: null, apiKey: null, webhookSecret: null };
