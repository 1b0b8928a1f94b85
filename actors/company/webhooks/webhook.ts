import type { tags } from 'typia';
import type { Declaration } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText, MetaData, Text } from '../../wire.js';

type WebhookType = 'direct' | 'proxyCardProcessor';
export type WebhookStatus = 'healthy' | 'failing' | 'disabledByFailures';

/** A subscription to events, as the company keeps it. */
export interface Webhook {
  readonly webhookType: WebhookType;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  readonly hydrateData: boolean;
  /** What whoever switched hydration on may read: the payload shows no more. */
  readonly hydratesWith: readonly string[];
  /** The version that payloads are rendered in. */
  readonly apiVersion: string;
  readonly direct: DirectDetails | null;
  readonly proxy: ProxyDetails | null;
  readonly description: string | null;
  readonly metaData: MetaData | null;
  readonly status: WebhookStatus;
  readonly progress: WebhookProgress;
}

interface DirectDetails {
  readonly url: string;
  /** The newest first; each is sealed with the data key of the webhook. */
  readonly secrets: readonly SealedSecret[];
}

interface SealedSecret {
  readonly sealed: Uint8Array;
  /** Machine time in milliseconds until which it signs beside the newer one; null = it is the newest. */
  readonly until: number | null;
}

interface ProxyDetails {
  readonly providerId: string;
  readonly baseUrl: string;
  /** Login and transaction key as one JSON text. */
  readonly sealedCredentials: Uint8Array;
}

/**
 * What the journal knows of the deliveries: every message of an event up to the stamp is settled. Whoever delivers keeps the
 * finer state on its own disk, and begins here when that is lost or belongs to an older number.
 */
interface WebhookProgress {
  readonly through: number;
  readonly number: number;
}

/** What a sealed secret is bound to. */
export const secretContext = (webhookId: string): string => `webhook/${webhookId}`;

/** How long a replaced secret goes on signing. */
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
  readonly webhookDirectDetails?: { readonly webhookUrl: Url };
  readonly webhookProxyDetails?: ProxyBody;
}

export interface WebhookUpdateBody extends WebhookFields {
  readonly webhookDirectDetails?: { readonly webhookUrl?: Url };
  readonly webhookProxyDetails?: Partial<ProxyBody>;
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
  /** The key is in the replies that made it, creation and rotation, and null in all others. */
  readonly webhookDirectDetails: { readonly webhookUrl: string; readonly hmacSecretKey: string | null } | null;
  readonly webhookProxyDetails: { readonly providerId: string; readonly baseUrl: string } | null;
  readonly description: string | null;
  readonly metaData: MetaData | null;
  readonly status: WebhookStatus;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** What its queries need; its commands are its own. */
export const WEBHOOK: Declaration<never, never, Webhook> = {
  type: 'webhook',
  prefix: 'WH',
  param: 'webhookId',
  unique: [],
  create: (body) => body,
  change: (before) => before,
  matches({ stored }, query) {
    const { enabled } = query as WebhookListQuery;
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
