/*
 * Descriptions that no type carries: of tags, and of path and query parameters. A parameter without a row of its own is described by the
 * pattern of its name.
 */

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'ACH files': 'Files that a processor takes to its bank and gets from it, with their transactions.',
  'API keys': 'Keys of programs. A key acts with the permissions of its user.',
  Auth: 'Signing in, sessions and passwords.',
  Autopay: 'Automatic payments of a loan.',
  Borrowers: 'People and businesses that owe, with their names.',
  Campaigns: 'Queries whose rows become messages or files of contacts, with the outcome of each row.',
  'Card issuers': 'Platforms that issue the cards of loans.',
  Cards: 'Cards of loans and lines of credit.',
  'Case documents': 'Documents that belong to a case.',
  'Case escalations': 'Requests that a supervisor reviews a case.',
  'Case notifications': 'Messages that are sent when a condition of a case is met.',
  'Case snoozes': 'Cases that are paused until a moment.',
  'Case types': 'Kinds of cases of a company: fields, owners, conditions.',
  Cases: 'Work about a borrower or loans: collections, disputes, bankruptcies and more.',
  Chargebacks: 'Payments that a bank has reversed.',
  'Collection agencies': 'Agencies that collect charged-off loans, and which loan is with which.',
  Communicator: 'Templates, sending, delivery, and the senders of a company.',
  Companies: 'The lender itself: settings, calendar, addresses.',
  Compliance: 'The check of each contact, its rules and its log.',
  Consents: 'What a borrower has agreed to.',
  Contacts: 'Addresses, phone numbers and mail addresses of a borrower.',
  'Credit reporting': 'What credit agencies get about loans: statuses, monthly files, and the fields of the next one.',
  'Do Not Interact': 'Blocks that cases set on contacting a borrower.',
  Documents: 'Files of a borrower.',
  Draws: 'Draws of a line of credit.',
  Employees: 'Employees of the lender.',
  Events: 'Events in order: pages and streams.',
  'Fee types': 'Kinds of fees of a loan type.',
  'General ledger': 'The books of all loans: accounts, sealed days with their entries, files, reports and months.',
  Identities: 'Tax ids and other numbers of a borrower, sealed.',
  'Index rates': 'Values of the indexes that variable rates follow.',
  Interactions: 'Calls, messages and letters to and from a borrower, over every channel.',
  Investors: 'Investors of loans.',
  'Legal representatives': 'People who represent a borrower.',
  'Loan actions': 'Activation, freeze, acceleration, charge-off and other moves of a loan.',
  'Loan advances': 'Money that a loan pays out in parts.',
  'Loan fees': 'Fees of a loan.',
  'Loan investors': 'Who owns a loan, by share and day, and changes of owners.',
  'Loan labels': 'Labels that a company gives to loans.',
  'Loan ledger': 'Balances, obligations and history of a loan.',
  'Loan migration': 'History of a loan that another system has serviced.',
  'Loan payouts': 'Money of a loan that has left for the bank: when the bank has paid it, and what came back.',
  'Loan rates': 'Interest rates and caps of a loan.',
  'Loan refunds': 'Money that is paid back on a loan.',
  'Loan schedule': 'Expected payments, due dates and changes of them.',
  'Loan tapes': 'Files about all loans on a day, by the columns and filters of their type.',
  'Loan terms': 'Terms in force: obligations, periods, modifications.',
  'Loan types': 'Products of a lender, with versions of their settings.',
  Loans: 'Installment loans and lines of credit.',
  Merchants: 'Sellers of what borrowers buy.',
  Monitoring: 'Reports of outside sources about a borrower.',
  Notes: 'Notes on cases, borrowers and loans.',
  Operations: 'Work that takes longer than a request.',
  'Payment instruments': 'Bank accounts, cards and checks.',
  'Payment plans': 'Plans that replace the expected payments of a loan for a while.',
  'Payment processors': 'Banks by which a lender moves money, and the accounts of the lender there.',
  'People on loans': 'Co-borrowers and others beside the main borrower.',
  Permissions: 'Permissions that roles can grant.',
  'Promise-to-pay plans': 'Payments that a borrower has promised.',
  'Promo programs': 'Promotions of a loan or draw.',
  'Promo types': 'Kinds of promotions of a loan type.',
  'Purchase disputes': 'Purchases that a borrower disputes.',
  Purchases: 'Purchases on a draw.',
  Reconciliation: 'Daily comparisons of what was sent to a bank and what it has answered.',
  'Repayment engine': 'Reminders of payments by loan type, with a preview of the borrowers of a day.',
  Reports: 'Ready-made reports, and questions in SQL over the views of a company.',
  Roles: 'Sets of permissions.',
  'Scheduled calls': 'Calls that are planned in a case.',
  'Settlement instruments': 'Bank accounts of investors.',
  Settlements: 'What is paid over to investors for a period, with its file.',
  Statements: 'Statements of loans and draws, with their versions.',
  Supercases: 'Groups of cases that are handled together.',
  Tasks: 'Work for employees, with queues.',
  Teams: 'Groups of employees.',
  Templates: 'Texts of messages, with versions.',
  'Test clocks': 'The clock of the test mode, which callers advance.',
  Transactions: 'Payments, service credits and reversals.',
  Users: 'Users who can sign in.',
  Utilities: 'Calculations without a loan, and look-ups of banks and cards.',
  'Verification types': 'Kinds of questions with which an agent verifies a caller.',
  Verifications: 'Verifications of a borrower.',
  Webhooks: 'Addresses to which events are sent, and deliveries.',
  Workflows: 'Steps of work that tasks follow.',
};

/** Query parameters by name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  limit: 'The number of objects on a page.',
  startingAfter: 'The id of the object after which the page begins.',
  endingBefore: 'The id of the object before which the page ends.',
  sortBy: 'The order. A minus sign before a name reverses it.',
  order: '`asc`: oldest first. `desc`: newest first.',
  sync: 'Waits until the work is done, for at most 20 seconds. Work on one ledger is always done within the request.',
  previewMode: 'Computes and returns the result, and records nothing.',
  sendNotice: 'Whether a notice is sent to the borrower.',
  force: 'Carries out the request despite a warning.',
  dryRun: 'Computes and compares, and records nothing.',
  validate: 'Only checks the request.',
  fast: 'Omits properties that take long to compute.',
  fields: 'Names of the properties to return.',
  hydrate: 'Adds the related object as its own request returns it.',
  isRounded: 'Amounts rounded to cents, instead of text with ten decimals.',
  skipYtd: 'Omits the sums of the year.',
  apiName: 'Name of the kind of fee in the interface.',
  confirmationCode: 'The code that was sent to the contact.',
  payoffDate: 'The day on which the loan is to be paid off.',
  effectiveDate: 'The day for which the answer is computed.',
  toEffectiveDate: 'Only facts effective on or before this day.',
  fromEffectiveDate: 'Only facts effective on or after this day.',
  recordedAsOf: 'Only what was recorded at or before this moment.',
  _hasTheWords: 'Only objects that contain all of these words.',
  _notTheWords: 'Only objects that contain none of these words.',
  _forceIndex: 'The index that the search uses.',
};

/** The description of a query parameter. */
export function parameterDescription(name: string): string {
  const known = PARAMETERS[name];
  if (known !== undefined) return known;
  const moment = /^(.+?)(?:At)?(After|Before)$/.exec(name);
  if (moment) return `Only objects ${phraseOf(moment[1] ?? '')} ${moment[2] === 'After' ? 'after' : 'before'} this moment.`;
  const bound = /^(from|to)(.*)$/.exec(name);
  if (bound && /^(?:$|[A-Z])/.test(bound[2] ?? '')) return `Only objects ${bound[1] === 'from' ? 'on or after' : 'on or before'} it.`;
  if (/^(?:is|has|auto|receive|missed|sensitive|enabled)(?:[A-Z]|Call|created|generated|$)/.test(name)) {
    return `Only objects for which this is true, or false: ${phraseOf(name)}.`;
  }
  const included = /^include(.+)$/.exec(name);
  if (included) return `Adds ${phraseOf(included[1] ?? '')}.`;
  return `Only objects with this ${phraseOf(name)}.`;
}

/** The description of a path parameter. */
export function pathParameterDescription(name: string, isText: boolean): string {
  const what = phraseOf(name.replace(/Id$/, ''));
  return isText ? `The ${what}.` : `The ${what === 'id' ? 'object' : what}: its id, or \`ext-\` and its external id.`;
}

/** `owningEmployeeId`: owning employee id. */
export const phraseOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const CHAPTERS = 'base|loans|loan-terms|money|people|cases|communications|platform|parties|books|servicing-behaviour|README';

/**
 * The documentation of a type without the parts for readers of the source: citations of chapters, names of files.
 */
export function publicText(text: string): string {
  return text
    .replace(new RegExp(`\\s*\\((?:${CHAPTERS})(?:\\.md)?(?:,? (?:\\d[\\d.]*|"[^"]*"|[A-Z][A-Za-z ]*|and|to))*(?:[;,][^)]*)?\\)`, 'g'), '')
    .replace(/\s*\((?:the contract's )?settled point \d+\)/g, '')
    .replace(/[^.]*`[a-z-]+\.ts`[^.]*\./g, '')
    .trim();
}
