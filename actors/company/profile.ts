import type { MetaData } from '../wire.js';
import { BlockList, isIP } from 'node:net';
import { refuseProperty } from '../errors.js';

/** The profile and settings of a company. They have no amounts and are stored as on the wire. */
export interface CompanyProfile {
  readonly legalName: string | null;
  readonly name: string;
  readonly brandName: string | null;
  readonly slug: string | null;
  readonly domainName: string | null;
  readonly shortDomainName: string | null;
  readonly type: 'lender' | 'servicer';
  readonly status: 'active' | 'inactive';
  /** IANA name; the zone of the company's dates. Changing it never rewrites past dates. */
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
  readonly forceCaseIdOnAgentActions: boolean;
  /** Days overdue after which a promise to pay is broken; null: at the end of the plan. Applies to plans that are made after a change. */
  readonly promiseBrokenAfterDays: number | null;
  readonly brandAssets: Readonly<Record<string, unknown>>;
  readonly communication: Readonly<Record<string, unknown>>;
  readonly config: CompanyConfig;
  readonly metaData: MetaData | null;
}

export type AuthType = 'basic' | 'openIdConnect' | 'oneTimeCodeEmail' | 'oneTimeCodeText' | 'SAML';
export type AuthValueType = 'email' | 'username' | 'phone' | 'samlSubjectNameId';

export interface CompanyConfig {
  readonly borrowerVerification: { readonly crmDefaultTypeId: string | null };
  readonly tasks: { readonly reservationTimeoutSecs: number };
  readonly cases: { readonly requireOpenCaseForActions: boolean };
  readonly auth: AuthConfig;
  readonly calendar: CalendarConfig;
  /** `requireAgreement`: a plan needs the signed authorization of the borrower. */
  readonly autopay: { readonly requireAgreement: boolean };
  readonly monitoring: { readonly requireLoanStatuses: readonly string[] };
  /** Absent in companies of earlier releases: texts are accepted. */
  readonly communication?: { readonly inboundTextsEnabled: boolean };
}

/** A code that is sent by e-mail or text, or that of an authenticator application. */
export type SecondFactor = 'code' | 'authenticator';

interface AuthConfig {
  readonly maxFailedLogins: number;
  readonly lockoutMinutes: number;
  readonly requireSecondFactor: boolean;
  /** Absent in companies of earlier releases: a code that is sent. */
  readonly secondFactor?: SecondFactor;
  readonly agentTokenMinutes: number;
  readonly borrowerTokenMinutes: number;
}

interface CalendarConfig {
  /** Dates that are not business days, in addition to weekends; null = the federal holidays. */
  readonly holidays: readonly string[] | null;
  readonly businessHours: readonly BusinessHours[];
}

/** Weekdays 1 (Monday) to 7 (Sunday); times as `HH:MM`. */
interface BusinessHours {
  readonly weekday: number;
  readonly from: string;
  readonly to: string;
}

const WORKING_DAYS = [1, 2, 3, 4, 5];

/** The defaults of a new company. */
export const PROFILE_DEFAULTS: Omit<CompanyProfile, 'name' | 'timezone'> = {
  legalName: null,
  brandName: null,
  slug: null,
  domainName: null,
  shortDomainName: null,
  type: 'lender',
  status: 'active',
  agentAuthType: 'basic',
  borrowerAuthType: 'basic',
  agentAuthValueType: 'email',
  borrowerAuthValueType: 'email',
  bankruptcyPolicy: false,
  deceasedPolicy: false,
  femaPolicy: false,
  scraPolicy: false,
  ofacPolicy: false,
  rndPolicy: false,
  forceCaseIdOnAgentActions: false,
  promiseBrokenAfterDays: null,
  brandAssets: {},
  communication: {},
  config: {
    borrowerVerification: { crmDefaultTypeId: null },
    tasks: { reservationTimeoutSecs: 120 },
    cases: { requireOpenCaseForActions: false },
    auth: {
      maxFailedLogins: 5,
      lockoutMinutes: 15,
      requireSecondFactor: false,
      secondFactor: 'code',
      agentTokenMinutes: 720,
      borrowerTokenMinutes: 60,
    },
    calendar: {
      holidays: null,
      businessHours: WORKING_DAYS.map((weekday) => ({ weekday, from: '08:00', to: '20:00' })),
    },
    autopay: { requireAgreement: true },
    monitoring: { requireLoanStatuses: ['active', 'frozen', 'accelerated', 'chargedOff'] },
    communication: { inboundTextsEnabled: true },
  },
  metaData: null,
};

/** Refuses a text that is not the IANA name of a time zone. */
export function checkTimezone(timezone: string | null | undefined): void {
  if (timezone === null || timezone === undefined || isTimezone(timezone)) return;
  refuseProperty('timezone', 'an IANA time zone such as America/New_York', `There is no time zone ${timezone.slice(0, 50)}.`);
}

function isTimezone(name: string): boolean {
  // `Intl` accepts offsets such as +01:00, but these have no daylight-saving rules.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An IPv4 or IPv6 address, or a CIDR block of one: `203.0.113.7`, `2001:db8::/32`. */
export function isIpRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** Whether all addresses of one range are in another range of the same family. */
export function isRangeWithin(range: string, wider: string): boolean {
  const [inner, outer] = [blockOf(range), blockOf(wider)];
  if (inner.family !== outer.family || inner.bits < outer.bits) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, outer.family);
  return list.check(inner.address, inner.family);
}

function blockOf(range: string): { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' } {
  const [address = '', length] = range.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return { address, family, bits: length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length) };
}
