export * from './campaigns/index.js';
export * from './guard/index.js';
export * from './interactions/index.js';
export * from './messages/index.js';
export { interactionModule } from './module.js';
export { directedNoticeModule, planNotice } from './notices/directing.js';
export { NoticeDirector } from './notices/director.js';
export { dailyLoanNotice, LOAN_NOTICE_FACTS, loanNotices } from './notices/loan-notices.js';
export { PERSON_NOTICE_FACTS, personNotices, PORTAL_USER_NOTICE_FACTS, portalUserNotices } from './notices/person-notices.js';
export { statementCommandsOfLoans } from './notices/statements.js';
export {
  reminderCommandsOfLoans,
  type ReminderPreviewQuery,
  type ReminderPreviewView,
  reminderQueriesOfLoans,
} from './notices/reminders.js';
export { caseOf, contactAsks, type InteractionOfTask, loanOf, type WorkerOfCase } from './questions.js';
export { isStop, senderQuery } from './receiving.js';
export * from './sending/index.js';
export { lastContacts } from './interactions/history.js';
