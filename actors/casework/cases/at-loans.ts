import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { collectingStopped } from './collecting.js';
import type { CaseOfLoans } from './loans-meant.js';
import { thresholdsFollow } from './thresholds.js';

/** What a case does to the loans of its borrower, in the batch that opens or changes it. `before` is null of a new case. */
export const doneToLoans = (env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] => [
  ...collectingStopped(env, before, after),
  ...thresholdsFollow(env, after),
];
