/**
 * What a borrower may allow, each with what holds until something is said: nothing is taken for a consent (15 USC
 * 7001(c)(1)(A)).
 */
const DEFAULTS = {
  electronicComms: 'revoked',
  contactPersonWork: 'revoked',
  contactPersonRepByAttorney: 'revoked',
  contactPersonUnusualTime: 'revoked',
  autodialedColl: 'revoked',
  prerecordedColl: 'revoked',
  autodialedMarketing: 'revoked',
  emailMarketing: 'revoked',
  thirdPartyDisclosure: 'revoked',
} as const satisfies Readonly<Record<string, ConsentStatus>>;

export type ConsentName = keyof typeof DEFAULTS;
export type ConsentStatus = 'consented' | 'revoked';
export type ConsentSource = 'lender' | 'borrower' | 'agent' | 'migration';

export const CONSENT_NAMES = Object.keys(DEFAULTS) as readonly ConsentName[];

/** What was said about one of them last. */
export interface Consent {
  readonly id: string;
  readonly name: ConsentName;
  readonly status: ConsentStatus;
  readonly source: ConsentSource | null;
  /** Milliseconds. */
  readonly obtainedAt: number | null;
  /** The document that proves it. */
  readonly documentId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** Whether the borrower allows it, by word or by default. */
export const statusOfConsent = (consents: readonly Consent[], name: ConsentName): ConsentStatus =>
  consents.find((consent) => consent.name === name)?.status ?? DEFAULTS[name];
