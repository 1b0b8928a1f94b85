import { NO_TRIGGER, triggerOf } from './trigger.js';
import { findVersion, type ResourceHost, type ShownVersion, type VersionedDeclaration } from '../../kernel/resources/index.js';
import { refuseProperty } from '../../errors.js';
import { checkedCaseTypeIds, linkedTo, shownLinks } from './links.js';
import {
  NOTIFICATION_TYPE_TYPE,
  type NotificationType,
  type NotificationTypeCreateBody,
  type NotificationTypeListQuery,
  type NotificationTypeUpdateBody,
} from './notification-type.js';

export const NOTIFICATION_TYPE: VersionedDeclaration<NotificationTypeCreateBody, NotificationTypeUpdateBody, NotificationType> = {
  type: NOTIFICATION_TYPE_TYPE,
  prefix: 'NT',
  param: 'typeId',
  create({ channel, theme, templateId = null, delay = 0, unit = 'calendarDays', caseTypeIds = [], ...trigger }, { host }) {
    return {
      channel: channel ?? refuseProperty('channel', 'a channel that is sent to', 'The channel is missing.'),
      theme: theme ?? refuseProperty('theme', 'a theme of interactions', 'The theme is missing.'),
      templateId: templateId ?? refuseProperty('templateId', 'the id of a template', 'The template is missing.'),
      delay,
      unit,
      caseTypeIds: checkedCaseTypeIds(host, caseTypeIds),
      ...triggerOf(NO_TRIGGER, trigger),
    };
  },
  change(before, body, { host }) {
    const {
      channel = before.channel,
      theme = before.theme,
      templateId = before.templateId,
      delay = before.delay,
      unit = before.unit,
      caseTypeIds,
      ...trigger
    } = body;
    if (templateId === null) refuseProperty('templateId', 'the id of a template', 'A notification is made from a template.');
    return {
      channel,
      theme,
      templateId,
      delay,
      unit,
      caseTypeIds: caseTypeIds ? checkedCaseTypeIds(host, caseTypeIds) : before.caseTypeIds,
      ...triggerOf(before, trigger),
    };
  },
  matches(type, query) {
    const { caseTypeId } = query as NotificationTypeListQuery;
    return caseTypeId === undefined || type.caseTypeIds.includes(caseTypeId);
  },
  view: (type, _record, host) => ({ ...type, caseTypeIds: shownLinks(host, type) }),
};

/** The published types that act on the cases of a case type, each with its version. */
export const notifyingTypesOf = (
  host: ResourceHost,
  caseTypeId: string,
): readonly (NotificationType & { readonly id: string; readonly version: number })[] =>
  (linkedTo(host, NOTIFICATION_TYPE_TYPE, caseTypeId) as readonly ShownVersion<NotificationType>[]).flatMap(
    ({ id, version: { status, version, fields } }) => (status === 'active' ? [{ id, version, ...fields }] : []),
  );

/** A version of a type, also one that is no longer in use. */
export const notificationTypeOf = (host: ResourceHost, id: string, version: number): NotificationType | undefined =>
  findVersion<NotificationType>(host, NOTIFICATION_TYPE_TYPE, id, version)?.version.fields;
