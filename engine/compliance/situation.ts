import type { Day } from '../calendar/index.js';
import type {
  AgentOutcome,
  BlockedChannel,
  BlockedTheme,
  Channel,
  Direction,
  InteractionStatus,
  InteractionTheme,
  Subject,
} from '../communication/index.js';
import type { BusinessRule } from './rule.js';
import type { ChoosableContact } from './steps.js';

/** All facts that the guard uses, as plain data. Times are milliseconds. */
export interface Situation {
  readonly companyZone: string;
  readonly person: ScreenedPerson;
  /** The phone or address of the contact; null if the borrower has none that can be used. */
  readonly contact: ScreenedContact | null;
  readonly consents: Readonly<Record<ConsentTopic, ScreenedConsent>>;
  /** A representative of the borrower answers. */
  readonly hasActiveRepresentative: boolean;
  readonly cases: readonly ScreenedCase[];
  readonly blocks: readonly ScreenedBlock[];
  /** Loans of the borrower, as the primary or an additional person. */
  readonly loans: readonly ScreenedLoan[];
  readonly history: readonly PastContact[];
  /** Rules that the company has muted, with the end of the muting. */
  readonly mutes: ReadonlyMap<string, number>;
  readonly businessRules: readonly BusinessRule[];
  /** The company does not collect in declared disaster areas. */
  readonly isDisasterPolicyOn: boolean;
}

export interface ScreenedPerson {
  readonly status: 'active' | 'inactive';
  /** Kinds of monitoring with a hit that was not cleared. */
  readonly hits: ReadonlySet<string>;
  readonly collectionsIntensity: 'light' | 'normal' | 'heavy';
  readonly sendRemindersWhenCurrent: boolean;
  /** The language that the borrower prefers, two letters; null: not recorded. */
  readonly language: string | null;
  /** The valid primary home address; null without one. */
  readonly home: HomeArea | null;
  /** Other valid addresses of the borrower, except those of work: the borrower may be at any of them. */
  readonly otherAreas: readonly HomeArea[];
}

export interface HomeArea {
  /** Two letters; null outside of the United States. */
  readonly state: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** Every zone in which it may lie. */
  readonly zones: readonly string[];
}

export interface ScreenedContact extends ChoosableContact {
  readonly id: string;
  /** By the area code of a phone, or of the address itself; null if unknown. */
  readonly state: string | null;
  readonly zones: readonly string[];
  /** The number was reported as reassigned, and nobody has given a consent with it since. */
  readonly mayBeReassigned: boolean;
  /** Lists of who wants no calls that sell; absent: nobody has looked. */
  readonly doNotCall?: DoNotCall;
}

export interface DoNotCall {
  /** The borrower has asked the company itself. */
  readonly isOnInternal: boolean;
  /** What the national registry said last; null: nobody has looked. */
  readonly national: { readonly isListed: boolean; readonly checkedOn: Day } | null;
}

export type ConsentTopic =
  | 'electronicComms'
  | 'contactPersonWork'
  | 'contactPersonRepByAttorney'
  | 'contactPersonUnusualTime'
  | 'autodialedColl'
  | 'prerecordedColl'
  | 'autodialedMarketing'
  | 'emailMarketing'
  | 'thirdPartyDisclosure';

export interface ScreenedConsent {
  readonly isGiven: boolean;
  /** Recorded, not the default. */
  readonly isSaid: boolean;
  /** The borrower gave it with their own login, or a document proves it. */
  readonly isInWriting: boolean;
  /** It was given in a talk: no consent to what a law wants in writing (15 USC 7001(c)(6)). */
  readonly isOral?: boolean;
}

export interface ScreenedCase {
  readonly id: string;
  readonly caseType: string;
  readonly isOpen: boolean;
  readonly status: string;
  readonly outcome: string | null;
  readonly openedAt: number;
  /** It is about another person on a shared loan. */
  readonly isOfAnother: boolean;
  /** Loans that it is about; empty = all. */
  readonly loanIds: readonly string[];
  /** Fields of its type that are not encrypted, dates as `YYYY-MM-DD`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A Do Not Interact that is or will be in force. */
export interface ScreenedBlock {
  readonly id: string;
  readonly channels: readonly BlockedChannel[];
  readonly themes: readonly BlockedTheme[];
  readonly startDate: Day;
  /** The first moment after it; null = no end. */
  readonly endsAt: number | null;
  /** 0 is Monday; empty = all. */
  readonly daysOfWeek: readonly number[];
  readonly timesOfDay: readonly { readonly fromHour: number; readonly toHour: number }[];
  readonly timezone: string;
  readonly contactLabels: readonly ChoosableContact['label'][];
}

export interface ScreenedLoan {
  readonly id: string;
  readonly status: string;
  readonly loanTypeId: string;
  readonly servicedBy: string;
  readonly areNoticesMuted: boolean;
  readonly isOverdue: boolean;
  /** The due date of the oldest overdue obligation. */
  readonly overdueSince: Day | null;
  /** The day of the contract; null before. */
  readonly originatedOn: Day | null;
  /** Something is owed on it, or it is not known. */
  readonly isOwed: boolean;
  /** The borrower has to pay it: not an authorized user, and still on the loan. */
  readonly isLiable: boolean;
  /** It has security in the nature of a mortgage (50 USC 3953(a)). */
  readonly isMortgage: boolean;
  /** A home secures it. */
  readonly isOnHome: boolean;
  /** It may be a credit sale of goods, whose suits have a time of their own; absent: no. */
  readonly mayBeSale?: boolean;
  /** The day of the last purchase or transaction that is known of it: its beginning, or its end; null or absent: none. */
  readonly lastTransactionOn?: Day | null;
  /** The day on which the borrower applied for it; null or absent once it was made. */
  readonly appliedOn?: Day | null;
}

/** A communication that was made. */
export interface PastContact {
  readonly id: string;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly startedAt: number;
  readonly subject: Subject | null;
  readonly theme: InteractionTheme | null;
  /** Empty: not said, which counts for every loan. */
  readonly loanIds: readonly string[];
  readonly contactId: string | null;
  /** Label of that contact; null if it is not known. */
  readonly contactLabel: ChoosableContact['label'] | null;
  readonly agentOutcome: AgentOutcome | null;
  /** The owner of that contact counts as the borrower (12 CFR 1006.6(a)); null if it is not known who was reached. */
  readonly isOfRepresentative: boolean | null;
  readonly isOfAttorney: boolean;
  /** Null in old records. */
  readonly isTransactional: boolean | null;
  /** It answered what the borrower had sent. */
  readonly isReply: boolean;
  /** For a planned call that the borrower asked for; null for all others. */
  readonly askedFor: AskedFor | null;
}

/** When the borrower wants to be called, and when they said so. */
export interface AskedFor {
  readonly saidAt: number;
  readonly from: number;
  /** Null: without an end. */
  readonly to: number | null;
}

/** Why a contact may not be made; templates have further reasons of their own. */
export type BlockReason =
  | 'doNotInteract'
  | 'complianceRule'
  | 'businessRule'
  | 'noContact'
  | 'noConsent'
  | 'noAddress'
  | 'muted'
  | 'personStatus';

/** The verdict of the guard. */
export interface GuardVerdict {
  readonly result: boolean;
  readonly blockReason: BlockReason | null;
  readonly ruleId: string | null;
  readonly ruleCode: string | null;
  readonly doNotInteractId: string | null;
  readonly description: string | null;
  /** The earliest moment within 30 days at which the contact is allowed; null if waiting does not help. */
  readonly sendAt: number | null;
  readonly warnings: readonly string[];
  /** The rules about this contact, in their order. */
  readonly rules: readonly RuleOutcome[];
}

export interface RuleOutcome {
  readonly ruleId: string;
  readonly code: string;
  readonly blocks: boolean;
  /** It would block the contact, but the company has muted it. */
  readonly muted: boolean;
}

/** An objection to a contact. */
export interface Objection {
  readonly reason: BlockReason;
  readonly description: string;
  readonly ruleId?: string;
  readonly ruleCode?: string;
  readonly doNotInteractId?: string;
}
