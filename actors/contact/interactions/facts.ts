import type { FactDraft } from '../../kernel/fact.js';
import type { ChangeableFields, InteractionFields } from './state.js';

/** What happens to an interaction. What was said and who was reached is sealed. */
export interface InteractionFacts {
  readonly InteractionRecorded: InteractionFields;
  /** Only what changed. `at` is the moment for which it was planned; absent where somebody ordered it. */
  readonly InteractionChanged: { readonly changes: Partial<ChangeableFields>; readonly at?: number };
  /** The window of a planned contact has begun. */
  readonly WindowBegun: { readonly at: number };
  readonly InteractionDeleted: Readonly<Record<string, never>>;
}

/** A fact of an interaction; the type names its body. */
export const fact = <Type extends keyof InteractionFacts>(type: Type, body: InteractionFacts[Type]): FactDraft => ({ type, body });
