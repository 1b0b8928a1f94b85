import { createHash } from 'node:crypto';

/** What an operation asks of its caller, and a role may give. */
export interface PermissionEntry {
  /** The same in every installation: it follows from the name. */
  readonly id: string;
  readonly object: 'permission';
  /** `resource[.sub]:action[.qualifier]` */
  readonly name: string;
  /** The resource: how the table is ordered for whoever composes a role. */
  readonly group: string;
  readonly description: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789';
const ID_LETTERS = 8;

type Row = readonly [action: string, description: string];

/** By resource. Rows are added at the end of their resource and never removed: roles name them. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'admin.portal': [['read', 'Sign in to the administration portal']],
  apikey: [
    ['create', 'Create API keys'],
    ['delete', 'Revoke API keys'],
    ['list', 'List API keys'],
    ['read', 'Read an API key without its text'],
    ['update', 'Change description, addresses and status of API keys'],
  ],
  'auth.exchangetoken': [['create', 'Make a token with which a user signs in once']],
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
    ['update.force', 'Complete cases whose workflow is not done'],
  ],
  casetype: [
    ['create', 'Create case types, Do Not Interact types and notification types'],
    ['read', 'Read the types that casework is configured by'],
    ['update', 'Change, publish, link and delete them'],
  ],
  communicator: [
    ['send', 'Send messages to borrowers'],
    ['preview', 'See what a message would say'],
    ['receive', 'Record messages that came in'],
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
    ['activate', 'Say which version of a template is in use'],
  ],
  company: [
    ['read', 'Read the company and its settings'],
    ['update', 'Change the settings of the company'],
  ],
  compliance: [['caninteract', 'Ask whether a contact may be made']],
  'compliance.businessrule': [
    ['create', 'Create business rules of compliance'],
    ['delete', 'End business rules'],
    ['update', 'Change business rules'],
  ],
  'compliance.rule': [
    ['mute', 'Mute rules of compliance'],
    ['read', 'Read rules of compliance and what the guard has said'],
  ],
  consent: [
    ['read', 'Read consents'],
    ['update', 'Record consents'],
  ],
  contact: [
    ['create', 'Add contacts to borrowers'],
    ['delete', 'Remove contacts'],
    ['list', 'List contacts'],
    ['read', 'Read contacts in clear'],
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
    ['read', 'Read identities in clear'],
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
    ['read.sensitive', 'Read what was said in sensitive interactions'],
    ['update', 'Change interactions'],
    ['delete', 'Delete interactions that were recorded by hand'],
    ['cancel', 'Call off planned interactions'],
  ],
  legalrepresentative: [
    ['create', 'Add legal representatives'],
    ['delete', 'Archive legal representatives'],
    ['read', 'Read legal representatives'],
    ['update', 'Change legal representatives'],
  ],
  loan: [
    ['accelerate', 'Make the whole balance due'],
    ['accelerate.reverse', 'Take an acceleration back'],
    ['activate', 'Activate loans'],
    ['cancel', 'Cancel loans'],
    ['chargeoff', 'Charge loans off'],
    ['chargeoff.reverse', 'Take a charge-off back'],
    ['close', 'Close lines of credit'],
    ['create', 'Create loans'],
    ['creditlimit.update', 'Change credit limits'],
    ['defer.remaining.balances', 'Defer what remains of a loan'],
    ['duedate.defer', 'Defer a due date'],
    ['duedates.change', 'Change due dates'],
    ['freeze', 'Freeze loans'],
    ['list', 'List loans'],
    ['migrate', 'Migrate loans with their history'],
    ['paymentplan.cancel', 'Cancel payment plans'],
    ['paymentplan.create', 'Create payment plans'],
    ['paymentplan.list', 'List payment plans'],
    ['paymentplan.scra.create', 'Enter military protection of a loan'],
    ['paymentplan.scra.delete', 'Remove military protection of a loan'],
    ['paymentplan.scra.list', 'List military protection of a loan'],
    ['paymentplan.scra.update', 'Change military protection of a loan'],
    ['read', 'Read a loan, its schedule and its activity'],
    ['reamortize', 'Compute the schedule of a loan anew'],
    ['refresh', 'Bring a loan up to date'],
    ['reimburse', 'Reimburse a borrower'],
    ['replay', 'Compute loans again from a date'],
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
    ['assign', 'Put labels on loans'],
    ['create', 'Create labels'],
    ['delete', 'Delete labels'],
    ['list', 'List labels'],
    ['update', 'Change labels'],
  ],
  'loan.payoff': [
    ['create', 'Pay a loan off'],
    ['read', 'Read pay-off amounts and letters'],
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
    ['ingest', 'Feed hits and disasters'],
    ['read', 'Read monitoring statuses and disasters'],
    ['update', 'Start, stop and clear monitoring'],
  ],
  note: [
    ['read.sensitive', 'Read sensitive notes'],
    ['create', 'Write notes'],
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
    ['read', 'Read who gets which tasks'],
    ['update', 'Change who gets which tasks'],
  ],
  permission: [['list', 'Read the catalogue of permissions']],
  person: [
    ['create', 'Create borrowers'],
    ['delete', 'Erase borrowers'],
    ['list', 'List and search borrowers'],
    ['read', 'Read a borrower'],
    ['update', 'Change borrowers'],
  ],
  'promise.to.pay.plan': [
    ['create', 'Take promises to pay'],
    ['list', 'List promises to pay'],
    ['read', 'Read a promise to pay'],
    ['update', 'Change promises to pay'],
  ],
  purchase: [
    ['create', 'Enter purchases on lines'],
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
    ['create', 'Make statements'],
    ['list', 'List statements'],
    ['read', 'Read statements'],
    ['update', 'Change statements'],
  ],
  supercase: [
    ['read', 'Read supercases and how far work on them has come'],
    ['bulk.send', 'Send to all members of a supercase'],
    ['bulk.update', 'Change all members of a supercase'],
    ['update', 'Create and change supercases'],
  ],
  task: [
    ['create', 'Create tasks by hand'],
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
    ['backdate', 'Give payments another date'],
    ['cancel', 'Cancel payments'],
    ['create', 'Take payments'],
    ['create.downpayment', 'Take down payments'],
    ['create.onetimepayment', 'Take one-time payments'],
    ['create.servicecredit', 'Give service credits'],
    ['list', 'List payments'],
    ['read', 'Read a payment'],
    ['reschedule', 'Move payments to another date'],
    ['reverse', 'Reverse payments'],
    ['update', 'Change payments'],
  ],
  'transaction.chargeback': [
    ['create', 'Enter charge-backs'],
    ['list', 'List charge-backs'],
    ['read', 'Read a charge-back'],
    ['update', 'Decide charge-backs'],
  ],
  user: [
    ['create', 'Create users'],
    ['delete', 'Deactivate users'],
    ['list', 'List users'],
    ['read', 'Read a user'],
    ['update', 'Change users'],
    ['update.password', 'Set passwords of others'],
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
    ['update', 'Change webhooks and deliver again'],
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
