import { assert, fieldOf, isRecord, must, ownJson } from '../../../engine/index.js';
import { recordOf, replyOf } from '../../kernel/resources/index.js';
import { type Fault, Refusal, refuseProperty } from '../../errors.js';
import { EVENT_TYPES } from '../../event-types.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import { API_VERSION } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { type WebhookFacts, webhooksOf } from './facts.js';
import { secretContext, type Webhook, WEBHOOK, type WebhookCreateBody, type WebhookStatus, type WebhookUpdateBody } from './webhook.js';

type Context<Body = unknown> = CommandContext<CompanyState, Body>;
type Stored = WebhookFacts['WebhookCreated']['webhook'];

/** Maximum number of webhooks of a company. */
const MAX_WEBHOOKS = 20;

const KNOWN_EVENTS: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ eventType }) => eventType));

/** The secret that the gateway adds to a body, since a deterministic decision cannot generate one. */
interface WithSecret {
  readonly secret: string;
}

/** The progress that the delivery reports, and how many ids of messages it reserves. */
export interface WebhookProgressBody {
  readonly status?: WebhookStatus;
  readonly through?: number;
  readonly ids?: number;
  /** Whether the e-mail to the company that the service has disabled the webhook is still to be sent. */
  readonly isNoticeDue?: boolean;
}

export const webhookCommands: readonly CommandSpec<CompanyState>[] = [
  spec('webhook.create', (context: Context<WebhookCreateBody & WithSecret>) => {
    const { state, env, command } = context;
    const body = context.body;
    if (webhooksOf(state).size >= MAX_WEBHOOKS)
      throw new Refusal('businessValidation', `A company can have at most ${MAX_WEBHOOKS} webhooks.`);
    refuseProxy(body);
    const id = env.newId(WEBHOOK.prefix);
    env.createKey(id);
    const { webhookDirectDetails: direct = null } = body;
    const webhook: Stored = {
      webhookType: body.webhookType,
      eventTypes: [...new Set(body.eventTypes)],
      enabled: body.enabled ?? true,
      hydrateData: body.hydrateData ?? false,
      hydratesWith: body.hydrateData === true ? [...command.permissions] : [],
      apiVersion: API_VERSION,
      direct:
        direct === null
          ? null
          : { url: direct.webhookUrl, secrets: [{ sealed: env.seal(id, body.secret, secretContext(id)), until: null }] },
      proxy: null,
      description: body.description ?? null,
      metaData: body.metaData ?? null,
    };
    check(webhook);
    return decision({ type: 'WebhookCreated', body: { id, webhook } }, { id, env, secret: direct === null ? null : body.secret });
  }),
  spec('webhook.update', (context: Context<WebhookUpdateBody>) => {
    const { id, stored } = webhookOf(context);
    const { status: _status, progress: _progress, ...before } = stored;
    const { webhookDirectDetails: direct, webhookProxyDetails: proxy, eventTypes, ...plain } = context.body;
    if (direct != null && before.direct === null) refuseDetails('webhookDirectDetails');
    if (proxy != null && before.proxy === null) refuseDetails('webhookProxyDetails');
    const webhook: Stored = {
      ...before,
      ...plain,
      eventTypes: eventTypes === undefined ? before.eventTypes : [...new Set(eventTypes)],
      hydratesWith: plain.hydrateData === undefined ? before.hydratesWith : plain.hydrateData ? [...context.command.permissions] : [],
      direct: direct === null ? null : before.direct && { ...before.direct, url: direct?.webhookUrl ?? before.direct.url },
      proxy:
        proxy === null
          ? null
          : before.proxy && {
              providerId: proxy?.providerId ?? before.proxy.providerId,
              baseUrl: proxy?.baseUrl ?? before.proxy.baseUrl,
              sealedCredentials: changedCredentials(context, id, before.proxy.sealedCredentials, proxy),
            },
    };
    check(webhook);
    return decision({ type: 'WebhookUpdated', body: { id, webhook } }, { id, env: context.env, secret: null });
  }),
  spec('webhook.rotateSecret', (context: Context<WithSecret>) => {
    const { id, stored } = webhookOf(context);
    const { secret } = context.body;
    if (stored.direct === null) throw new Refusal('invalidState', `The webhook ${id} has no signing key: only direct webhooks do.`);
    const { env } = context;
    return decision({ type: 'WebhookSecretRotated', body: { id, sealed: env.seal(id, secret, secretContext(id)) } }, { id, env, secret });
  }),
  spec('webhook.delete', (context) => {
    const { id } = webhookOf(context);
    return { facts: [{ type: 'ResourceRemoved', body: { resource: WEBHOOK.type, id } }], reply: () => ({ data: undefined }) };
  }),
  // Internal, without a route.
  spec('webhook.progress', (context: Context<WebhookProgressBody>) => {
    assert(context.command.actor.type === 'system', 'only the delivery itself reports its progress');
    const { id } = webhookOf(context);
    const { ids = 0, ...progress } = context.body;
    const firstId = ids === 0 ? 0 : context.env.reserveIds(ids);
    return { facts: [{ type: 'WebhookProgressed', body: { id, ...progress } }], reply: () => ({ data: { firstId } }) };
  }),
];

function spec<Body>(type: string, decide: (context: Context<Body>) => Decision<CompanyState>): CommandSpec<CompanyState, Body> {
  return { kind: 'company', type, place: { on: 'target' }, catchesUp: false, decide };
}

const webhookOf = ({ state, command }: Context): { readonly id: string; readonly stored: Webhook } =>
  recordOf(WEBHOOK, state, command.params);

/** The reply shows the new secret, so the reply is stored sealed with the webhook's own data key. */
function decision(
  fact: { readonly type: keyof WebhookFacts; readonly body: unknown },
  { id, env, secret }: { readonly id: string; readonly env: DecideEnv; readonly secret: string | null },
): Decision<CompanyState> {
  return {
    facts: [fact],
    reply(after) {
      const view = replyOf(WEBHOOK, after, must(webhooksOf(after).get(id), 'the webhook is there'), env.now);
      const direct = fieldOf(view, 'webhookDirectDetails');
      return {
        data: isRecord(direct) && secret !== null ? { ...view, webhookDirectDetails: { ...direct, hmacSecretKey: secret } } : view,
        sealedFor: id,
      };
    },
  };
}

const sealedCredentials = ({ env }: Context, id: string, login: string, transactionKey: string): Uint8Array =>
  env.seal(id, JSON.stringify({ login, transactionKey }), secretContext(id));

function changedCredentials(context: Context, id: string, before: Uint8Array, proxy: WebhookUpdateBody['webhookProxyDetails']): Uint8Array {
  if (proxy?.login === undefined && proxy?.transactionKey === undefined) return before;
  const opened = must(context.env.open(id, before, secretContext(id)), 'the data key of a webhook that is there');
  const known = ownJson<{ readonly login: string; readonly transactionKey: string }>(opened);
  return sealedCredentials(context, id, proxy.login ?? known.login, proxy.transactionKey ?? known.transactionKey);
}

/** Webhooks of earlier releases may be of the other type: they are shown, and nothing is sent to them. */
function refuseProxy({ webhookType, webhookProxyDetails }: WebhookCreateBody): void {
  if (webhookType !== 'direct') {
    const why = 'The service calls no external card processor. Events go to an address by a `direct` webhook, and issuers report theirs.';
    refuseProperty('webhookType', 'direct', why);
  }
  if (webhookProxyDetails != null) refuseDetails('webhookProxyDetails');
}

function check({ webhookType, eventTypes, direct, proxy }: Stored): void {
  const errors: Fault[] = [];
  const [own, other] = webhookType === 'direct' ? ([direct, proxy] as const) : ([proxy, direct] as const);
  const [ownName, otherName] = webhookType === 'direct' ? DETAILS : [DETAILS[1], DETAILS[0]];
  if (own === null) errors.push({ path: ownName, expected: `the details of a ${webhookType} webhook`, message: 'is missing' });
  if (other !== null) errors.push({ path: otherName, expected: 'nothing', message: `does not belong to a ${webhookType} webhook` });
  if (webhookType === 'direct' && eventTypes.length === 0)
    errors.push({ path: 'eventTypes', expected: 'at least one event type', message: 'is empty' });
  if (webhookType !== 'direct' && eventTypes.length > 0)
    errors.push({ path: 'eventTypes', expected: 'an empty list: the service chooses the events', message: 'must be empty' });
  errors.push(...eventTypeFaults(eventTypes));
  if (errors.length > 0) throw new Refusal('validationError', 'The webhook is not valid: see `errors`.', { errors });
}

/** Names of a body that are no event types. */
export const eventTypeFaults = (eventTypes: readonly string[]): readonly Fault[] =>
  eventTypes.flatMap((name, index) =>
    KNOWN_EVENTS.has(name)
      ? []
      : [{ path: `eventTypes[${index}]`, expected: 'a name of GET /event-types', message: `unknown event type ${name}` }],
  );

const DETAILS = ['webhookDirectDetails', 'webhookProxyDetails'] as const;

function refuseDetails(path: (typeof DETAILS)[number]): never {
  throw new Refusal('validationError', 'The details do not match the type of the webhook.', {
    errors: [{ path, expected: 'the details of its own type', message: 'is of another type' }],
  });
}
