export { feedQueries, VIEWED_KINDS } from './feed.js';
export type * from './ports.js';
export { QuestionFailed } from './ports.js';
export {
  type Answered,
  type Question,
  type QuestionAnswer,
  type QuestionBody,
  QUESTION_BOUNDS,
  Questions,
  type QuestionsParts,
} from './questions.js';
export { type Report, type ReportAnswer, REPORTS, type ReportView } from './reports.js';
export type { Cell, Column, ColumnShape, View } from './view.js';
export { VIEWS } from './views.js';
