import { must } from '../../../engine/index.js';
import { type CaseMoment, companyOf, holds, type ItemType, type StepType, workflowTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { WorkflowItem, WorkflowState } from './state.js';

/** A step as it stands: what its type says of it, and whether the case hides it. */
export interface StepProgress {
  readonly id: string;
  readonly type: StepType;
  readonly isHidden: boolean;
  readonly isDone: boolean;
  readonly items: readonly ItemProgress[];
}

export interface ItemProgress {
  readonly item: WorkflowItem;
  readonly type: ItemType;
}

/** The steps in their order, under the version of the type that the workflow began with. */
export function progressOf(env: EvolveEnv, state: WorkflowState, moment: Pick<CaseMoment, 'field'>): readonly StepProgress[] {
  const company = companyOf(env, state.tenant);
  const { version } = must(
    workflowTypeOf(company, state.workflowTypeId, state.version),
    `the version that the workflow ${state.id} began with`,
  );
  const stepTypes = new Map(version.fields.steps.map((type) => [type.id, type]));
  const steps = state.steps.map(({ id, stepTypeId, items }): StepProgress => {
    const type = must(stepTypes.get(stepTypeId), `the step ${stepTypeId}`);
    const itemTypes = new Map(type.items.map((itemType) => [itemType.id, itemType]));
    const isHidden = !holds(type.onCondition, (name) => moment.field(name));
    const own = items.map((item): ItemProgress => ({ item, type: must(itemTypes.get(item.itemTypeId), `the item ${item.itemTypeId}`) }));
    return { id, type, isHidden, isDone: isHidden || own.every(isSettled), items: inOrder(own) };
  });
  return inOrder(steps);
}

const inOrder = <Part extends { readonly type: { readonly displayOrder: number } }>(parts: readonly Part[]): readonly Part[] =>
  [...parts].sort((one, other) => one.type.displayOrder - other.type.displayOrder);

/** Whether nothing more is needed of it. */
const isSettled = ({ item, type }: ItemProgress): boolean => item.status !== 'pending' || !type.required;

/** Whether everything that is needed is done, with the items of one change in place of what they were. */
export const isFinished = (
  steps: readonly StepProgress[],
  changed: { readonly itemId: string; readonly status: WorkflowItem['status'] } | null,
): boolean => openRequired(steps, changed).length === 0;

/** Required items that keep a case from its completion; steps that are not required keep nothing back. */
export const openRequired = (
  steps: readonly StepProgress[],
  changed: { readonly itemId: string; readonly status: WorkflowItem['status'] } | null = null,
): readonly ItemProgress[] =>
  steps
    .filter(({ isHidden, type }) => !isHidden && type.required)
    .flatMap(({ items }) =>
      items.filter(
        (progress) =>
          !isSettled(progress.item.id === changed?.itemId ? { ...progress, item: { ...progress.item, status: changed.status } } : progress),
      ),
    );
