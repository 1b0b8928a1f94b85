export { contactHistory, HISTORY_DAYS, type HistoryAsked, MAX_HISTORY, type PastContact } from './history.js';
export { interactionModule } from './module.js';
export type { ReaderQuery } from './reader.js';
export { type Feedback, feedbackTold, type SendMoved, sendMoved, sendRecorded, sendRecordedBeside, type SentMessage } from './recording.js';
export { isStop } from './receive/keywords.js';
export { senderQuery } from './receive/sender.js';
export type * from './requests.js';
export { type InteractionState, isReachable as isReachableInteraction } from './state.js';
export type * from './view-types.js';
