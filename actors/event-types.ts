/** A type of events. */
export interface EventType {
  readonly eventType: string;
  /** The `objectType` of its events. */
  readonly objectType: string;
  /** When it occurs. */
  readonly description: string;
  /** No longer emitted; another event has replaced it. */
  readonly deprecated: boolean;
}

type Row = readonly [eventType: string, description: string, deprecated?: 'deprecated'];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  advance: [
    ['advance.statuschanged', 'Advance status changes'],
    ['advance.updated', 'Advance amount updated'],
  ],
  autopay: [
    ['autopay.payment.canceled', 'Autopay payment canceled'],
    ['autopay.payment.rescheduled', 'Autopay payment rescheduled'],
    ['autopay.schedule.cancel', 'Autopay schedule canceled'],
    ['autopay.schedule.changed', 'Autopay schedule changed'],
    ['autopay.schedule.created', 'Autopay schedule set up'],
  ],
  bankStatement: [
    ['bank.statement.matched', 'Bank statement matched with expected money, with or without differences'],
    ['bank.statement.received', 'Bank statement imported'],
  ],
  campaignRun: [['campaign.run.statuschanged', 'A run of a campaign begins, ends, or comes to its next step']],
  card: [
    ['card.created', 'Card created'],
    ['card.replacement.requested', 'Card replacement requested'],
    ['card.status.changed', 'Card status changed'],
  ],
  case: [
    ['case.association.added', 'Association added to a case'],
    ['case.association.removed', 'Association removed from a case'],
    ['case.changed', 'Case created, updated or deleted, with change details'],
    ['case.created', 'No longer fired; use case.changed', 'deprecated'],
    ['case.deleted', 'Never used; use case.changed', 'deprecated'],
    ['case.donotinteract.changed', 'Do Not Interact created, updated or deleted, with change details'],
    ['case.donotinteract.created', 'Use the changed event', 'deprecated'],
    ['case.donotinteract.deleted', 'Use the changed event', 'deprecated'],
    ['case.donotinteract.expired', 'Do Not Interact expired'],
    ['case.donotinteract.updated', 'Use the changed event', 'deprecated'],
    ['case.escalation.canceled', 'Use the changed event', 'deprecated'],
    ['case.escalation.changed', 'Case escalation created, updated or deleted, with change details'],
    ['case.escalation.created', 'Use the changed event', 'deprecated'],
    ['case.updated', 'No longer fired; use case.changed', 'deprecated'],
  ],
  contact: [
    ['contact.created', 'Contact created'],
    ['contact.deleted', 'Contact deleted'],
    ['contact.updated', 'Contact updated'],
  ],
  creditReportingStatus: [
    ['loan.creditreporting.created', 'Loan scheduled to start credit reporting'],
    ['loan.creditreporting.stopped', 'Loan scheduled to stop credit reporting'],
  ],
  draw: [
    ['draw.credit.limit.changed', 'Draw credit limit changed'],
    ['draw.fee.booked', 'Fee booked on a draw'],
    ['loan.interestaccrued.min', 'Minimum interest charge triggered on a draw'],
  ],
  generalLedgerBatch: [
    ['generalledger.batch.exported', 'The file of a day of the books was written'],
    ['generalledger.batch.sealed', 'A day of the books was sealed'],
    ['generalledger.difference.found', 'A day of the books computes to other entries than were sealed'],
  ],
  generalLedgerPeriod: [['generalledger.period.changed', 'A month of the books was closed or opened again']],
  interaction: [
    ['communication.send', 'Communication attempted'],
    ['interaction.blocked', 'Interaction blocked for a borrower'],
  ],
  loan: [
    ['loan.balance.changed', 'Loan balance changed'],
    ['loan.changeloanterms.scra.update', 'Loan SCRA plan created'],
    ['loan.closed', 'Loan closed'],
    ['loan.created', 'Loan created'],
    ['loan.credit.limit.changed', 'Loan credit limit changed'],
    ['loan.current', 'Loan is or becomes current'],
    ['loan.duedate.defer', 'A single due date deferred'],
    ['loan.fee.booked', 'Dynamic fee applied'],
    ['loan.fee.canceled', 'Dynamic fee canceled'],
    ['loan.fee.capitalized', 'Unpaid fee added to principal'],
    ['loan.fee.changed', 'Dynamic fee changed'],
    ['loan.foreigntransactionfee.booked', 'Foreign transaction fee booked'],
    ['loan.interest.capitalized', 'Interest capitalization triggered after a due date'],
    ['loan.latefee.booked', 'Late fee applied'],
    ['loan.membershipfee.booked', 'Membership fee booked'],
    ['loan.migration.failed', 'Loan migration fails'],
    ['loan.migration.succeeded', 'Loan migration succeeds'],
    ['loan.modificationfee.booked', 'Modification fee applied'],
    ['loan.merchantreserve.held', 'Part of the money of a merchant held back'],
    ['loan.merchantreserve.released', 'Reserve of a merchant released'],
    ['loan.nsffee.booked', 'Returned-payment fee booked'],
    ['loan.obligation.statuschanged', 'Change of obligation status recorded'],
    ['loan.overdue', 'Loan is overdue'],
    ['loan.overdue.update', 'Loan is overdue (update)'],
    ['loan.ownerchanged', 'Loan changes owner'],
    ['loan.paymentplan.setup', 'Loan payment plan set up'],
    ['loan.period.started', 'Loan period started'],
    ['loan.promoprogram.activated', 'Promo program becomes active'],
    ['loan.promoprogram.created', 'Promo program created'],
    ['loan.promoprogram.updated', 'Promo program updated'],
    ['loan.rate.created', 'Rate created'],
    ['loan.rate.updated', 'Rate updated'],
    ['loan.refunded', 'Payments on a loan refunded'],
    ['loan.reimbursement.initiated', 'Borrower reimbursement initiated'],
    ['loan.reimbursement.processed', 'Borrower reimbursement processed'],
    ['loan.schedule.defer', 'Loan schedule deferred'],
    ['loan.scraplan.changed', 'Loan SCRA plan changed'],
    ['loan.scraplan.deleted', 'Loan SCRA plan deleted'],
    ['loan.servicefee.booked', 'Service fee booked'],
    ['loan.statuschanged', 'Loan changes status'],
    ['statement.created', 'Statement created'],
  ],
  loanType: [
    ['indexrate.created', 'Index rate created'],
    ['indexrate.updated', 'Index rate updated'],
  ],
  paymentInstrument: [
    ['payment.instrument.created', 'Payment instrument created'],
    ['payment.instrument.deactivated', 'Payment instrument deactivated'],
    ['payment.instrument.updated', 'Payment instrument updated'],
  ],
  paymentPlan: [
    ['paymentplan.created', 'Payment plan created'],
    ['paymentplan.statuschanged', 'Payment plan changes status'],
  ],
  person: [
    ['person.consent.updated', 'Borrower updates consents'],
    ['person.created', 'Borrower created'],
    ['person.monitoring.bankruptcy.started', 'Bankruptcy and deceased monitoring begins'],
    ['person.monitoring.scra.started', 'SCRA monitoring begins'],
  ],
  promiseToPayPlan: [
    ['loan.promiseplan.created', 'Promise-to-pay plan created'],
    ['loan.promiseplan.current', 'Plan changes from overdue to current'],
    ['loan.promiseplan.due.today', 'Promise-to-pay plan due today'],
    ['loan.promiseplan.overdue', 'Plan becomes overdue'],
    ['loan.promiseplan.statuschanged', 'Promise-to-pay plan status changes'],
  ],
  purchase: [
    ['purchase.applied', 'Purchase applied'],
    ['purchase.authorized', 'Purchase authorized'],
    ['purchase.changed', 'Purchase updated'],
    ['purchase.created', 'Purchase created'],
    ['purchase.settled', 'Purchase settled'],
  ],
  purchaseDispute: [
    ['purchase.dispute.created', 'Purchase dispute created'],
    ['purchase.dispute.updated', 'Purchase dispute updated'],
  ],
  transaction: [
    ['payment.applied', 'Formerly used instead of payment.initiated for internal ACH', 'deprecated'],
    ['payment.chargeback', 'Payment charged back'],
    ['payment.chargeback.reversed', 'Chargeback reversed'],
    ['payment.due.today', 'Periodically, for external transactions in status scheduled'],
    ['payment.failed', 'Payment fails'],
    ['payment.hold.days.expired', 'A transaction’s hold days expired'],
    ['payment.initiated', 'Payment initiated'],
    ['payment.pending', 'Payment pending'],
    ['payment.rescheduled', 'Payment rescheduled'],
    ['payment.reversed', 'Payment reversed'],
    ['payment.scheduled', 'Payment scheduled'],
    ['payment.succeeded', 'Payment succeeds'],
    ['reconciliation.payment.failed', 'Reconciliation payment fails'],
  ],
  workDay: [['operation.late', 'Automatic work has failed, or is not done in time; once for each work and day']],
};

/** All event types, sorted by name. */
export const EVENT_TYPES: readonly EventType[] = Object.entries(ROWS)
  .flatMap(([objectType, rows]) =>
    rows.map(([eventType, description, mark]) => ({ eventType, objectType, description, deprecated: mark === 'deprecated' })),
  )
  .sort((a, b) => (a.eventType < b.eventType ? -1 : 1));

/** The object types whose objects have external ids. */
export const NAMED_OBJECT_TYPES = [
  'advance',
  'card',
  'case',
  'contact',
  'draw',
  'interaction',
  'loan',
  'paymentInstrument',
  'paymentPlan',
  'person',
  'promiseToPayPlan',
  'purchase',
  'purchaseDispute',
  'transaction',
] as const;
