export { Messenger } from './delivery/messenger.js';
export { type DeliveryAdapter, type DeliveryAdapters, MessageRefused, type OutgoingMessage } from './delivery/port.js';
export { type FailedSend, failedSend, refusalOf, type SendFailure } from './send/failure.js';
export { BLOCKED_STATUS } from './send/command.js';
export { readSaid, type SaidOrder, type SendOrder } from './send/order.js';
export { orderForCase } from './send/order-for-case.js';
export { beside, sending, type Sending } from './send/sending.js';
export { letterCommandsOfLoans } from './payoff-letter.js';
export type * from './requests.js';
