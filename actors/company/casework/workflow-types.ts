import { conditionOf, faultsOf } from './condition.js';
import type { Change, VersionedDeclaration } from '../../kernel/resources/index.js';
import { type Fault, refuse } from '../../errors.js';
import {
  type ItemKind,
  type ItemType,
  type ItemTypeBody,
  type StepType,
  type StepTypeBody,
  WORKFLOW_TYPE_TYPE,
  type WorkflowType,
  type WorkflowTypeCreateBody,
  type WorkflowTypeUpdateBody,
} from './workflow-type.js';

export const WORKFLOW_TYPE: VersionedDeclaration<WorkflowTypeCreateBody, WorkflowTypeUpdateBody, WorkflowType> = {
  type: WORKFLOW_TYPE_TYPE,
  prefix: 'WT',
  param: 'id',
  create: ({ steps = [] }, at) => withSteps([], steps, at),
  change: (before, { steps }, at) => (steps === undefined ? before : withSteps(before.steps, steps, at)),
  view: ({ steps }) => ({ steps: inOrder(steps).map((step) => ({ ...step, items: inOrder(step.items) })) }),
};

const inOrder = <Part extends { readonly displayOrder: number }>(parts: readonly Part[]): readonly Part[] =>
  [...parts].sort((one, other) => one.displayOrder - other.displayOrder);

function withSteps(before: readonly StepType[], bodies: readonly StepTypeBody[], { env }: Change): WorkflowType {
  const known = new Set(before.flatMap(({ id, items }) => [id, ...items.map((item) => item.id)]));
  const idOf = (prefix: string, id: string | undefined): string => (id !== undefined && known.has(id) ? id : env.newId(prefix));
  const steps = bodies.map(
    ({ name, description = '', required = true, onCondition, items = [], ...step }, index): StepType => ({
      id: idOf('ST', step.id),
      name,
      description,
      required,
      displayOrder: step.displayOrder ?? index,
      onCondition: (onCondition ?? []).map(conditionOf),
      items: items.map(
        (item, place): ItemType => ({
          id: idOf('IT', item.id),
          name: item.name,
          description: item.description ?? '',
          displayOrder: item.displayOrder ?? place,
          required: item.required ?? true,
          kind: item.kind,
          options: item.options ?? [],
          fieldName: item.fieldName ?? null,
          documentType: item.documentType ?? null,
          subject: item.subject ?? null,
          templateId: item.templateId ?? null,
        }),
      ),
    }),
  );
  const faults = [...repeated(bodies), ...steps.flatMap(faultsOfStep)];
  return faults.length > 0 ? refuse('validationError', 'A step or an item contradicts itself.', { errors: faults }) : { steps };
}

/** What each kind of item is about: only that kind has it, and some cannot do without. */
const PROPERTIES: readonly (readonly [
  property: Exclude<keyof ItemTypeBody, 'id' | 'name' | 'description' | 'displayOrder' | 'required' | 'kind'>,
  of: ItemKind,
  isNeeded: boolean,
])[] = [
  ['options', 'choice', true],
  ['fieldName', 'caseField', true],
  ['documentType', 'document', false],
  ['subject', 'sendMessage', false],
  ['templateId', 'sendMessage', false],
];

function faultsOfStep({ onCondition, items }: StepType, index: number): readonly Fault[] {
  return [
    ...faultsOf(onCondition, `steps[${index}].onCondition`),
    ...items.flatMap((item, place) => faultsOfItem(item, `steps[${index}].items[${place}]`)),
  ];
}

function faultsOfItem(item: ItemType, path: string): readonly Fault[] {
  const faults = PROPERTIES.flatMap(([property, kind, isNeeded]): readonly Fault[] => {
    const value = item[property];
    const isGiven = value !== null && value.length > 0;
    if (isGiven && item.kind !== kind)
      return [
        { path: `${path}.${property}`, expected: `nothing: it belongs to ${kind}`, message: `a ${item.kind} item has no ${property}` },
      ];
    return !isGiven && isNeeded && item.kind === kind
      ? [{ path: `${path}.${property}`, expected: `what the ${kind} is about`, message: 'is missing' }]
      : [];
  });
  if (item.kind !== 'sendMessage' || item.subject !== null || item.templateId !== null) return faults;
  return [...faults, { path: `${path}.subject`, expected: 'a subject, or a template as templateId', message: 'is missing' }];
}

function repeated(bodies: readonly StepTypeBody[]): readonly Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  const note = (id: string | undefined, path: string): void => {
    if (id !== undefined && seen.has(id)) faults.push({ path, expected: 'an id that no other one has', message: `${id} is there twice` });
    if (id !== undefined) seen.add(id);
  };
  for (const [index, { id, items = [] }] of bodies.entries()) {
    note(id, `steps[${index}].id`);
    for (const [place, item] of items.entries()) note(item.id, `steps[${index}].items[${place}].id`);
  }
  return faults;
}
