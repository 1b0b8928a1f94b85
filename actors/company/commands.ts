import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, FreeJson, MetaData, ShortText, Whole } from '../wire.js';
import type { AuthType, AuthValueType, CompanyConfig, SecondFactor } from './profile.js';

type Minutes = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<10_080>;
type ClockTime = string & tags.Pattern<'^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$'>;
type Weekday = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<7>;

/** The body that `tenor company create` sends. Both modes of a company are created under one id. */
export interface CompanyCreateBody extends CompanyUpdateBody {
  readonly name: ShortText & tags.MinLength<1>;
  /** IANA name. */
  readonly timezone: ShortText;
  /** It begins with templates in plain words for all that the service sends by itself. Default false: none. */
  readonly withTemplates?: boolean;
}

export interface CompanyUpdateBody {
  readonly legalName?: ShortText | null;
  readonly name?: ShortText & tags.MinLength<1>;
  readonly brandName?: ShortText | null;
  readonly slug?: (string & tags.Pattern<'^[a-z0-9-]{1,50}$'>) | null;
  readonly domainName?: ShortText | null;
  readonly shortDomainName?: ShortText | null;
  readonly type?: 'lender' | 'servicer';
  /** IANA name; past dates keep the zone in which they were computed. */
  readonly timezone?: ShortText;
  readonly agentAuthType?: AuthType;
  readonly borrowerAuthType?: AuthType;
  readonly agentAuthValueType?: AuthValueType;
  readonly borrowerAuthValueType?: AuthValueType;
  readonly bankruptcyPolicy?: boolean;
  readonly deceasedPolicy?: boolean;
  readonly femaPolicy?: boolean;
  readonly scraPolicy?: boolean;
  readonly ofacPolicy?: boolean;
  readonly rndPolicy?: boolean;
  readonly forceCaseIdOnAgentActions?: boolean;
  readonly promiseBrokenAfterDays?: (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<365>) | null;
  readonly brandAssets?: BrandAssets;
  readonly communication?: Communication;
  readonly config?: CompanyConfigBody;
  readonly metaData?: MetaData | null;
}

interface BrandAssets {
  readonly logos?: FreeJson;
  readonly colors?: FreeJson;
  readonly copies?: FreeJson;
}

interface Communication {
  readonly email_from?: string & tags.MaxLength<320>;
  readonly email_inbound?: { readonly monitored_emails?: readonly string[]; readonly reject_others?: boolean };
  /** E.164 */
  readonly text_from_number?: string & tags.Pattern<'^\\+[1-9]\\d{1,14}$'>;
  /** An address, or a text of one: what sells shows it (15 USC 7704(a)(5)). */
  readonly address_from?: FreeJson;
  /** Of a lender or collector that has one; messages in California show it. */
  readonly license_number?: string & tags.MinLength<1> & tags.MaxLength<50>;
}

interface CompanyConfigBody {
  readonly borrowerVerification?: { readonly crmDefaultTypeId?: AnyId | null };
  readonly tasks?: { readonly reservationTimeoutSecs?: Whole };
  readonly cases?: { readonly requireOpenCaseForActions?: boolean };
  readonly auth?: {
    readonly maxFailedLogins?: Minutes;
    readonly lockoutMinutes?: Minutes;
    readonly requireSecondFactor?: boolean;
    /** Default: a code that is sent by e-mail or text. */
    readonly secondFactor?: SecondFactor;
    readonly agentTokenMinutes?: Minutes;
    readonly borrowerTokenMinutes?: Minutes;
  };
  readonly calendar?: {
    /** null = the federal holidays. */
    readonly holidays?: readonly DateText[] | null;
    readonly businessHours?: readonly { readonly weekday: Weekday; readonly from: ClockTime; readonly to: ClockTime }[];
  };
  readonly autopay?: { readonly requireAgreement?: boolean };
  readonly monitoring?: { readonly requireLoanStatuses?: readonly ('active' | 'frozen' | 'accelerated' | 'chargedOff')[] };
  /** Whether incoming texts are accepted. STOP and its synonyms take effect in any case. */
  readonly communication?: { readonly inboundTextsEnabled?: boolean };
}

export interface CompanyView {
  readonly id: string;
  readonly object: 'company';
  readonly legalName: string | null;
  readonly name: string;
  readonly brandName: string | null;
  readonly slug: string | null;
  readonly domainName: string | null;
  readonly shortDomainName: string | null;
  readonly type: 'lender' | 'servicer';
  readonly status: 'active' | 'inactive';
  readonly timezone: string;
  readonly agentAuthType: AuthType;
  readonly borrowerAuthType: AuthType;
  readonly agentAuthValueType: AuthValueType;
  readonly borrowerAuthValueType: AuthValueType;
  readonly bankruptcyPolicy: boolean;
  readonly deceasedPolicy: boolean;
  readonly femaPolicy: boolean;
  readonly scraPolicy: boolean;
  readonly ofacPolicy: boolean;
  readonly rndPolicy: boolean;
  /** Adapters of data sources; set by the operator. */
  readonly bankruptcyServiceId: number | null;
  readonly deceasedServiceId: number | null;
  readonly femaServiceId: number | null;
  readonly scraServiceId: number | null;
  readonly ofacServiceId: number | null;
  readonly rndServiceId: number | null;
  readonly tokenizationKeyId: number | null;
  readonly forceCaseIdOnAgentActions: boolean;
  readonly promiseBrokenAfterDays: number | null;
  readonly appDomains: readonly AppDomainView[];
  readonly brandAssets: FreeJson;
  readonly communication: FreeJson;
  readonly config: CompanyConfig;
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export interface AppDomainView {
  readonly id: string;
  readonly companyId: string;
  readonly domain: string;
  readonly type: string;
}

/** The body as the route sends it. The secret itself never leaves the gateway. */
export interface ApiKeyCreateCommand extends ApiKeyCreateBody {
  /** SHA-256 of the key's text, lower-case hexadecimal. */
  readonly hash: string & tags.Pattern<'^[0-9a-f]{64}$'>;
}

export interface ApiKeyCreateBody {
  /** The key acts with this user's permissions. */
  readonly userId: AnyId;
  readonly description?: (string & tags.MinLength<1> & tags.MaxLength<200>) | null;
  /** IPv4 or IPv6 addresses or CIDR blocks; null or empty = no restriction. */
  readonly whitelistedIPs?: (readonly IpRange[] & tags.MaxItems<100>) | null;
  /** Whether unknown fields and parameters are refused or ignored. Default `refuse`: 400 that lists each. */
  readonly unknownFields?: 'refuse' | 'ignore';
}

export interface ApiKeyUpdateBody {
  readonly description?: (string & tags.MinLength<1> & tags.MaxLength<200>) | null;
  readonly whitelistedIPs?: (readonly IpRange[] & tags.MaxItems<100>) | null;
  /** Whether unknown fields and parameters are refused or ignored. Default `refuse`: 400 that lists each. */
  readonly unknownFields?: 'refuse' | 'ignore';
  readonly status?: 'active' | 'inactive';
}

type IpRange = string & tags.MaxLength<50>;

export interface ApiKeyView {
  readonly id: string;
  readonly object: 'apiKey';
  readonly companyId: string;
  readonly userId: string;
  readonly description: string | null;
  readonly whitelistedIPs: readonly string[];
  readonly unknownFields: 'refuse' | 'ignore';
  /** The secret: only in the reply that creates the key. */
  readonly key: string | null;
  readonly status: 'active' | 'inactive';
  /** The API version for requests that name none: the newest version when the key was created. */
  readonly apiVersion: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
}
