export { caseChart, isClosed } from './machine.js';
export { requireNext, requireOutcome } from './commands/update.js';
export { associating } from './associations.js';
export { blockSubcase, closeSubcase, type CloseSubcase, liftSubcaseBlock, sendForSubcase, type SendToSubcase } from './commands/bulk.js';
export { blockFrom, type DoNotInteractRequest, type DoNotInteractView, type ListPersonBlocksQuery } from './blocks.js';
export { caseworkAbout } from './screening.js';
export { casesHolding, loansNamed, paymentBar, servicedLoans } from './loans.js';
export { isOfReachable, type SubcaseFilter } from './selection.js';
export type { ReviewPreviewBody } from './reviews.js';
export { caseModule } from './module.js';
export { isAction, requireOpenCase } from './open-case.js';
export { openedBySystem } from './commands/create.js';
export type { NotificationView } from './notifications.js';
export type {
  CancelEscalationRequest,
  CaseAssociationsRequest,
  CaseAssociationView,
  CaseOwnerRequest,
  CaseTimelineView,
  CaseView,
  CreateCaseRequest,
  EscalateCaseRequest,
  EscalationView,
  GetCaseQuery,
  ListCasesQuery,
  RescheduleCallRequest,
  ScheduleCallRequest,
  ScheduledCallView,
  SnoozeRequest,
  SnoozeView,
  UpdateCaseRequest,
  UpdateEscalationRequest,
} from './requests.js';

export type { CaseState } from './state.js';
export { caseView } from './view.js';
export { escalationNotice } from './escalations.js';
