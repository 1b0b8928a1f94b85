import type { Condition, ConditionBody } from './condition.js';
import type { tags } from 'typia';
import {
  findVersion,
  type ResourceHost,
  type TypeVersion,
  type VersionedCreateBody,
  type VersionedListQuery,
  type VersionedUpdateBody,
  type VersionedView,
} from '../../kernel/resources/index.js';
import type { AnyId, ShortText, Text, Whole } from '../../wire.js';

/** How cases are worked: steps with items. */
export interface WorkflowType {
  readonly steps: readonly StepType[];
}

export interface StepType extends Described {
  readonly id: string;
  /** Hidden while one of them does not hold. */
  readonly onCondition: readonly Condition[];
  readonly items: readonly ItemType[];
}

export interface ItemType extends Described {
  readonly id: string;
  readonly kind: ItemKind;
  /** Of `choice`. */
  readonly options: readonly string[];
  /** Of `caseField`. */
  readonly fieldName: string | null;
  /** Of `document`. */
  readonly documentType: string | null;
  /** Of `sendMessage`. */
  readonly subject: string | null;
  readonly templateId: string | null;
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly displayOrder: number;
  readonly required: boolean;
}

export type ItemKind = 'checkbox' | 'text' | 'choice' | 'date' | 'document' | 'caseField' | 'sendMessage' | 'setOutcome' | 'note';

export const WORKFLOW_TYPE_TYPE = 'workflowType';

/** The version that a workflow runs by; without a number the active one. */
export function workflowTypeOf(
  host: ResourceHost,
  id: string,
  version?: number,
): { readonly id: string; readonly version: TypeVersion<WorkflowType> } | undefined {
  const found = findVersion<WorkflowType>(host, WORKFLOW_TYPE_TYPE, id, version);
  return found && { id: found.record.id, version: found.version };
}

type ItemName = string & tags.MinLength<1> & tags.MaxLength<128>;

interface DescribedBody {
  /** Of a step or item that is there already; without it a new one is made. */
  readonly id?: AnyId;
  readonly name: ItemName;
  readonly description?: Text;
  /** Default: its place. */
  readonly displayOrder?: Whole;
  /** Default true. */
  readonly required?: boolean;
}

export interface ItemTypeBody extends DescribedBody {
  readonly kind: ItemKind;
  readonly options?: readonly (ShortText & tags.MinLength<1>)[] & tags.MinItems<1> & tags.MaxItems<100>;
  readonly fieldName?: (string & tags.Pattern<'^[a-z][A-Za-z0-9]{0,49}$'>) | null;
  readonly documentType?: ShortText | null;
  readonly subject?: ShortText | null;
  readonly templateId?: AnyId | null;
}

export interface StepTypeBody extends DescribedBody {
  readonly onCondition?: (readonly ConditionBody[] & tags.MaxItems<20>) | null;
  readonly items?: readonly ItemTypeBody[] & tags.MaxItems<100>;
}

interface FieldsBody {
  /** All steps, in place of those that were there. */
  readonly steps?: readonly StepTypeBody[] & tags.MaxItems<50>;
}

export interface WorkflowTypeCreateBody extends VersionedCreateBody, FieldsBody {}
export interface WorkflowTypeUpdateBody extends VersionedUpdateBody, FieldsBody {}
export interface WorkflowTypeListQuery extends VersionedListQuery {}

export interface WorkflowTypeView extends VersionedView, WorkflowType {
  readonly object: 'workflowType';
}
