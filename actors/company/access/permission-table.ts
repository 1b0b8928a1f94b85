import { createHash } from 'node:crypto';

/** A permission, which an operation requires of its caller and a role grants. */
export interface PermissionEntry {
  /** Derived from the name, and so the same in every installation. */
  readonly id: string;
  readonly object: 'permission';
  /** `resource[.sub]:action[.qualifier]` */
  readonly name: string;
  /** The resource, by which the table is grouped for users who edit a role. */
  readonly group: string;
  readonly description: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789';
const ID_LETTERS = 8;

type Row = readonly [action: string, description: string];

/** By resource. New rows go to the end of their resource. Rows are never removed, since roles refer to them. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'admin.portal': [['read', 'Sign in to the administration portal']],
  apikey: [
    ['create', 'Create API keys'],
    ['delete', 'Revoke API keys'],
    ['list', 'List API keys'],
    ['read', 'Read an API key, without its secret'],
    ['update', 'Change description, addresses and status of API keys'],
  ],
  'auth.exchangetoken': [['create', 'Create a token with which a user signs in once']],
  autopay: [
    ['cancel', 'Cancel automatic payments'],
    ['create', 'Set up automatic payments'],
    ['read', 'Read automatic payments'],
    ['update', 'Change automatic payments'],
  ],
  campaign: [
    ['create', 'Create campaigns, contact exporters and bulk senders'],
    ['read', 'Read campaigns, their workers, runs, rows and files'],
    ['update', 'Change campaigns and their workers'],
    ['delete', 'Delete campaigns and their workers'],
    ['run', 'Start and stop runs of campaigns'],
  ],
  case: [
    ['update', 'Create and work cases: status, escalation, snooze, calls, owner, name, Do Not Interact'],
    ['delete', 'Delete cases'],
    ['list', 'List cases'],
    ['read', 'Read a case and record that it was read'],
    ['update.force', 'Complete cases whose workflow is not complete'],
  ],
  casetype: [
    ['create', 'Create case types, Do Not Interact types and notification types'],
    ['read', 'Read case types, Do Not Interact types and notification types'],
    ['update', 'Change, publish, link and delete these types'],
  ],
  communicator: [
    ['send', 'Send messages to borrowers'],
    ['preview', 'Preview messages'],
    ['receive', 'Record incoming messages'],
  ],
  'communicator.sendingdomain': [
    ['read', 'Read mail domains'],
    ['create', 'Register mail domains'],
    ['update', 'Change and verify mail domains'],
    ['delete', 'Remove mail domains'],
  ],
  'communicator.sendingnumber': [
    ['read', 'Read sending numbers'],
    ['create', 'Register sending numbers'],
    ['update', 'Change sending numbers'],
    ['delete', 'Release sending numbers'],
  ],
  'communicator.template': [
    ['read', 'Read templates and their versions, and render them'],
    ['create', 'Create templates and versions'],
    ['update', 'Change and delete templates and versions'],
    ['activate', 'Activate versions of templates'],
  ],
  company: [
    ['read', 'Read the company and its settings'],
    ['update', 'Change the settings of the company'],
  ],
  compliance: [['caninteract', 'Check whether a contact may be made']],
  'compliance.businessrule': [
    ['create', 'Create business rules of the compliance guard'],
    ['delete', 'Deactivate business rules'],
    ['update', 'Change business rules'],
  ],
  'compliance.rule': [
    ['mute', 'Mute compliance rules'],
    ['read', 'Read compliance rules and the verdicts of the guard'],
  ],
  consent: [
    ['read', 'Read consents'],
    ['update', 'Record consents'],
  ],
  contact: [
    ['create', 'Add contacts to borrowers'],
    ['delete', 'Remove contacts'],
    ['list', 'List contacts'],
    ['read', 'Read a contact'],
    ['update', 'Change contacts'],
  ],
  document: [
    ['create', 'Add documents and their content'],
    ['list', 'List documents'],
    ['read', 'Read documents and their content'],
    ['read.sensitive', 'Read documents with sensitive data'],
    ['update', 'Change and archive documents'],
  ],
  employee: [
    ['create', 'Create employees'],
    ['list', 'List employees'],
    ['read', 'Read an employee'],
    ['update', 'Change and remove employees'],
  ],
  event: [
    ['list', 'List and follow events'],
    ['read', 'Read an event'],
  ],
  identity: [
    ['create', 'Add identities to borrowers'],
    ['delete', 'Remove identities'],
    ['read', 'Read identities'],
    ['update', 'Change identities'],
  ],
  indexrates: [
    ['create', 'Add values to an index'],
    ['delete', 'Remove values of an index'],
    ['list', 'List the values of an index'],
    ['read', 'Read a value of an index'],
    ['update', 'Change values of an index'],
  ],
  interaction: [
    ['create', 'Record interactions'],
    ['read', 'List and read interactions'],
    ['read.sensitive', 'Read the content of sensitive interactions'],
    ['update', 'Change interactions'],
    ['delete', 'Delete interactions that were recorded through the interface'],
    ['cancel', 'Cancel planned interactions'],
  ],
  legalrepresentative: [
    ['create', 'Add legal representatives'],
    ['delete', 'Archive legal representatives'],
    ['read', 'Read legal representatives'],
    ['update', 'Change legal representatives'],
  ],
  loan: [
    ['accelerate', 'Accelerate loans: make the whole balance due'],
    ['accelerate.reverse', 'Reverse accelerations'],
    ['activate', 'Activate loans'],
    ['cancel', 'Cancel loans'],
    ['chargeoff', 'Charge loans off'],
    ['chargeoff.reverse', 'Reverse charge-offs'],
    ['close', 'Close lines of credit'],
    ['create', 'Create loans'],
    ['creditlimit.update', 'Change credit limits'],
    ['defer.remaining.balances', 'Defer the remaining balances of a loan'],
    ['duedate.defer', 'Defer a due date'],
    ['duedates.change', 'Change due dates'],
    ['freeze', 'Freeze loans'],
    ['list', 'List loans'],
    ['migrate', 'Migrate loans with their history'],
    ['paymentplan.cancel', 'Cancel payment plans'],
    ['paymentplan.create', 'Create payment plans'],
    ['paymentplan.list', 'List payment plans'],
    ['paymentplan.scra.create', 'Add SCRA terms to a loan'],
    ['paymentplan.scra.delete', 'Remove SCRA terms of a loan'],
    ['paymentplan.scra.list', 'List SCRA terms of a loan'],
    ['paymentplan.scra.update', 'Change SCRA terms of a loan'],
    ['read', 'Read a loan, its schedule and its activity'],
    ['reamortize', 'Re-amortize loans: solve their schedule again'],
    ['refresh', 'Bring a loan up to date'],
    ['reimburse', 'Reimburse borrowers'],
    ['replay', 'Replay loans: compute them again from a date'],
    ['schedule.defer', 'Defer a schedule'],
    ['unfreeze', 'Unfreeze loans'],
    ['update', 'Change loans'],
  ],
  'loan.advance': [
    ['cancel', 'Cancel advances'],
    ['create', 'Add advances to a loan'],
    ['read', 'Read advances'],
    ['update', 'Change advances'],
  ],
  'loan.balance': [['read', 'Read balances and interest']],
  'loan.draw': [
    ['activate', 'Activate draws'],
    ['amortize', 'Amortize draws'],
    ['cancel', 'Cancel draws'],
    ['close', 'Close draws'],
    ['create', 'Draw on a line of credit'],
    ['read', 'Read draws'],
    ['update', 'Change draws'],
  ],
  'loan.fee': [
    ['cancel', 'Cancel and waive fees'],
    ['create', 'Charge fees'],
    ['list', 'List fees'],
    ['update', 'Change fees'],
  ],
  'loan.feetype': [
    ['create', 'Create fee types'],
    ['update', 'Change and delete fee types'],
  ],
  'loan.label': [
    ['assign', 'Add labels to loans'],
    ['create', 'Create labels'],
    ['delete', 'Delete labels'],
    ['list', 'List labels'],
    ['update', 'Change labels'],
  ],
  'loan.payoff': [
    ['create', 'Pay a loan off'],
    ['read', 'Read payoff amounts and letters'],
  ],
  'loan.promoprogram': [
    ['cancel', 'Cancel promo programs'],
    ['create', 'Add promo programs to a loan'],
    ['list', 'List promo programs'],
    ['update', 'Change promo programs'],
  ],
  'loan.promotype': [
    ['create', 'Create promo types'],
    ['update', 'Change and delete promo types'],
  ],
  'loan.refund': [
    ['cancel', 'Cancel refunds'],
    ['create', 'Refund loans'],
    ['list', 'List refunds'],
  ],
  'loan.type': [
    ['create', 'Create loan types'],
    ['list', 'List loan types'],
    ['read', 'Read a loan type'],
    ['update', 'Change loan types'],
  ],
  monitoring: [
    ['ingest', 'Report monitoring hits and disasters'],
    ['read', 'Read monitoring statuses and disasters'],
    ['update', 'Start, stop and clear monitoring'],
  ],
  note: [
    ['read.sensitive', 'Read sensitive notes'],
    ['create', 'Create notes'],
    ['list', 'List notes'],
    ['read', 'Read a note'],
    ['update', 'Change, pin and archive notes'],
  ],
  operation: [['update', 'Pause, resume and cancel mass work']],
  'payment.instrument': [
    ['create', 'Add payment instruments'],
    ['delete', 'Remove payment instruments'],
    ['list', 'List payment instruments'],
    ['read', 'Read a payment instrument'],
    ['update', 'Change payment instruments'],
    ['external', 'Use external payment instruments'],
    ['force', 'Add payment instruments without verification'],
  ],
  pairingconfig: [
    ['read', 'Read pairing configurations, which assign tasks to workers'],
    ['update', 'Change pairing configurations'],
  ],
  permission: [['list', 'Read the list of permissions']],
  person: [
    ['create', 'Create borrowers'],
    ['delete', 'Delete borrowers'],
    ['list', 'List and search borrowers'],
    ['read', 'Read a borrower'],
    ['update', 'Change borrowers'],
  ],
  'promise.to.pay.plan': [
    ['create', 'Record promises to pay'],
    ['list', 'List promises to pay'],
    ['read', 'Read a promise to pay'],
    ['update', 'Change promises to pay'],
  ],
  purchase: [
    ['create', 'Create purchases'],
    ['read', 'Read purchases'],
    ['update', 'Change purchases'],
  ],
  'purchase.dispute': [
    ['create', 'Open disputes'],
    ['read', 'Read disputes'],
    ['update', 'Decide disputes'],
  ],
  rates: [
    ['create', 'Add rates'],
    ['delete', 'Remove rates'],
    ['list', 'List rates'],
    ['update', 'Change rates'],
  ],
  'repaymentengine.notification': [
    ['list', 'Read and preview repayment notifications'],
    ['create', 'Create repayment notifications'],
    ['update', 'Change repayment notifications'],
    ['delete', 'Delete repayment notifications'],
  ],
  report: [
    ['read', 'Read reports about all loans of the company'],
    ['ask', 'Ask questions in SQL over the views of the company'],
  ],
  role: [
    ['create', 'Create roles'],
    ['delete', 'Delete roles'],
    ['list', 'List roles'],
    ['read', 'Read a role'],
    ['update', 'Change roles'],
  ],
  statement: [
    ['create', 'Create statements'],
    ['list', 'List statements'],
    ['read', 'Read statements'],
    ['update', 'Change statements'],
  ],
  supercase: [
    ['read', 'Read supercases and the progress of work on them'],
    ['bulk.send', 'Send messages to all members of a supercase'],
    ['bulk.update', 'Change all members of a supercase'],
    ['update', 'Create and change supercases'],
  ],
  task: [
    ['create', 'Create tasks'],
    ['list', 'List tasks, queues and workers'],
    ['read', 'Read a task'],
    ['update', 'Change, transfer and cancel tasks'],
  ],
  'taskrouter.task': [['receive', 'Receive tasks']],
  team: [
    ['create', 'Create teams'],
    ['list', 'List teams'],
    ['read', 'Read a team'],
    ['update', 'Change and delete teams'],
  ],
  testclock: [
    ['advance', 'Advance test clocks'],
    ['create', 'Create test clocks'],
    ['delete', 'Delete test clocks'],
    ['read', 'Read test clocks'],
  ],
  transaction: [
    ['backdate', 'Backdate payments'],
    ['cancel', 'Cancel payments'],
    ['create', 'Create external payments'],
    ['create.downpayment', 'Create down payments'],
    ['create.onetimepayment', 'Create one-time payments'],
    ['create.servicecredit', 'Create service credits'],
    ['list', 'List payments'],
    ['read', 'Read a payment'],
    ['reschedule', 'Reschedule payments'],
    ['reverse', 'Reverse payments'],
    ['update', 'Change payments'],
  ],
  'transaction.chargeback': [
    ['create', 'Record chargebacks'],
    ['list', 'List chargebacks'],
    ['read', 'Read a chargeback'],
    ['update', 'Decide chargebacks'],
  ],
  user: [
    ['create', 'Create users'],
    ['delete', 'Deactivate users'],
    ['list', 'List users'],
    ['read', 'Read a user'],
    ['update', 'Change users'],
    ['update.password', 'Set passwords of other users'],
  ],
  verification: [
    ['create', 'Verify borrowers'],
    ['read', 'Read verifications'],
  ],
  verificationtype: [
    ['create', 'Create verification types'],
    ['delete', 'Delete verification types'],
    ['read', 'Read verification types and the question bank'],
    ['update', 'Change verification types'],
  ],
  webhook: [
    ['create', 'Create webhooks'],
    ['delete', 'Delete webhooks'],
    ['list', 'List webhooks'],
    ['read', 'Read a webhook and its deliveries'],
    ['update', 'Change webhooks and send deliveries again'],
  ],
  workflowtype: [
    ['create', 'Create workflow types'],
    ['read', 'Read workflow types'],
    ['update', 'Change, publish and delete workflow types'],
  ],
};

/** All permissions, by resource and action. */
export const PERMISSIONS: readonly PermissionEntry[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.map(([action, description]) => entryOf(`${group}:${action}`, group, description)),
);

function entryOf(name: string, group: string, description: string): PermissionEntry {
  return { id: idOf(name), object: 'permission', name, group, description };
}

function idOf(name: string): string {
  const letters = [...createHash('sha256').update(name).digest().subarray(0, ID_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `PM-${letters.slice(0, ID_LETTERS / 2).join('')}-${letters.slice(ID_LETTERS / 2).join('')}`;
}

const NAMES: ReadonlySet<string> = new Set(PERMISSIONS.map(({ name }) => name));

export const isPermissionName = (name: string): boolean => NAMES.has(name);
