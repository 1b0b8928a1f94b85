import type { Trigger, TriggerBody } from './trigger.js';
import type { tags } from 'typia';
import type { BlockedChannel, BlockedTheme } from '../../../engine/index.js';
import type { VersionedCreateBody, VersionedListQuery, VersionedUpdateBody, VersionedView } from '../../kernel/resources/index.js';
import type { AnyId, Whole } from '../../wire.js';
import type { Linked } from './links.js';

/** What makes a Do Not Interact on a case by itself. */
export interface DoNotInteractType extends Trigger, Linked {
  readonly channel: BlockedChannel;
  readonly theme: BlockedTheme;
  /** From the day on which it fires; null or 0 = without an end. */
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

/** Channel and theme may be left out of a copy alone. */
export interface DoNotInteractTypeCreateBody extends VersionedCreateBody, FieldsBody {
  readonly channel?: BlockedChannel;
  readonly theme?: BlockedTheme;
}

export interface DoNotInteractTypeUpdateBody extends VersionedUpdateBody, FieldsBody {
  readonly channel?: BlockedChannel;
  readonly theme?: BlockedTheme;
}

export interface DoNotInteractTypeListQuery extends VersionedListQuery {
  /** Those that act on its cases. */
  readonly caseTypeId?: AnyId;
}

export interface DoNotInteractTypeView extends VersionedView, DoNotInteractType {
  readonly object: 'doNotInteractType';
}
