import { dateTimeText, orNull } from '../../../wire.js';
import type { Block, CaseState } from '../state.js';
import type { DoNotInteractView } from './types.js';

export const blockView = ({ id: caseId, personId }: CaseState, block: Block): DoNotInteractView => ({
  id: block.id,
  object: 'doNotInteract',
  caseId,
  personId,
  channels: block.channels,
  themes: block.themes,
  startDate: block.startDate,
  endDate: block.endDate,
  daysOfWeek: block.daysOfWeek,
  timesOfDay: block.timesOfDay,
  timezone: block.timezone,
  contactLabels: block.contactLabels,
  source: block.source,
  doNotInteractTypeId: block.doNotInteractTypeId,
  status: block.status,
  endedAt: orNull(dateTimeText, block.endedAt),
  createdAt: dateTimeText(block.createdAt),
  updatedAt: orNull(dateTimeText, block.updatedAt),
});
