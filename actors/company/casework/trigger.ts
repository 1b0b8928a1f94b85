import { type Fault, refuse } from '../../errors.js';
import type { CaseOutcome, CaseStatus } from './case-values.js';
import { type Condition, type ConditionBody, conditionOf, faultsOf, holds } from './condition.js';

/** When a Do Not Interact type or a notification type acts on a case. */
export interface Trigger {
  readonly onStatus: CaseStatus | null;
  readonly onOutcome: CaseOutcome | null;
  readonly onCondition: readonly Condition[];
}

export interface TriggerBody {
  readonly onStatus?: CaseStatus | null;
  readonly onOutcome?: CaseOutcome | null;
  readonly onCondition?: readonly ConditionBody[] | null;
}

/** A case as a trigger sees it, before and after one change. */
export interface CaseMoment {
  readonly status: CaseStatus;
  readonly outcome: CaseOutcome | null;
  /** A field of its type or a custom one, as on the wire. */
  field(name: string): unknown;
}

/** What a trigger names, and what of a case that is. */
const NAMED = [
  ['onStatus', 'status'],
  ['onOutcome', 'outcome'],
] as const satisfies readonly (readonly [keyof Trigger, keyof CaseMoment])[];

/** Whether the change from `before` (null: the case is made) to `after` sets it off: it has come to a state that the trigger names. */
export function fires(trigger: Trigger, before: CaseMoment | null, after: CaseMoment): boolean {
  const named = NAMED.filter(([trigged]) => trigger[trigged] !== null);
  const isThere = named.every(([trigged, field]) => trigger[trigged] === after[field]);
  const hasCome = named.some(([, field]) => before === null || before[field] !== after[field]);
  return isThere && hasCome && stillHolds(trigger, after);
}

/** Whether what it asks for is so, however it came to be: asked again where something waits before it is done. */
export const stillHolds = (trigger: Trigger, now: CaseMoment): boolean =>
  NAMED.every(([trigged, field]) => trigger[trigged] === null || trigger[trigged] === now[field]) &&
  holds(trigger.onCondition, (name) => now.field(name));

export const NO_TRIGGER: Trigger = { onStatus: null, onOutcome: null, onCondition: [] };

/** The trigger that a body leaves: absent keys stay. Refuses one that never fires, and conditions that compare nothing. */
export function triggerOf(before: Trigger, body: TriggerBody): Trigger {
  const { onStatus = before.onStatus, onOutcome = before.onOutcome } = body;
  const onCondition = body.onCondition === undefined ? before.onCondition : (body.onCondition ?? []).map(conditionOf);
  const faults: readonly Fault[] = faultsOf(onCondition);
  if (faults.length > 0) refuse('validationError', 'A condition compares what cannot be compared.', { errors: faults });
  if (onStatus === null && onOutcome === null) {
    refuse('triggerRequired', 'A trigger names a status or an outcome.', {
      errors: [{ path: 'onStatus', expected: 'a status, or an outcome as onOutcome', message: 'both are missing' }],
    });
  }
  return { onStatus, onOutcome, onCondition };
}
