interface ThemeRow {
  readonly kind: 'collections' | 'servicing' | 'internal' | 'marketing' | 'inbound' | 'deprecated';
  /** Taken on create and update. The others stand on old rows. */
  readonly isSettable: boolean;
}

/** Why a borrower is spoken to. The kind tells which laws apply. */
export const THEMES = {
  /** Collection of the debt: all overdue notices carry it. */
  opsCollDebt: { kind: 'collections', isSettable: true },
  /** Finding the borrower, which means asking third parties. */
  opsCollLocateBorrower: { kind: 'collections', isSettable: true },
  opsCollVerifyEmployment: { kind: 'collections', isSettable: true },
  opsCollContactEmployerNotice: { kind: 'collections', isSettable: true },
  /** The account as such: most messages about it. */
  opsServicing: { kind: 'servicing', isSettable: true },
  opsServicingDebtValidation: { kind: 'servicing', isSettable: true },
  opsServicingTimeBarredNotice: { kind: 'servicing', isSettable: true },
  /** Still named by a Do Not Interact. */
  opsServicingNegativeCreditReportNotice: { kind: 'deprecated', isSettable: false },
  /** Codes and passwords: no Do Not Interact stops them. */
  opsAccountCredentials: { kind: 'servicing', isSettable: true },
  /** To an agent, not to the borrower: nothing screens it. */
  agentNotification: { kind: 'internal', isSettable: true },
  /** Statements and tax documents. */
  opsServicingStatement: { kind: 'servicing', isSettable: true },
  /** Privacy and consents. */
  opsServicingPrivacy: { kind: 'servicing', isSettable: true },
  /** Application and set-up of a loan. */
  opsOrigination: { kind: 'servicing', isSettable: true },
  marketing: { kind: 'marketing', isSettable: true },
  /** Why a borrower came to the lender. */
  inbGeneral: { kind: 'inbound', isSettable: true },
  inbPayment: { kind: 'inbound', isSettable: true },
  inbDispute: { kind: 'inbound', isSettable: true },
  inbHardship: { kind: 'inbound', isSettable: true },
  inbComplaint: { kind: 'inbound', isSettable: true },
  inbOptOut: { kind: 'inbound', isSettable: true },
  inbTechnical: { kind: 'inbound', isSettable: true },
  inbWrongParty: { kind: 'inbound', isSettable: true },
  inbBug: { kind: 'inbound', isSettable: false },
  inbHumanLove: { kind: 'inbound', isSettable: false },
} as const satisfies Readonly<Record<string, ThemeRow>>;

export type InteractionTheme = keyof typeof THEMES;

export type ThemeKind = (typeof THEMES)[InteractionTheme]['kind'];

export type SettableTheme = {
  [Name in InteractionTheme]: (typeof THEMES)[Name]['isSettable'] extends true ? Name : never;
}[InteractionTheme];

/** What a notification type names: a settable theme of a message to the borrower. */
export type OutboundTheme = Exclude<SettableTheme, `inb${string}`>;

/** What a Do Not Interact names. `all` never covers `opsAccountCredentials`. */
export type BlockedTheme =
  | 'all'
  | 'opsCollDebt'
  | 'opsCollLocateBorrower'
  | 'opsCollVerifyEmployment'
  | 'opsCollContactEmployerNotice'
  | 'opsServicingDebtValidation'
  | 'opsServicingNegativeCreditReportNotice'
  | 'opsServicingTimeBarredNotice'
  | 'opsServicing';

export const isSettableTheme = (theme: InteractionTheme): theme is SettableTheme => THEMES[theme].isSettable;

export const isCollections = (theme: InteractionTheme): boolean => THEMES[theme].kind === 'collections';

export const isInboundTheme = (theme: InteractionTheme): boolean => THEMES[theme].kind === 'inbound';
