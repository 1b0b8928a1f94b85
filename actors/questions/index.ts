export { feedQueries } from './feed.js';
export type * from './ports.js';
export { QuestionFailed } from './ports.js';
export {
  type Question,
  type QuestionAnswer,
  type QuestionBody,
  QUESTION_BOUNDS,
  Questions,
} from './questions.js';
export { type Report, type ReportAnswer, type ReportFileQuery, REPORTS, reportText, type ReportView } from './reports.js';
export { LoanSections } from './sections.js';
export { ACTOR_KINDS, type Cell, type ColumnShape } from './view.js';
export { VIEWS } from './views.js';
