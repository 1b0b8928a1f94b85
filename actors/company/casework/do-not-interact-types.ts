import { NO_TRIGGER, triggerOf } from './trigger.js';
import type { ResourceHost, ShownVersion, VersionedDeclaration } from '../../kernel/resources/index.js';
import { refuseProperty } from '../../errors.js';
import {
  DO_NOT_INTERACT_TYPE_TYPE,
  type DoNotInteractType,
  type DoNotInteractTypeCreateBody,
  type DoNotInteractTypeListQuery,
  type DoNotInteractTypeUpdateBody,
} from './do-not-interact-type.js';
import { checkedCaseTypeIds, linkedTo, shownLinks } from './links.js';

export const DO_NOT_INTERACT_TYPE: VersionedDeclaration<DoNotInteractTypeCreateBody, DoNotInteractTypeUpdateBody, DoNotInteractType> = {
  type: DO_NOT_INTERACT_TYPE_TYPE,
  prefix: 'DT',
  param: 'typeId',
  create({ channel, theme, duration = null, unit = 'calendarDays', caseTypeIds = [], ...trigger }, { host }) {
    return {
      channel: channel ?? refuseProperty('channel', 'a channel of Do Not Interact', 'The channel is missing.'),
      theme: theme ?? refuseProperty('theme', 'a theme of Do Not Interact', 'The theme is missing.'),
      duration,
      unit,
      caseTypeIds: checkedCaseTypeIds(host, caseTypeIds),
      ...triggerOf(NO_TRIGGER, trigger),
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
  matches(type, query) {
    const { caseTypeId } = query as DoNotInteractTypeListQuery;
    return caseTypeId === undefined || type.caseTypeIds.includes(caseTypeId);
  },
  view: (type, _record, host) => ({ ...type, caseTypeIds: shownLinks(host, type) }),
};

/** The published types that act on the cases of a case type. */
export const blockingTypesOf = (host: ResourceHost, caseTypeId: string): readonly (DoNotInteractType & { readonly id: string })[] =>
  (linkedTo(host, DO_NOT_INTERACT_TYPE_TYPE, caseTypeId) as readonly ShownVersion<DoNotInteractType>[]).flatMap(({ id, version }) =>
    version.status === 'active' ? [{ id, ...version.fields }] : [],
  );
