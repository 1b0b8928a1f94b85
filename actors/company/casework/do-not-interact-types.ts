import type { tags } from 'typia';
import { type BlockedChannel, type BlockedTheme, must } from '../../../engine/index.js';
import { checkAll, type Fault, Refusal, refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec, QuerySpec, QueryContext } from '../../kernel/actor.js';
import {
  type AnyVersioned,
  changedInUse,
  findRecord,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
  shownOf,
  type ShownVersion,
  type TypeLine,
  type VersionedCreateBody,
  type VersionedDeclaration,
  type VersionedListQuery,
  type VersionedUpdateBody,
  type VersionedView,
  versionReply,
} from '../../kernel/resources/index.js';
import { matching, pageOf, type PageQuery } from '../../list-order.js';
import type { AnyId, Whole } from '../../wire.js';
import type { CompanyState } from '../state.js';
import type { CaseOutcome, CaseStatus } from './case-fields.js';
import { CASE_TYPE_TYPE } from './case-type.js';
import { type Condition, type ConditionBody, conditionOf, faultsOf, holds } from './workflow-types.js';

/** When a Do Not Interact type or a notification type takes effect on a case. */
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

/** The fields of a trigger, each with the field of the case that it compares. */
const NAMED = [
  ['onStatus', 'status'],
  ['onOutcome', 'outcome'],
] as const satisfies readonly (readonly [keyof Trigger, keyof CaseMoment])[];

/** Whether the change from `before` (null: a new case) to `after` fires the trigger: the case has entered a state that it names. */
export function fires(trigger: Trigger, before: CaseMoment | null, after: CaseMoment): boolean {
  const named = NAMED.filter(([trigged]) => trigger[trigged] !== null);
  const isThere = named.every(([trigged, field]) => trigger[trigged] === after[field]);
  const hasCome = named.some(([, field]) => before === null || before[field] !== after[field]);
  return isThere && hasCome && stillHolds(trigger, after);
}

/** Whether the case is in the trigger's state, however it got there. Checked again before a delayed action. */
export const stillHolds = (trigger: Trigger, now: CaseMoment): boolean =>
  NAMED.every(([trigged, field]) => trigger[trigged] === null || trigger[trigged] === now[field]) &&
  holds(trigger.onCondition, (name) => now.field(name));

export const NO_TRIGGER: Trigger = { onStatus: null, onOutcome: null, onCondition: [] };

/** The trigger with a body applied: absent fields are unchanged. Refuses a trigger that can never fire, and conditions without effect. */
export function triggerOf(before: Trigger, body: TriggerBody): Trigger {
  const { onStatus = before.onStatus, onOutcome = before.onOutcome } = body;
  const onCondition = body.onCondition === undefined ? before.onCondition : (body.onCondition ?? []).map(conditionOf);
  const faults: readonly Fault[] = faultsOf(onCondition);
  if (faults.length > 0)
    refuse('validationError', 'The condition compares values that cannot be compared: see `errors`.', { errors: faults });
  if (onStatus === null && onOutcome === null) {
    refuse('triggerRequired', 'Send `onStatus` or `onOutcome`.', {
      errors: [{ path: 'onStatus', expected: 'a status, or an outcome in onOutcome', message: 'both are missing' }],
    });
  }
  return { onStatus, onOutcome, onCondition };
}

/** A type that applies to cases of some case types. The ids of these are in its version in use. */
export interface Linked {
  readonly caseTypeIds: readonly string[];
}

type LinkedRecord = ResourceRecord<TypeLine<Linked>>;

/** Types that apply to the cases of a case type, each in its version in use. */
export const linkedTo = <Fields extends Linked>(host: ResourceHost, type: string, caseTypeId: string): readonly ShownVersion<Fields>[] =>
  [...recordsOf<TypeLine<Fields>>(host, type).values()].map(inUse).filter((shown) => isLinked(shown, caseTypeId));

const inUse = <Fields extends Linked>(record: ResourceRecord<TypeLine<Fields>>): ShownVersion<Fields> => ({
  id: record.id,
  record,
  version: shownOf(record.stored),
});

const isLinked = ({ version: { status, fields } }: ShownVersion<Linked>, caseTypeId: string): boolean =>
  status !== 'deprecated' && fields.caseTypeIds.includes(caseTypeId);

/** The ids of case types of a body, each once. */
export function checkedCaseTypeIds(host: ResourceHost, ids: readonly string[]): readonly string[] {
  const known = recordsOf(host, CASE_TYPE_TYPE);
  const errors = ids.flatMap((id, index): readonly Fault[] =>
    known.has(id) ? [] : [{ path: `caseTypeIds[${index}]`, expected: 'the id of a case type', message: `there is no case type ${id}` }],
  );
  return errors.length > 0 ? refuse('validationError', 'There is no such case type: see `errors`.', { errors }) : [...new Set(ids)];
}

/** The links that replies show: those to case types that still exist. */
export const shownLinks = (host: ResourceHost, { caseTypeIds }: Linked): readonly string[] =>
  caseTypeIds.filter((id) => recordsOf(host, CASE_TYPE_TYPE).has(id));

/** `PUT` and `DELETE /case-types/{caseTypeId}/…/{typeId}`: changes the link without a new version of either type. */
export function linkCommands(declaration: AnyVersioned): CommandSpec<CompanyState>[] {
  const spec = (verb: string, change: (linked: readonly string[], caseTypeId: string) => readonly string[]): CommandSpec<CompanyState> => ({
    kind: 'company',
    type: `${declaration.type}.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, command: { params } }) {
      const { id: caseTypeId } = recordNamed(state, CASE_TYPE_TYPE, params['caseTypeId']);
      const record = recordNamed<LinkedRecord['stored']>(state, declaration.type, params['typeId']);
      const linked = changedInUse(declaration.type, record, (fields) => ({
        ...fields,
        caseTypeIds: change(fields.caseTypeIds, caseTypeId),
      }));
      return { facts: [linked], reply: (after) => ({ data: shownReply(declaration, after, record.id) }) };
    },
  });
  return [spec('link', (linked, id) => [...new Set([...linked, id])]), spec('unlink', (linked, id) => linked.filter((one) => one !== id))];
}

/** `GET /case-types/{caseTypeId}/…` */
export const linkQuery = (declaration: AnyVersioned): QuerySpec<CompanyState> => ({
  kind: 'company',
  type: `${declaration.type}.listLinked`,
  on: 'target',
  read({ state, request, query }: QueryContext<CompanyState, PageQuery>) {
    const { id } = recordNamed(state, CASE_TYPE_TYPE, request.params['caseTypeId']);
    const types = [...recordsOf<TypeLine<Linked>>(state, declaration.type).values()].map(inUse).reverse();
    return pageOf(
      matching(types, (type) => isLinked(type, id)),
      query,
      (shown) => versionReply(declaration, state, shown),
    );
  },
});

export function recordNamed<Stored = unknown>(host: ResourceHost, type: string, id = ''): ResourceRecord<Stored> {
  const record = findRecord<Stored>(host, { type, unique: [] }, id);
  if (!record) throw new Refusal('notFound', `There is no ${type} ${id}.`);
  return record;
}

export function shownReply(declaration: AnyVersioned, host: ResourceHost, id: string): object {
  const record = must(recordsOf<LinkedRecord['stored']>(host, declaration.type).get(id), 'the type is there');
  return versionReply(declaration, host, { id, record, version: shownOf(record.stored) });
}

/** A type that adds a Do Not Interact to a case automatically. */
export interface DoNotInteractType extends Trigger, Linked {
  readonly channel: BlockedChannel;
  readonly theme: BlockedTheme;
  /** Counted from the day on which it fires; null or 0 = without an end. */
  readonly duration: number | null;
  readonly unit: BlockUnit;
}

type BlockUnit = 'calendarDays' | 'businessDays' | 'months';

export const DO_NOT_INTERACT_TYPE_TYPE = 'doNotInteractType';

interface FieldsBody extends TriggerBody {
  readonly duration?: (Whole & tags.Maximum<36500>) | null;
  readonly unit?: BlockUnit;
  readonly caseTypeIds?: readonly AnyId[] & tags.MaxItems<100>;
}

/** Channel and theme are required unless `copyOf` is given. */
export interface DoNotInteractTypeCreateBody extends VersionedCreateBody, FieldsBody {
  readonly channel?: BlockedChannel;
  readonly theme?: BlockedTheme;
}

export interface DoNotInteractTypeUpdateBody extends VersionedUpdateBody, FieldsBody {
  readonly channel?: BlockedChannel;
  readonly theme?: BlockedTheme;
}

export interface DoNotInteractTypeListQuery extends VersionedListQuery {
  /** Only types that apply to cases of this case type. */
  readonly caseTypeId?: AnyId;
}

export interface DoNotInteractTypeView extends VersionedView, DoNotInteractType {
  readonly object: 'doNotInteractType';
}

export const DO_NOT_INTERACT_TYPE: VersionedDeclaration<DoNotInteractTypeCreateBody, DoNotInteractTypeUpdateBody, DoNotInteractType> = {
  type: DO_NOT_INTERACT_TYPE_TYPE,
  prefix: 'DT',
  param: 'typeId',
  create({ channel, theme, duration = null, unit = 'calendarDays', caseTypeIds = [], ...trigger }, { host }) {
    const named = {
      channel: () => channel ?? refuseProperty('channel', 'a channel of Do Not Interact', '`channel` is required.'),
      theme: () => theme ?? refuseProperty('theme', 'a theme of Do Not Interact', '`theme` is required.'),
      caseTypeIds: () => checkedCaseTypeIds(host, caseTypeIds),
      trigger: () => triggerOf(NO_TRIGGER, trigger),
    };
    checkAll(Object.values(named));
    return {
      channel: named.channel(),
      theme: named.theme(),
      duration,
      unit,
      caseTypeIds: named.caseTypeIds(),
      ...named.trigger(),
    };
  },
  change(
    before,
    { channel = before.channel, theme = before.theme, duration = before.duration, unit = before.unit, caseTypeIds, ...trigger },
    { host },
  ) {
    return {
      channel,
      theme,
      duration,
      unit,
      caseTypeIds: caseTypeIds ? checkedCaseTypeIds(host, caseTypeIds) : before.caseTypeIds,
      ...triggerOf(before, trigger),
    };
  },
  matches(type, query: DoNotInteractTypeListQuery) {
    const { caseTypeId } = query;
    return caseTypeId === undefined || type.caseTypeIds.includes(caseTypeId);
  },
  view: (type, _record, host) => ({ ...type, caseTypeIds: shownLinks(host, type) }),
};

/** The published types that apply to the cases of a case type. */
export const blockingTypesOf = (host: ResourceHost, caseTypeId: string): readonly (DoNotInteractType & { readonly id: string })[] =>
  linkedTo<DoNotInteractType>(host, DO_NOT_INTERACT_TYPE_TYPE, caseTypeId).flatMap(({ id, version }) =>
    version.status === 'active' ? [{ id, ...version.fields }] : [],
  );
