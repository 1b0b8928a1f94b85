import type { tags } from 'typia';
import {
  isSendable,
  isSubject,
  type NotificationChannel,
  type OutboundTheme,
  resolveTheme,
  type SendableChannel,
} from '../../../engine/index.js';
import { checkAll, type Fault, refuse, refuseProperty } from '../../errors.js';
import {
  findVersion,
  type ResourceHost,
  type VersionedCreateBody,
  type VersionedDeclaration,
  type VersionedListQuery,
  type VersionedUpdateBody,
  type VersionedView,
} from '../../kernel/resources/index.js';
import type { AnyId, Whole } from '../../wire.js';
import type { TemplateDescriptor } from '../templates/descriptor.js';
import { descriptorNamed } from '../templates/version.js';
import type { BaseCaseType } from './case-fields.js';
import type { CustomField } from './custom-field.js';
import {
  checkedCaseTypeIds,
  type Linked,
  linkedTo,
  NO_TRIGGER,
  shownLinks,
  type Trigger,
  type TriggerBody,
  triggerOf,
} from './do-not-interact-types.js';

/** A type that sends a message for a case automatically. */
export interface NotificationType extends Trigger, Linked {
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** The id of a template. Types of earlier releases may have a number, or no template, and a channel that is not sent to. */
  readonly templateId: string | number | null;
  /** Time between the trigger and the message. */
  readonly delay: number;
  readonly unit: DelayUnit;
}

type DelayUnit = 'calendarDays' | 'hours' | 'businessDays';

export const NOTIFICATION_TYPE_TYPE = 'notificationType';

interface FieldsBody extends TriggerBody {
  /** `voice` and `chat` are refused: no messages are sent by them. */
  readonly channel?: NotificationChannel;
  readonly theme?: OutboundTheme;
  /** A template descriptor for the channel, or one of its versions. There are no templates with numbers. */
  readonly templateId?: AnyId | Whole | null;
  readonly delay?: Whole & tags.Maximum<87600>;
  readonly unit?: DelayUnit;
  readonly caseTypeIds?: readonly AnyId[] & tags.MaxItems<100>;
}

/** Channel, theme and template are required unless `copyOf` is given. */
export interface NotificationTypeCreateBody extends VersionedCreateBody, FieldsBody {}

export interface NotificationTypeUpdateBody extends VersionedUpdateBody, FieldsBody {}

export interface NotificationTypeListQuery extends VersionedListQuery {
  /** Only types that apply to cases of this case type. */
  readonly caseTypeId?: AnyId;
}

export interface NotificationTypeView extends VersionedView, NotificationType {
  readonly object: 'notificationType';
}

export const NOTIFICATION_TYPE: VersionedDeclaration<NotificationTypeCreateBody, NotificationTypeUpdateBody, NotificationType> = {
  type: NOTIFICATION_TYPE_TYPE,
  prefix: 'NT',
  param: 'typeId',
  create(body, { host }) {
    const { channel, theme, templateId = null, delay = 0, unit = 'calendarDays', caseTypeIds = [], ...trigger } = body;
    const named = {
      channel: () => sendableChannel(channel),
      theme: () => theme ?? refuseProperty('theme', 'a theme of interactions', '`theme` is required.'),
      templateId: () => templateFor(host, channel, templateId ?? refuseProperty('templateId', A_TEMPLATE, '`templateId` is required.')),
      ofTemplate: () => checkThemeOf(host, templateId, theme),
      caseTypeIds: () => checkedCaseTypeIds(host, caseTypeIds),
      trigger: () => triggerOf(NO_TRIGGER, trigger),
    };
    checkAll(Object.values(named));
    return {
      channel: named.channel(),
      theme: named.theme(),
      templateId: named.templateId(),
      delay,
      unit,
      caseTypeIds: named.caseTypeIds(),
      ...named.trigger(),
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
    const named = {
      channel: () => sendableChannel(channel),
      templateId: () =>
        templateFor(
          host,
          channel,
          templateId ?? refuseProperty('templateId', A_TEMPLATE, '`templateId` cannot be removed: a notification needs a template.'),
        ),
      ofTemplate: () => checkThemeOf(host, templateId, theme),
      caseTypeIds: () => (caseTypeIds ? checkedCaseTypeIds(host, caseTypeIds) : before.caseTypeIds),
      trigger: () => triggerOf(before, trigger),
    };
    checkAll(Object.values(named));
    return {
      channel: named.channel(),
      theme,
      templateId: named.templateId(),
      delay,
      unit,
      caseTypeIds: named.caseTypeIds(),
      ...named.trigger(),
    };
  },
  matches(type, query: NotificationTypeListQuery) {
    const { caseTypeId } = query;
    return caseTypeId === undefined || type.caseTypeIds.includes(caseTypeId);
  },
  view: (type, _record, host) => ({ ...type, caseTypeIds: shownLinks(host, type) }),
};

const A_TEMPLATE = 'the id of a template';

function sendableChannel(channel: NotificationChannel | undefined): SendableChannel {
  if (channel === undefined) refuseProperty('channel', 'a channel that is sent to', '`channel` is required.');
  if (isSendable(channel)) return channel;
  return refuseProperty('channel', 'email, text or mail', `\`channel\` must be email, text or mail: no messages are sent by ${channel}.`);
}

/** A descriptor or a version, for messages by the channel. Whether it is enabled and active counts when the message is sent. */
function templateFor(host: ResourceHost, channel: NotificationChannel | undefined, id: string | number): string {
  const descriptor = descriptorOf(host, id);
  if (typeof id !== 'string' || descriptor === undefined) return refuseProperty('templateId', A_TEMPLATE, `There is no template ${id}.`);
  const { subject, channel: of } = descriptor;
  if (!isSubject(subject)) refuseProperty('templateId', 'a template of messages', `The template ${id} is for no message.`);
  if (channel !== undefined && isSendable(channel) && of !== channel)
    refuseProperty('templateId', `a template for ${channel}`, `The template ${id} is not for ${channel}.`);
  return id;
}

/** A message has the theme that its subject implies, if it implies one: with another it could never be sent. */
function checkThemeOf(host: ResourceHost, id: string | number | null, theme: OutboundTheme | undefined): void {
  const subject = descriptorOf(host, id)?.subject;
  if (theme === undefined || subject === undefined || !isSubject(subject)) return; // refused by the checks of these
  const resolved = resolveTheme({ subject, theme, direction: 'outbound' });
  if ('fault' in resolved) refuseProperty('theme', resolved.fault.expected, resolved.fault.message);
}

/** The descriptor that a type names, by itself or by one of its versions. */
const descriptorOf = (host: ResourceHost, id: string | number | null): TemplateDescriptor | undefined =>
  typeof id === 'string' ? descriptorNamed(host, id) : undefined;

/** The published types that apply to the cases of a case type, each with its version. */
export const notifyingTypesOf = (
  host: ResourceHost,
  caseTypeId: string,
): readonly (NotificationType & { readonly id: string; readonly version: number })[] =>
  linkedTo<NotificationType>(host, NOTIFICATION_TYPE_TYPE, caseTypeId).flatMap(({ id, version: { status, version, fields } }) =>
    status === 'active' ? [{ id, version, ...fields }] : [],
  );

/** A version of a type, in use or not. */
export const notificationTypeOf = (host: ResourceHost, id: string, version: number): NotificationType | undefined =>
  findVersion<NotificationType>(host, NOTIFICATION_TYPE_TYPE, id, version)?.version.fields;

/** When a case is reviewed automatically. A setting of its type, off by default. */
export interface SmartReviews {
  readonly enable: boolean;
  readonly config: SmartReviewConfig;
}

/** Days from key dates; for `collection`, what prevents a reminder and how long it waits. */
export interface SmartReviewConfig {
  readonly keyDates?: Readonly<Record<string, number | readonly number[]>>;
  readonly objectsPreventingReminderTasks?: readonly PreventingObject[];
  readonly lastOutboundInteractionThreshold?: number;
}

export type PreventingObject = (typeof PREVENTING_OBJECTS)[number];

/** What prevents a reminder by default. */
export const PREVENTING_OBJECTS = ['dni', 'scheduledCall', 'snooze'] as const;

type Days = number & tags.Type<'int32'> & tags.Minimum<-3660> & tags.Maximum<3660>;

export interface SmartReviewsBody {
  readonly enable?: boolean;
  readonly config?: {
    /** By field: days before (negative) or after the date. */
    readonly keyDates?: { readonly [fieldName: string]: Days | (readonly Days[] & tags.MinItems<1> & tags.MaxItems<20>) };
    readonly objectsPreventingReminderTasks?: readonly PreventingObject[] & tags.MaxItems<3>;
    readonly lastOutboundInteractionThreshold?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3660>;
  };
}

/** The dates from which reviews of a base type are counted; other types count from dates of their own fields. */
export const KEY_DATES: Readonly<Partial<Record<BaseCaseType, readonly string[]>>> = {
  bankruptcy: ['courtCaseClosedDate', 'creditorClaimDeadlineDate', 'anticipatedCaseCompletionDate'],
  creditBureauDispute: ['responseDueDate'],
  debtValidation: ['requestDate'],
  deceased: ['deceasedNoticeReceivedDate'],
  disputeOfDebt: ['noticeReceivedDate'],
  identityTheft: ['reportReceivedDate'],
  legalAction: ['legalActionIntiatedDate', 'legalJudgementEffectiveDate'],
  militaryDuty: ['dutyStartDate', 'dutyEndDate'],
};

export const REMINDER_AFTER_DAYS = 7;

export const defaultSmartReviews = (base: BaseCaseType): SmartReviews => ({
  enable: false,
  config:
    base === 'collection'
      ? { objectsPreventingReminderTasks: PREVENTING_OBJECTS, lastOutboundInteractionThreshold: REMINDER_AFTER_DAYS }
      : { keyDates: Object.fromEntries((KEY_DATES[base] ?? []).map((field) => [field, 0])) },
});

interface ReviewedType {
  readonly caseType: BaseCaseType;
  readonly customFieldSchemas: readonly DatedField[];
}

type DatedField = Pick<CustomField, 'fieldName' | 'dataType'>;

/** `place`: where the body is in the request, for the paths of faults. */
export function smartReviewsOf(
  before: SmartReviews,
  body: SmartReviewsBody | undefined,
  { caseType: base, customFieldSchemas }: ReviewedType,
  place = 'smartReviews.',
): SmartReviews {
  const reviews: SmartReviews = { enable: body?.enable ?? before.enable, config: { ...before.config, ...body?.config } };
  const found = base === 'collection' ? faultsOfCollection(reviews.config) : faultsOfKeyDates(reviews.config, base, customFieldSchemas);
  const faults = found.map((fault) => ({ ...fault, path: `${place}${fault.path}` }));
  if (faults.length > 0) refuse('validationError', 'The review settings do not match the case type: see `errors`.', { errors: faults });
  return reviews;
}

function faultsOfCollection({ keyDates }: SmartReviewConfig): readonly Fault[] {
  return keyDates === undefined
    ? []
    : [
        {
          path: 'config.keyDates',
          expected: 'nothing: reviews of collection cases follow interactions',
          message: 'collection has no key dates',
        },
      ];
}

function faultsOfKeyDates(config: SmartReviewConfig, base: BaseCaseType, customFields: readonly DatedField[]): readonly Fault[] {
  const own = KEY_DATES[base] ?? customFields.filter(({ dataType }) => dataType === 'date').map(({ fieldName }) => fieldName);
  const foreign = (['objectsPreventingReminderTasks', 'lastOutboundInteractionThreshold'] as const).filter(
    (key) => config[key] !== undefined,
  );
  return [
    ...foreign.map((key) => ({
      path: `config.${key}`,
      expected: 'nothing: only reviews of collection cases follow interactions',
      message: `reviews of ${base} follow key dates`,
    })),
    ...Object.keys(config.keyDates ?? {}).flatMap((field) =>
      own.includes(field)
        ? []
        : [
            {
              path: `config.keyDates.${field}`,
              expected: own.length === 0 ? 'a custom date field' : `one of ${own.join(', ')}`,
              message: `${field} is not a key date of ${base}`,
            },
          ],
    ),
  ];
}
