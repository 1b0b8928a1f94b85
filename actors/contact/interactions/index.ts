export { INTERACTION_CHART } from './evolve.js';
export { contactHistory, historyAskedFor, type PastContact } from './history.js';
export type { ReaderQuery } from './view.js';
export {
  feedbackRecorded,
  type MessagePlan,
  type ReminderOfDay,
  type SendMoved,
  sendMoved,
  sendRecorded,
  type SentMessage,
} from './recording.js';
export type * from './types.js';
export { type InteractionState } from './state.js';
