export { Messenger } from './delivery/messenger.js';
export { type DeliveryAdapter, type DeliveryAdapters, MessageRefused, type OutgoingMessage } from './delivery/delivery.js';
export { failedSend, type FailedSend, refusalOf, type SendFailure } from './send/screened.js';
export { beside, BLOCKED_STATUS, sending, type Sending } from './send/sending.js';
export { orderForCase, readOrder, readSaid, type SaidOrder, type SendOrder } from './send/order.js';
export { type BulkSendRequest, letterCommandsOfLoans, type SendRequest } from './payoff-letter.js';
