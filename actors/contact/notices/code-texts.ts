import { FAILURE_DESCRIPTIONS, type FailureReason, type Instrument } from '../../borrower/index.js';
import type { CloseLoanRequest, LoanFacts, statusOf } from '../../loan/index.js';

/** The languages of the standard templates. A message in another one has codes in English. */
export const CODE_LANGUAGES = ['en', 'es'] as const;

type Language = (typeof CODE_LANGUAGES)[number];
type CodeText = Readonly<Record<Language, string>>;
type CodeTexts<Code extends string> = Readonly<Record<Code, CodeText>>;

const text = (en: string, es: string): CodeText => ({ en, es });

const failure = (reason: FailureReason, es: string): CodeText => text(FAILURE_DESCRIPTIONS[reason].long, es);

const FAILURE_REASONS: CodeTexts<FailureReason> = {
  insufficientFunds: failure('insufficientFunds', 'La cuenta no tenía fondos suficientes para el pago.'),
  chargeback: failure('chargeback', 'El pagador disputó el pago y el dinero fue retirado.'),
  accountClosed: failure('accountClosed', 'La cuenta está cerrada.'),
  invalidAccount: failure('invalidAccount', 'La cuenta no existe o no acepta débitos.'),
  unknownReason: failure('unknownReason', 'El pago falló; no se indicó el motivo.'),
  invalidCvv: failure('invalidCvv', 'El código de seguridad de la tarjeta es incorrecto.'),
  invalidExpirationDate: failure('invalidExpirationDate', 'La fecha de vencimiento de la tarjeta es incorrecta o ya pasó.'),
  avsFailed: failure('avsFailed', 'La dirección no coincide con la de la tarjeta.'),
  networkError: failure('networkError', 'No se pudo establecer la conexión con la red de pagos.'),
  cardDeclined: failure('cardDeclined', 'El emisor de la tarjeta rechazó el pago.'),
  accountFrozen: failure('accountFrozen', 'La cuenta está congelada y no admite débitos.'),
  deceased: failure('deceased', 'El titular o el beneficiario de la cuenta falleció.'),
  invalidRouting: failure('invalidRouting', 'El número de ruta no corresponde a un banco participante.'),
  paymentStopped: failure('paymentStopped', 'El pagador detuvo el pago.'),
  microdepositsFailed: failure('microdepositsFailed', 'Los depósitos para verificar la cuenta fueron devueltos.'),
  microdepositsAttemptFailed: failure(
    'microdepositsAttemptFailed',
    'Los montos de los depósitos de verificación se indicaron mal demasiadas veces.',
  ),
  incorrectNumber: failure('incorrectNumber', 'El número de cuenta tiene un formato incorrecto o no supera su comprobación.'),
  fraudulent: failure('fraudulent', 'El pago se detuvo porque se sospecha un fraude.'),
  unauthorizedDebit: failure('unauthorizedDebit', 'El titular de la cuenta dice que no autorizó el débito.'),
};

/** Why automatic payments ended. */
const CANCEL_REASONS: CodeTexts<LoanFacts['AutopayEnded']['cancelReason']> = {
  invalidPaymentMethod: text('The payment method can no longer be charged.', 'Ya no se puede cobrar con ese medio de pago.'),
  canceledByBorrower: text('You have ended them.', 'Usted los terminó.'),
  canceledByAgent: text('We have ended them.', 'Nosotros los terminamos.'),
  consecutiveFailures: text('Several payments in a row have failed.', 'Fallaron varios pagos seguidos.'),
  loanPaidOff: text('Your loan is paid off.', 'Su préstamo está pagado por completo.'),
  loanChargedOff: text('Your loan was charged off.', 'Su préstamo fue pasado a pérdidas.'),
  loanAccelerated: text('The whole balance of your loan is due.', 'Todo el saldo de su préstamo es exigible.'),
  loanCanceled: text('Your loan was canceled.', 'Su préstamo fue cancelado.'),
  loanFrozen: text('Your loan is on hold.', 'Su préstamo está en pausa.'),
  bankruptcy: text('A bankruptcy case was opened.', 'Se abrió un caso de bancarrota.'),
  deceased: text('We were notified of a death.', 'Fuimos notificados de un fallecimiento.'),
  scheduleChanged: text('The payment schedule has changed.', 'El calendario de pagos cambió.'),
};

const PAYMENT_METHODS: CodeTexts<Instrument['instrumentType']> = {
  bankAccount: text('bank account', 'cuenta bancaria'),
  card: text('card', 'tarjeta'),
  check: text('check', 'cheque'),
  payroll: text('payroll deduction', 'descuento de nómina'),
  paymentNetwork: text('payment network', 'red de pagos'),
  moneyOrder: text('money order', 'giro postal'),
  wire: text('wire transfer', 'transferencia bancaria'),
};

/** Why a line was closed. `other` says nothing: the lender's own text says it. */
const CLOSE_REASONS: CodeTexts<Exclude<NonNullable<CloseLoanRequest['closeReason']>, 'other'>> = {
  borrowerRequest: text('You asked for it.', 'Usted lo pidió.'),
  inactivity: text('It was not used for a long time.', 'No se usó durante mucho tiempo.'),
  creditRisk: text('The reason is credit risk.', 'El motivo es el riesgo de crédito.'),
  fraud: text('Fraud is suspected.', 'Se sospecha un fraude.'),
  expired: text('Its term has ended.', 'Su plazo terminó.'),
};

const LOAN_STATUSES: CodeTexts<ReturnType<typeof statusOf>> = {
  pending: text('pending', 'pendiente'),
  originated: text('originated', 'otorgado'),
  declined: text('declined', 'rechazado'),
  active: text('active', 'activo'),
  frozen: text('on hold', 'en pausa'),
  accelerated: text('due in full', 'exigible por completo'),
  chargedOff: text('charged off', 'pasado a pérdidas'),
  paidOff: text('paid off', 'pagado por completo'),
  canceled: text('canceled', 'cancelado'),
};

/** The variables of notices that are codes, with each code as a borrower reads it. */
export const CODE_TEXTS: Readonly<Record<string, CodeTexts<string>>> = {
  failureReason: FAILURE_REASONS,
  cancelReason: CANCEL_REASONS,
  paymentMethod: PAYMENT_METHODS,
  closeReason: CLOSE_REASONS,
  loanStatus: LOAN_STATUSES,
};

type Variables = Readonly<Record<string, unknown>>;

/**
 * The variables of a notice with codes in the language of its template, else in English. A code itself stays under the name with `Code`,
 * for conditions. Texts stay as they are: notices that an earlier release has planned have some.
 */
export function withCodeTexts(variables: Variables, language: string): Variables {
  const spoken = CODE_LANGUAGES.find((known) => known === language) ?? 'en';
  const named = Object.entries(CODE_TEXTS).flatMap(([name, texts]) => {
    const code = variables[name];
    if (typeof code !== 'string' || !Object.hasOwn(texts, code)) return [];
    return [
      [name, texts[code]?.[spoken]],
      [`${name}Code`, code],
    ] as const;
  });
  return { ...variables, ...Object.fromEntries(named) };
}
