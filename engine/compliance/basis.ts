/** Whom a rule binds. */
export type Bound =
  /** Whoever contacts a borrower. */
  | 'everybody'
  /** Creditors who collect their own loans, and collectors. */
  | 'creditorsAndCollectors'
  /** Whoever collects what is owed to another; applied to creditors too where the rule does not ask who services the loan. */
  | 'collectors'
  /** Whoever sells something. */
  | 'solicitors'
  /** The company, by its own choice. */
  | 'company';

/** What a rule counts, and for whom. */
export interface Counting {
  readonly what: 'attempts' | 'calls' | 'callsAndTexts' | 'contacts' | 'conversations' | 'messages' | 'solicitations';
  readonly per: 'debt' | 'person';
  readonly limit: number;
  /** Calendar days of the borrower's zone; the day of the contact is the last of them. Null: ever. */
  readonly days: number | null;
}

/** A text as it was read. */
export interface Reading {
  readonly citation: string;
  /** Words of the text itself, or what its reader says of it. */
  readonly quote: string;
  /** Where it was read: host and path, without the scheme. */
  readonly address: string;
  /** The first day on which it may have been read, as `YYYY-MM-DD`. */
  readonly readOn: string;
  /**
   * `text`: its words were read, or those of its regulator. `part`: only part of what the rule asks was shown. `secondHand`: an account of
   * it.
   */
  readonly standing: 'text' | 'part' | 'secondHand';
}

/** What a rule stands on. */
export interface RuleBasis {
  readonly binds: Bound;
  /** Empty of rules that count nothing. */
  readonly counts: readonly Counting[];
  /** Empty of what is the company's own choice alone. */
  readonly readings: readonly Reading[];
}

export const COMPANY_BASIS: RuleBasis = { binds: 'company', counts: [], readings: [] };
