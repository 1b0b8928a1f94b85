import type { tags } from 'typia';
import type { BaseCaseType } from '../../case/words.js';
import { type Fault, refuse } from '../../errors.js';
import type { CustomField } from './custom-field.js';

/** When a case is looked at again by itself (cases 7): a property of its type, not switched on until somebody does. */
export interface SmartReviews {
  readonly enable: boolean;
  readonly config: SmartReviewConfig;
}

/** Days from key dates, or of `collection` what stops a reminder and how long it waits. */
export interface SmartReviewConfig {
  readonly keyDates?: Readonly<Record<string, number | readonly number[]>>;
  readonly objectsPreventingReminderTasks?: readonly PreventingObject[];
  readonly lastOutboundInteractionThreshold?: number;
}

export type PreventingObject = 'dni' | 'scheduledCall' | 'snooze';

type Days = number & tags.Type<'int32'> & tags.Minimum<-3660> & tags.Maximum<3660>;

export interface SmartReviewsBody {
  readonly enable?: boolean;
  readonly config?: {
    /** By field: days before (negative) or after the date, one or several. */
    readonly keyDates?: { readonly [fieldName: string]: Days | (readonly Days[] & tags.MinItems<1> & tags.MaxItems<20>) };
    readonly objectsPreventingReminderTasks?: readonly PreventingObject[] & tags.MaxItems<3>;
    readonly lastOutboundInteractionThreshold?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3660>;
  };
}

/** The dates of the base types that reviews are counted from; other types have those of their own fields. */
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

const REMINDER_AFTER_DAYS = 7;

export const defaultSmartReviews = (base: BaseCaseType): SmartReviews => ({
  enable: false,
  config: base === 'collection'
    ? { objectsPreventingReminderTasks: ['dni', 'scheduledCall', 'snooze'], lastOutboundInteractionThreshold: REMINDER_AFTER_DAYS }
    : { keyDates: Object.fromEntries((KEY_DATES[base] ?? []).map((field) => [field, 0])) },
});

export function smartReviewsOf(before: SmartReviews, body: SmartReviewsBody | undefined, base: BaseCaseType, customFields: readonly CustomField[]): SmartReviews {
  const reviews: SmartReviews = { enable: body?.enable ?? before.enable, config: { ...before.config, ...body?.config } };
  const faults = base === 'collection' ? faultsOfCollection(reviews.config) : faultsOfKeyDates(reviews.config, base, customFields);
  if (faults.length > 0) refuse('validationError', 'The reviews are counted from what the case type does not have.', { errors: faults });
  return reviews;
}

function faultsOfCollection({ keyDates }: SmartReviewConfig): readonly Fault[] {
  return keyDates === undefined ? [] : [{ path: 'smartReviews.config.keyDates', expected: 'nothing: collection is reminded by interactions', message: 'collection has no key dates' }];
}

function faultsOfKeyDates(config: SmartReviewConfig, base: BaseCaseType, customFields: readonly CustomField[]): readonly Fault[] {
  const own = KEY_DATES[base] ?? customFields.filter(({ dataType }) => dataType === 'date').map(({ fieldName }) => fieldName);
  const foreign = (['objectsPreventingReminderTasks', 'lastOutboundInteractionThreshold'] as const).filter((key) => config[key] !== undefined);
  return [
    ...foreign.map((key) => ({ path: `smartReviews.config.${key}`, expected: 'nothing: only collection is reminded by interactions', message: `${base} has key dates` })),
    ...Object.keys(config.keyDates ?? {}).flatMap((field) => (own.includes(field) ? [] : [{
      path: `smartReviews.config.keyDates.${field}`, expected: own.length === 0 ? 'a custom date field' : `one of ${own.join(', ')}`, message: `${field} is no key date of ${base}`,
    }])),
  ];
}
