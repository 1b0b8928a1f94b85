import type { DecideEnv } from '../runtime/actor.js';
import type { FactDraft } from '../runtime/fact.js';
import type { LoanState } from './state.js';

/** What ends with a canceled loan: scheduled payments, for one. Each gives its facts, before the cancellation's own. */
export const CANCEL_SIDE_EFFECTS: readonly ((state: LoanState, env: DecideEnv) => Iterable<FactDraft>)[] = [];
