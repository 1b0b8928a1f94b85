import type { ContactPlan, MessageText, Situation } from '../../../engine/index.js';
import { consents, email, overdueLoan, situation } from './situations.js';

/** What a rule about words says of a message. */
export type ContentRow = readonly [
  code: string,
  what: string,
  asked: Partial<ContactPlan>,
  around: Situation,
  message: MessageText,
  isBlocked: boolean,
];

/** A message in one reading, from a company with a name and an address. */
export const said = (text: string, changes: Partial<MessageText> = {}): MessageText => ({
  language: 'en',
  readings: [text],
  senderNames: ['Quimby Lending'],
  senderAddress: '1 Main Street, Columbus, OH 43215',
  licenseNumber: null,
  ...changes,
});

export const FIRST = 'This is an attempt to collect a debt, and any information obtained will be used for that purpose.';
export const LATER = 'This communication is from a debt collector.';
export const FIRST_ES = 'Este es un intento de cobrar una deuda, y toda información obtenida se utilizará para ese fin.';
export const LAWFUL_ES = 'Quimby Lending: su pago está vencido. Responda STOP para no recibir más mensajes.';
export const LATER_ES = 'Esta comunicación es de un cobrador de deudas.';
export const LAWFUL = 'Quimby Lending: your payment is overdue. Reply STOP to end texts.';
export const NOTICE = [
  'Quimby Lending, 1 Main Street, Columbus, OH 43215. The creditor is Quimby. Account number: 1234.',
  'You owe $1,234.56. Interest: $1.00. Fees: $2.00. Payments and credits: $3.00.',
  'Write to us by March 31, 2026 to dispute the debt, or to ask for the original creditor.',
].join(' ');

export const agency = (changes: object = {}): Situation =>
  situation({
    contact: email(),
    consents: consents('electronicComms'),
    loans: [overdueLoan({ servicedBy: 'thirdPartyServicer' })],
    ...changes,
  });
export const own = (changes: object = {}): Situation =>
  situation({ contact: email(), consents: consents('electronicComms'), loans: [overdueLoan()], ...changes });
export const mail = { channel: 'email' } as const;
export const notice = { theme: 'opsServicingDebtValidation', subject: 'debtValidationNotice', channel: 'mail' } as const;
export const spanish = (text: string): MessageText => said(text, { language: 'es' });
