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

/** What the guard says. */
export interface GuardVerdict {
  readonly result: boolean;
  readonly blockReason: BlockReason | null;
  readonly ruleId: string | null;
  readonly ruleCode: string | null;
  readonly doNotInteractId: string | null;
  readonly description: string | null;
  /** The earliest moment at which everything allows it, within 30 days; null when time alone changes nothing. */
  readonly sendAt: number | null;
  readonly warnings: readonly string[];
  /** The rules that were about this contact, in their order. */
  readonly rules: readonly RuleOutcome[];
}

export interface RuleOutcome {
  readonly ruleId: string;
  readonly code: string;
  readonly blocks: boolean;
  /** It would count, but the company has muted it. */
  readonly muted: boolean;
}

/** What stands against a contact. */
export interface Objection {
  readonly reason: BlockReason;
  readonly description: string;
  readonly ruleId?: string;
  readonly ruleCode?: string;
  readonly doNotInteractId?: string;
}
