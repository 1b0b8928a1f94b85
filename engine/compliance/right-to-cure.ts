/** What a state asks of a creditor before it enforces a default of unsecured consumer credit. */
export interface RightToCure {
  /** Days after the notice in which the borrower may cure the default. */
  readonly days: number;
  readonly lawCitation: string;
}

/** By the state of the borrower's home. States that are not named know no such notice for unsecured personal loans. */
const RIGHTS: Readonly<Record<string, RightToCure>> = {
  CO: { days: 20, lawCitation: 'C.R.S. 5-5-110, 5-5-111' },
  IA: { days: 20, lawCitation: 'Iowa Code 537.5110, 537.5111' },
  KS: { days: 20, lawCitation: 'K.S.A. 16a-5-110, 16a-5-111' },
  ME: { days: 14, lawCitation: '9-A M.R.S. 5-110, 5-111' },
  MO: { days: 20, lawCitation: 'RSMo 408.554, 408.555' },
  SC: { days: 20, lawCitation: 'S.C. Code 37-5-110, 37-5-111' },
  WI: { days: 15, lawCitation: 'Wis. Stat. 425.104, 425.105' },
  WV: { days: 10, lawCitation: 'W. Va. Code 46A-2-106' },
};

/** Null where the state, a two-letter code, gives no right to cure a default. */
export const rightToCureIn = (state: string | null): RightToCure | null => (state === null ? null : (RIGHTS[state] ?? null));
