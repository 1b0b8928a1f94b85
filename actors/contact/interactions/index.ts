export { contactHistory, historyAskedFor, type PastContact } from './history.js';
export { interactionModule } from './module.js';
export type { ReaderQuery } from './reader.js';
export { feedbackTold, type SendMoved, sendMoved, sendRecorded, type SentMessage } from './recording.js';
export { isStop } from './receive/keywords.js';
export { senderQuery } from './receive/sender.js';
export type * from './requests.js';
export { type InteractionState } from './state.js';
export type * from './view-types.js';
