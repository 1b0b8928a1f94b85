export { BounceReader, type ComplaintReport, type DeliveryReport, type MailReport } from './delivery/bounce-reader.js';
export type { Mailbox } from './delivery/bounced.js';
export { type MessageMeasure, Messenger } from './delivery/messenger.js';
export {
  type AttachedFile,
  type AttachedFiles,
  type DeliveryAdapter,
  type DeliveryAdapters,
  MessageRefused,
  type OutgoingMessage,
} from './delivery/delivery.js';
export { codeTemplate, type CodeTemplate } from './code-message.js';
export { mailToUsers, type MailToUsers } from './mail-to-users.js';
export type { UndeliveredQuery } from './delivery/undelivered.js';
export { SendRate } from './delivery/send-rate.js';
export { failedSend, type FailedSend, refusalOf, type SendFailure } from './send/screened.js';
export { beside, BLOCKED_STATUS, sending, type Sending } from './send/sending.js';
export { orderForCase, readOrder, readSaid, type SaidOrder, type SendOrder } from './send/order.js';
export { type BulkSendRequest, letterCommandsOfLoans, type SendRequest } from './payoff-letter.js';
