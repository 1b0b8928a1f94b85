import { timingSafeEqual } from 'node:crypto';
import typia, { type tags } from 'typia';
import { type Mode, type ReceiveRequest, Refusal, type SenderItem, ServiceCalls, type Tenant } from '../../../actors/index.js';
import { type FeedbackSignal, must, textIn } from '../../../engine/index.js';
import { fieldsSignature, inboundUrl, statusUrl } from '../../delivery/text-provider.js';
import { signalOfCode } from '../../delivery/text-errors.js';
import type { EngineCalls } from '../../engine-calls.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { recordSignal } from './callbacks.js';
import { received, type Receiving } from './receive.js';

/** The account at a provider of texts that signs its forms, and the address at which it reaches the gateway. */
interface TextAccountKey {
  readonly secret: string;
  readonly publicUrl: string;
}

/** The secrets that callbacks are signed with; null: every callback is refused. */
export interface CallbackSecrets {
  /** The operator's secret, of delivery adapters. */
  readonly callback: string | null;
  readonly textAccountKey: TextAccountKey | null;
}

/** What providers post of a text, as a form; only some fields are read. */
interface TextFields {
  readonly [field: string]: string & tags.MaxLength<2000>;
}

const SIGNED = 'Signed in a header `X-…-Signature`: HMAC-SHA1, in base64, of the address and the fields in the order of their names.';

const FIELDS = { validate: typia.misc.createValidatePrune<TextFields>(), schemas: typia.json.schemas<[TextFields], '3.1'>() };

/** What a provider of texts posts: the status of a text, and a text that has come in. Without an account every form is refused. */
export const providerTextRoutes = (account: TextAccountKey | null): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/communicator/callbacks/text/{companyId}/{mode}/{interactionId}',
    operation: 'reportTextStatus',
    summary: 'Report the status of a text in a form (text providers)',
    description: SIGNED,
    tags: ['Communicator'],
    permission: 'public',
    envelope: 'empty',
    success: 204,
    textParameters: ['mode'],
    body: FIELDS,
    handle: async ({ params: { companyId: company, mode: asked, interactionId }, body, engine, requestId, signature }) => {
      const addressOf = (publicUrl: string, mode: Mode): string | null =>
        statusUrl(publicUrl, { company, mode, idempotencyKey: interactionId });
      const mode = requireSigned(account, asked, { addressOf, fields: body, signature });
      const signal = signalOfStatus(body);
      if (signal !== null) {
        const providerErrorCode = body['ErrorCode']?.slice(0, 100) || null;
        await recordSignal(engine, 'text', { company, mode, interactionId, signal, providerErrorCode }, requestId);
      }
      return {};
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/callbacks/inbound-texts/{companyId}/{mode}',
    operation: 'takeInboundText',
    summary: 'Take a text that has come in, in a form (text providers)',
    description:
      `${SIGNED} Reads \`From\`, \`To\`, \`Body\` and \`MessageSid\`, and does what \`POST /communicator/receive\` does: STOP ` +
      'and HELP take effect at once. A text that comes again changes nothing.',
    tags: ['Communicator'],
    permission: 'public',
    envelope: 'empty',
    success: 204,
    textParameters: ['mode'],
    body: FIELDS,
    handle: async ({ params: { companyId: company, mode: asked }, body, engine, signature }) => {
      const addressOf = (publicUrl: string, mode: Mode): string => inboundUrl(publicUrl, { company, mode });
      const mode = requireSigned(account, asked, { addressOf, fields: body, signature });
      const { id, message } = inboundText(body);
      await received(ofProvider(engine, { company, mode }, id), message);
      return {};
    },
  }),
];

interface SignedFields {
  readonly addressOf: (publicUrl: string, mode: Mode) => string | null;
  readonly fields: TextFields;
  readonly signature: string | null;
}

/** The mode of a form that the provider has signed for its address. */
function requireSigned(account: TextAccountKey | null, mode: string, { addressOf, fields, signature }: SignedFields): Mode {
  if (account !== null && signature !== null && (mode === 'live' || mode === 'test')) {
    const wanted = Buffer.from(fieldsSignature(addressOf(account.publicUrl, mode) ?? '', fields, account.secret));
    const shown = Buffer.from(signature);
    if (wanted.length === shown.length && timingSafeEqual(wanted, shown)) return mode;
  }
  throw new Refusal('unauthenticated', 'The signature is not valid.');
}

/** Null while the text is under way. */
function signalOfStatus({ MessageStatus: status, ErrorCode: code }: TextFields): FeedbackSignal | null {
  if (status === 'delivered' || status === 'read') return 'textDelivered';
  return status === 'undelivered' || status === 'failed' ? signalOfCode(code || null) : null;
}

const NEEDED = ['From', 'MessageSid'] as const;
/** Of a number, and of the provider's id. */
const MOST_LETTERS = 100;

/** The message of a form, and the provider's id of it. */
function inboundText(fields: Readonly<Record<string, string>>): { readonly id: string; readonly message: ReceiveRequest } {
  const errors = NEEDED.filter((name) => !isShort(fields[name])).map((path) => ({
    path,
    expected: `1 to ${MOST_LETTERS} characters`,
    message: `${path} has 1 to ${MOST_LETTERS} characters`,
  }));
  if (errors.length > 0) throw new Refusal('validationError', 'A field of the form is missing or wrong.', { errors });
  const { From: from = '', To: to, Body: contentText = '', MessageSid: id = '' } = fields;
  const content = { from, contentText, ...(isShort(to) ? { to } : {}) };
  return { id, message: { channel: 'text', direction: 'inbound', content } };
}

const isShort = (text: string | undefined): text is string => text !== undefined && text !== '' && text.length <= MOST_LETTERS;

/** Each text once, by the provider's id of it. */
function ofProvider(engine: EngineCalls, tenant: Tenant, id: string): Receiving {
  const calls = new ServiceCalls(engine, tenant);
  const key = `inbound-text/${tenant.company}/${tenant.mode}/${id}`;
  return {
    senders: async (query) => (await calls.query<{ readonly items: readonly SenderItem[] }>('person.senders', null, query)).items,
    borrower: async (anyId) => must(textIn(await calls.query('person.get', anyId), 'id'), 'a borrower has its id'),
    record: async (type, personId, body) => ({ data: await calls.command({ type, target: personId ?? tenant.company, body, key }) }),
    stopTexts: (personId, contactId) =>
      calls.command({ type: 'person.stopTexts', target: personId, body: { contactId }, key: `${key}/stop ${personId}` }),
  };
}
