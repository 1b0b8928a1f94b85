import type { Subject } from '../../../engine/index.js';
import type { StandardText } from './standard-texts.js';

const COMPANY = '{{ company.brandName | default: company.name }}';
const AMOUNT = '{{ paymentAmount | money }}';
const METHOD =
  '{% if paymentMethodLastFour %} de su {{ paymentMethod | default: "cuenta" }} que termina en {{ paymentMethodLastFour }}{% endif %}';
const ROWS = '{{ row.date | date }}: {{ row.amount | money }}<br>{% endfor %}';
const SCHEDULE = [`{% for row in schedule limit:12 %}${ROWS}`, 'Ingrese en {{ portalUrl }} para ver el calendario completo.'];
const OVERDUE = 'No hemos recibido su pago de {{ overdueAmount | money }}, que venció el {{ paymentDueDate | date }}.';
const IN_TROUBLE = 'Si no puede pagar ahora, comuníquese con nosotros: podemos hablar de lo que es posible para usted.';
const LATE: StandardText = { title: 'Su préstamo tiene {{ daysOverdue }} días de atraso', paragraphs: [OVERDUE, IN_TROUBLE] };

/** The same templates for a borrower whose language is Spanish. */
export const SPANISH_TEXTS: Partial<Readonly<Record<Subject, StandardText>>> = {
  // Set-up of a loan.
  borrowerWelcome: {
    title: `Le damos la bienvenida a ${COMPANY}`,
    paragraphs: [`Ahora tiene una cuenta en ${COMPANY}.`, 'Ingrese en {{ loginUrl }} para ver sus préstamos, pagos y documentos.'],
  },
  loanDetails: {
    title: 'Las condiciones de su préstamo',
    paragraphs: [
      'Su préstamo {{ loan.displayId }} está activo. Estos son los próximos pagos:',
      ...SCHEDULE,
      '{% if apr %}La tasa de porcentaje anual (APR) es {{ apr | percent }}.{% endif %}',
    ],
  },
  loanCanceled: {
    title: 'Su préstamo fue cancelado',
    paragraphs: ['Su préstamo {{ loan.displayId }} fue cancelado. Usted no debe nada por él.'],
  },

  // Payments.
  paymentConfirmation: {
    title: 'Recibimos su pago',
    paragraphs: [`Su pago de ${AMOUNT} se hizo el {{ paymentDate | date }}${METHOD}.`, 'Gracias.'],
  },
  paymentScheduled: {
    title: 'Su pago está programado',
    paragraphs: [`Su pago de ${AMOUNT} está programado para el {{ paymentDate | date }}${METHOD}.`],
  },
  paymentRescheduled: {
    title: 'Su pago cambió de fecha',
    paragraphs: [`Su pago de ${AMOUNT} pasó al {{ newPaymentDate | date }}.`],
  },
  paymentFailed: {
    title: 'Su pago no se pudo hacer',
    paragraphs: [`Su pago de ${AMOUNT} no se pudo hacer. {{ failureReason }}`, 'Pague de otra manera o comuníquese con nosotros.'],
  },
  paymentReversed: { title: 'Le devolvemos un pago', paragraphs: [`Le estamos devolviendo su pago de ${AMOUNT}.`] },
  downpaymentFailed: {
    title: 'Su pago inicial no se pudo hacer',
    paragraphs: [`Su pago inicial de ${AMOUNT} no se pudo hacer. {{ failureReason }}`],
  },
  futurepayCanceled: {
    title: 'Su pago programado fue cancelado',
    paragraphs: [`Su pago programado de ${AMOUNT} fue cancelado.`],
  },
  refundScheduled: { title: 'Le devolvemos dinero', paragraphs: ['Le estamos devolviendo {{ amount | money }}.'] },
  reimbursementFailed: {
    title: 'No pudimos devolverle su dinero',
    paragraphs: [`No pudimos devolverle ${AMOUNT}. Comuníquese con nosotros para que lo enviemos de otra manera.`],
  },

  // Automatic payments.
  autopayEnabled: {
    title: 'Los pagos automáticos están activados',
    paragraphs: [
      `Desde ahora tomamos sus pagos automáticamente${METHOD}:`,
      `{% for row in paymentSchedule limit:12 %}${ROWS}`,
      'Puede terminar los pagos automáticos en cualquier momento en {{ portalUrl }}.',
    ],
  },
  autopayCanceledBySystem: {
    title: 'Los pagos automáticos terminaron',
    paragraphs: [
      'Ya no tomamos automáticamente los pagos de su préstamo {{ loan.displayId }}. {{ cancelReason }}',
      'Haga usted mismo el próximo pago.',
    ],
  },
  autopayPaymentCanceled: {
    title: 'Un pago automático fue cancelado',
    paragraphs: ['El pago automático del {{ paymentDate | date }} fue cancelado. Los siguientes no cambian.'],
  },
  autopayPaymentRescheduled: {
    title: 'Un pago automático cambió de fecha',
    paragraphs: ['El pago automático del {{ paymentDate | date }} pasó al {{ newPaymentDate | date }}.'],
  },
  autopayPaymentMethodUpdated: {
    title: 'Sus pagos automáticos tienen otra cuenta',
    paragraphs: [`Desde ahora tomamos sus pagos automáticos${METHOD}.`],
  },
  autopayAmountChanged: {
    title: 'Su próximo pago automático es mayor',
    paragraphs: [
      'Su pago automático del {{ paymentDueDate | date }} será de {{ paymentAmount | money }}.',
      'Son {{ extraCharge | money }} más que antes.',
    ],
  },
  autopayPaymentReminder: {
    title: 'Se acerca su pago automático',
    paragraphs: [`El {{ paymentDate | date }} tomaremos ${AMOUNT}${METHOD}.`],
  },
  autopayEnableReminder: {
    title: 'Pague automáticamente',
    paragraphs: [
      'Su primer pago vence el {{ paymentDueDate | date }}. Podemos tomar sus pagos automáticamente: ingrese en {{ portalUrl }}.',
    ],
  },

  // Reminders.
  paymentDueDateReminder: {
    title: 'Su pago vence pronto',
    paragraphs: [`Su pago de ${AMOUNT} vence el {{ paymentDueDate | date }}.`],
  },
  futurepayPaymentDueReminder: {
    title: 'Se acerca su pago programado',
    paragraphs: [`Su pago de ${AMOUNT} está programado para el {{ paymentDate | date }}.`],
  },
  loginFirstPaymentReminder: {
    title: 'Su primer pago vence pronto',
    paragraphs: ['Su primer pago vence el {{ paymentDueDate | date }}. Ingrese en {{ portalUrl }} para ver cómo puede pagar.'],
  },
  cardExpiresReminder: {
    title: 'Su tarjeta vence pronto',
    paragraphs: ['Su tarjeta que termina en {{ cardLastFour }} vence en {{ expirationMonth }}/{{ expirationYear }}. Agregue otra.'],
  },
  promoProgramReminder: {
    title: 'Su oferta promocional termina pronto',
    paragraphs: [
      'La oferta promocional de su préstamo {{ loan.displayId }} termina pronto.',
      'Ingrese en {{ portalUrl }} para ver cuánto queda por pagar.',
    ],
  },
  promoProgramEligibilityAtRisk: {
    title: 'Su oferta promocional está en riesgo',
    paragraphs: [
      'Su préstamo {{ loan.displayId }} puede perder la oferta promocional. Ingrese en {{ portalUrl }} para ver cuánto hay que pagar.',
    ],
  },

  // What is overdue.
  loanOverdueFirstNotice: { title: 'Su pago está vencido', paragraphs: [OVERDUE, 'Si ya pagó, no tenga en cuenta este mensaje.'] },
  loanOverdueSecondNotice: { title: 'Su pago sigue vencido', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanOverdueThirdNotice: LATE,
  loanOverdueFourthNotice: LATE,
  loanOverdueFifthNotice: LATE,
  loanOverdueSixthNotice: LATE,
  loanRightToCurePersonalUnsecured: {
    title: 'Aviso del derecho a subsanar el incumplimiento',
    legallyRequired: true,
    paragraphs: [
      `Usted está en incumplimiento de su préstamo {{ loan.displayId }} con ${COMPANY}.`,
      'Puede subsanar el incumplimiento si paga {{ overdueAmount | money }} hasta el {{ cureByDate | date }}.',
      'Si no lo subsana hasta ese día, podemos ejercer contra usted los derechos que nos da la ley.',
      'Si tiene preguntas, escríbanos o llámenos pronto{% if company.phone %}: {{ company.phone }}{% endif %}.',
    ],
  },

  // Statements.
  statementGenerated: {
    title: 'Su estado de cuenta está listo',
    paragraphs: [
      'Su estado de cuenta está listo.',
      '{% if minimumDueAmount %}Pague {{ minimumDueAmount | money }} hasta el {{ paymentDueDate | date }}.{% endif %}',
    ],
  },
  statementRegenerated: {
    title: 'Su estado de cuenta corregido está listo',
    paragraphs: ['Corregimos su estado de cuenta. El nuevo reemplaza al que recibió antes.'],
  },

  // The life of a loan.
  loanFrozen: {
    title: 'Su préstamo está en pausa',
    paragraphs: ['Su préstamo {{ loan.displayId }} está en pausa: no hay pagos por hacer hasta que le escribamos.'],
  },
  loanUnfrozen: {
    title: 'Su préstamo continúa',
    paragraphs: ['Su préstamo {{ loan.displayId }} ya no está en pausa. Ingrese en {{ portalUrl }} para ver cuánto hay que pagar.'],
  },
  loanAccelerated: {
    title: 'Todo el saldo de su préstamo es exigible',
    paragraphs: ['Todo el saldo de su préstamo {{ loan.displayId }} es exigible ahora.', IN_TROUBLE],
  },
  loanAccelerationReversed: {
    title: 'Su préstamo continúa en cuotas',
    paragraphs: [
      'Ya no tiene que pagar de una vez todo el saldo de su préstamo {{ loan.displayId }}. Su calendario de pagos vuelve a regir.',
    ],
  },
  loanChargedOff: {
    title: 'Su préstamo fue pasado a pérdidas',
    paragraphs: ['Su préstamo {{ loan.displayId }} fue pasado a pérdidas. Usted todavía debe el saldo.', IN_TROUBLE],
  },
  loanChargeOffReversed: {
    title: 'Su préstamo continúa',
    paragraphs: ['Su préstamo {{ loan.displayId }} ya no está pasado a pérdidas. Su calendario de pagos vuelve a regir.'],
  },
  locLineClosed: {
    title: 'Su línea de crédito fue cerrada',
    paragraphs: [
      'Su línea de crédito {{ loan.displayId }} fue cerrada. {{ closeReason | default: closeReasonDescription }}',
      'Lo que usted debe sigue venciendo como antes.',
    ],
  },
  loanPaymentScheduleChanged: {
    title: 'Su calendario de pagos cambió',
    paragraphs: ['Estos son los próximos pagos:', ...SCHEDULE],
  },
  loanTermsChanged: {
    title: 'Las condiciones de su préstamo cambiaron',
    legallyRequired: true,
    paragraphs: ['Las condiciones de su préstamo {{ loan.displayId }} cambiaron. Estos son los próximos pagos:', ...SCHEDULE],
  },
  promiseToPayCreated: {
    title: 'Su promesa de pago',
    paragraphs: ['Gracias por su promesa de pago. Ingrese en {{ portalUrl }} para ver las fechas y los montos.'],
  },
  creditLimitChanged: {
    title: 'Su límite de crédito cambió',
    paragraphs: ['Su límite de crédito es ahora de {{ creditLimitAmount | money }}.'],
  },

  // Credit reporting.
  creditNegativeInfoReported: {
    title: 'Aviso sobre su informe de crédito',
    legallyRequired: true,
    paragraphs: [
      'Informamos a una agencia de crédito de un pago atrasado, un pago no hecho u otro incumplimiento de su cuenta {{ loan.displayId }}.',
      'Esta información puede aparecer en su informe de crédito.',
      '{% if bureauNames %}Informamos a: {{ bureauNames }}.{% endif %}',
    ],
  },
  creditPositiveInfoReported: {
    title: 'Su préstamo está en su informe de crédito',
    paragraphs: [
      'Hemos comenzado a informar de su préstamo {{ loan.displayId }} a {{ bureauNames | default: "las agencias de crédito" }}.',
    ],
  },

  // The account.
  confirmationCode: {
    title: 'Su código de confirmación',
    paragraphs: ['Su código de confirmación es {{ code }}. Es válido durante 15 minutos.', `Nadie de ${COMPANY} se lo pedirá.`],
    text: `${COMPANY}: su código de confirmación es {{ code }}. Nadie se lo pedirá.`,
  },
  passwordReset: {
    title: 'Elija otra contraseña',
    paragraphs: ['Use el código {{ code }} para elegir otra contraseña. Si usted no lo pidió, comuníquese con nosotros.'],
  },
  passwordChanged: {
    title: 'Su contraseña cambió',
    paragraphs: ['Su contraseña cambió. Si no fue usted, comuníquese con nosotros.'],
  },
  contactChanged: {
    title: 'Sus datos de contacto cambiaron',
    paragraphs: [`Sus datos de contacto en ${COMPANY} cambiaron. Si no fue usted, comuníquese con nosotros.`],
  },
  contactTakeover: {
    title: 'Otra cuenta usa un contacto suyo',
    paragraphs: [`Otra cuenta en ${COMPANY} usa ahora un contacto suyo.`, 'Si usted no lo sabía, comuníquese con nosotros.'],
  },
  documentUploadFailed: {
    title: 'No pudimos leer su documento',
    paragraphs: ['No pudimos leer el documento que envió. Vuelva a subirlo en {{ portalUrl }}.'],
  },
  electronicConsentOptOut: {
    title: 'Recibirá cartas en lugar de correos electrónicos',
    paragraphs: ['Usted retiró su consentimiento a las comunicaciones electrónicas. Desde ahora le escribimos por carta.'],
    text: `${COMPANY}: no recibirá más mensajes de texto nuestros. Responda START para volver a recibirlos.`,
  },
  annualPrivacyPolicyNotice: {
    title: 'Nuestro aviso de privacidad',
    legallyRequired: true,
    paragraphs: ['Este es nuestro aviso anual de privacidad. En {{ portalUrl }} puede leer cómo usamos y protegemos sus datos personales.'],
  },
};
