import type { tags } from 'typia';
import type { Declaration } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText, MetaData, Text } from '../../wire.js';

type WebhookType = 'direct' | 'proxyCardProcessor';
export type WebhookStatus = 'healthy' | 'failing' | 'disabledByFailures';

/** A subscription to events, as it is stored. */
export interface Webhook {
  readonly webhookType: WebhookType;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  readonly hydrateData: boolean;
  /** Permissions of the user who switched hydration on. Payloads show only what these permit. */
  readonly hydratesWith: readonly string[];
  /** The API version of payloads. */
  readonly apiVersion: string;
  readonly direct: DirectDetails | null;
  readonly proxy: ProxyDetails | null;
  readonly description: string | null;
  readonly metaData: MetaData | null;
  readonly status: WebhookStatus;
  /** The service has disabled it, and the e-mail to its company is not sent yet. Absent in webhooks of earlier releases. */
  readonly isNoticeDue?: boolean;
  readonly progress: WebhookProgress;
}

interface DirectDetails {
  readonly url: string;
  /** The newest first; each is sealed with the webhook's data key. */
  readonly secrets: readonly SealedSecret[];
}

interface SealedSecret {
  readonly sealed: Uint8Array;
  /** Machine time in milliseconds until which this secret signs along with the newer one; null = this is the newest. */
  readonly until: number | null;
}

interface ProxyDetails {
  readonly providerId: string;
  readonly baseUrl: string;
  /** Login and transaction key as one JSON text. */
  readonly sealedCredentials: Uint8Array;
}

/**
 * The progress of deliveries in the journal: the messages of all events up to the stamp are settled. The delivering process
 * keeps more detail on its own disk, and begins here if that is lost or outdated.
 */
interface WebhookProgress {
  readonly through: number;
  readonly number: number;
}

/** The context to which a sealed secret is bound. */
export const secretContext = (webhookId: string): string => `webhook/${webhookId}`;

/** A replaced secret still signs for this long. */
export const ROTATION_MS = 24 * 3_600_000;

type Url = string & tags.MinLength<8> & tags.MaxLength<2000>;
type EventName = string & tags.MaxLength<100>;
type Credential = string & tags.MinLength<1> & tags.MaxLength<500>;

interface WebhookFields {
  readonly eventTypes?: readonly EventName[];
  readonly enabled?: boolean;
  readonly hydrateData?: boolean;
  readonly description?: Text | null;
  readonly metaData?: MetaData | null;
}

export interface WebhookCreateBody extends WebhookFields {
  readonly webhookType: WebhookType;
  readonly webhookDirectDetails?: { readonly webhookUrl: Url } | null;
  readonly webhookProxyDetails?: ProxyBody | null;
}

export interface WebhookUpdateBody extends WebhookFields {
  readonly webhookDirectDetails?: { readonly webhookUrl?: Url } | null;
  readonly webhookProxyDetails?: Partial<ProxyBody> | null;
}

interface ProxyBody {
  readonly providerId: Text & tags.MinLength<1>;
  readonly baseUrl: Url;
  /** Write only. */
  readonly login: Credential;
  /** Write only. */
  readonly transactionKey: Credential;
}

export interface WebhookListQuery extends PageQuery {
  readonly enabled?: boolean;
}

export interface WebhookView {
  readonly id: string;
  readonly object: 'webhook';
  readonly companyId: string;
  readonly webhookType: WebhookType;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  readonly hydrateData: boolean;
  readonly apiVersion: string;
  /** The key is in the replies to creation and rotation, and null in all others. */
  readonly webhookDirectDetails: { readonly webhookUrl: string; readonly hmacSecretKey: string | null } | null;
  readonly webhookProxyDetails: { readonly providerId: string; readonly baseUrl: string } | null;
  readonly description: string | null;
  readonly metaData: MetaData | null;
  readonly status: WebhookStatus;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The declaration for queries of webhooks; their commands are in `commands.ts`. */
export const WEBHOOK: Declaration<never, never, Webhook> = {
  type: 'webhook',
  prefix: 'WH',
  param: 'webhookId',
  unique: [],
  create: (body) => body,
  change: (before) => before,
  matches({ stored }, query: WebhookListQuery) {
    const { enabled } = query;
    return enabled === undefined || stored.enabled === enabled;
  },
  view: ({ webhookType, eventTypes, enabled, hydrateData, apiVersion, direct, proxy, description, metaData, status }) => ({
    webhookType,
    eventTypes,
    enabled,
    hydrateData,
    apiVersion,
    webhookDirectDetails: direct && { webhookUrl: direct.url, hmacSecretKey: null },
    webhookProxyDetails: proxy && { providerId: proxy.providerId, baseUrl: proxy.baseUrl },
    description,
    metaData,
    status,
  }),
};
