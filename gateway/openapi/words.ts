/*
 * Words of the document that no type carries: what each tag is about, and what path and query parameters mean. A parameter without a row of
 * its own is described by the rule that its name follows.
 */

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'API keys': 'Keys of programs. A key acts with the permissions of its user.',
  Auth: 'Signing in, sessions and passwords.',
  Autopay: 'Standing orders to pay a loan.',
  Borrowers: 'People and businesses that owe, with their names.',
  'Case documents': 'Documents that belong to a case.',
  'Case escalations': 'Cases that somebody higher up shall look at.',
  'Case notifications': 'Messages that conditions of a case send.',
  'Case snoozes': 'Cases that rest until a moment.',
  'Case types': 'Kinds of cases of a company: fields, owners, conditions.',
  Cases: 'Work about a borrower or loans: collections, disputes, bankruptcies and more.',
  Chargebacks: 'Payments that a bank takes back.',
  Communicator: 'Templates, sending, delivery, and the senders of a company.',
  Companies: 'The lender itself: settings, calendar, addresses.',
  Compliance: 'The guard that each contact passes, its rules and its log.',
  Consents: 'What a borrower has agreed to.',
  Contacts: 'Addresses, phone numbers and mail addresses of a borrower.',
  'Do Not Interact': 'Blocks of contacts that cases set.',
  Documents: 'Files of a borrower.',
  Draws: 'What is drawn of a line of credit.',
  Employees: 'Who works for the lender.',
  Events: 'What has happened, in order: pages and streams.',
  'Fee types': 'Kinds of fees of a loan type.',
  Identities: 'Tax ids and other numbers of a borrower, sealed.',
  'Index rates': 'Values of the indexes that variable rates follow.',
  Interactions: 'What was said to and by a borrower, over every channel.',
  'Legal representatives': 'Who speaks for a borrower.',
  'Loan actions': 'Activation, freeze, acceleration, charge-off and other moves of a loan.',
  'Loan advances': 'Money that a loan pays out in parts.',
  'Loan fees': 'Fees of a loan.',
  'Loan labels': 'Words that a company sticks on loans.',
  'Loan ledger': 'Balances, obligations and history of a loan.',
  'Loan migration': 'History of a loan that another system has served.',
  'Loan rates': 'Interest rates and caps of a loan.',
  'Loan refunds': 'Money given back on a loan.',
  'Loan schedule': 'Expected payments, due dates and changes of them.',
  'Loan terms': 'Terms in force: obligations, periods, modifications.',
  'Loan types': 'Products of a lender, with versions of their settings.',
  Loans: 'Installment loans and lines of credit.',
  Monitoring: 'What sources outside report of a borrower.',
  Notes: 'Notes on cases, borrowers and loans.',
  Operations: 'Work that takes longer than a request.',
  'Payment instruments': 'Bank accounts, cards and checks.',
  'Payment plans': 'Plans that replace the expected payments of a loan for a while.',
  'People on loans': 'Co-borrowers and others beside the main borrower.',
  Permissions: 'What roles can allow.',
  'Promise-to-pay plans': 'What a borrower has promised to pay.',
  'Promo programs': 'Promotions of a loan or draw.',
  'Promo types': 'Kinds of promotions of a loan type.',
  'Purchase disputes': 'Purchases that a borrower disputes.',
  Purchases: 'Purchases on a draw.',
  Roles: 'Sets of permissions.',
  'Scheduled calls': 'Calls that are planned for a case.',
  Statements: 'Statements of loans and draws, with their versions.',
  Supercases: 'Many cases treated as one.',
  Tasks: 'Work for employees, with queues.',
  Teams: 'Groups of employees.',
  Templates: 'Texts of messages, with versions.',
  'Test clocks': 'Time of the test mode, moved by hand.',
  Transactions: 'Payments, service credits and reversals.',
  Users: 'Who can sign in.',
  Utilities: 'Computations without a loan, and look-ups of banks.',
  'Verification types': 'Kinds of questions with which an agent verifies a caller.',
  Verifications: 'Verifications of a borrower.',
  Webhooks: 'Addresses that events are sent to, and deliveries.',
  Workflows: 'Steps that a task leads through.',
};

/** Of a query, by name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  limit: 'How many of a page.',
  startingAfter: 'The id behind which the page begins.',
  endingBefore: 'The id before which the page ends.',
  sortBy: 'The order; a minus sign before a name turns it round.',
  order: '`asc`: oldest first; `desc`: newest first.',
  sync: 'Waits for the work to end, for 20 seconds at most. Work on one ledger is done within the request either way.',
  previewMode: 'Computes and answers all the same, and records nothing.',
  sendNotice: 'Whether the borrower is told.',
  force: 'Does it in spite of a warning.',
  dryRun: 'Computes and compares; nothing is recorded.',
  validate: 'Checks alone.',
  fast: 'Leaves out what takes long to compute.',
  fields: 'Names of the properties that the reply has.',
  hydrate: 'Adds the related object as its own request answers it.',
  isRounded: 'Amounts in cents instead of text with ten decimals.',
  skipYtd: 'Leaves sums of the year out.',
  apiName: 'Name of the kind of fee in the interface.',
  confirmationCode: 'The code that was sent to the contact.',
  payoffDate: 'The day on which the loan is to be paid off.',
  effectiveDate: 'The day as of which the answer holds.',
  toEffectiveDate: 'Facts effective until this day count.',
  fromEffectiveDate: 'Facts effective from this day on count.',
  recordedAsOf: 'What was known at this moment.',
  _hasTheWords: 'Only those in which all of these words are found.',
  _notTheWords: 'Only those in which none of these words is found.',
  _forceIndex: 'The index that the search uses.',
};

/** What a query parameter means. */
export function parameterWords(name: string): string {
  const known = PARAMETERS[name];
  if (known !== undefined) return known;
  const moment = /^(.+?)(?:At)?(After|Before)$/.exec(name);
  if (moment) return `Only those ${wordsOf(moment[1] ?? '')} ${moment[2] === 'After' ? 'after' : 'before'} this moment.`;
  const bound = /^(from|to)(.*)$/.exec(name);
  if (bound && /^(?:$|[A-Z])/.test(bound[2] ?? '')) return `Only what lies ${bound[1] === 'from' ? 'on or after' : 'on or before'} it.`;
  if (/^(?:is|has|auto|receive|missed|sensitive|enabled)(?:[A-Z]|Call|created|generated|$)/.test(name)) {
    return `Only those of which this is so (true), or not so (false): ${wordsOf(name)}.`;
  }
  const included = /^include(.+)$/.exec(name);
  if (included) return `Adds ${wordsOf(included[1] ?? '')}.`;
  return `Only those with this ${wordsOf(name)}.`;
}

/** What a path parameter names. */
export function pathParameterWords(name: string, isText: boolean): string {
  const what = wordsOf(name.replace(/Id$/, ''));
  return isText ? `The ${what}.` : `The ${what === 'id' ? 'object' : what}: its id, or \`ext-\` and its external id.`;
}

/** `owningEmployeeId`: owning employee id. */
export const wordsOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const CHAPTERS = 'base|loans|loan-terms|money|people|cases|communications|platform|parties|servicing-behaviour|README';

/**
 * A text of a type's documentation without what only its source needs: citations of chapters, names of files.
 * `A plan as replies show it.` becomes `A plan as replies show it.`
 */
export function publicText(text: string): string {
  return text
    .replace(new RegExp(`\\s*\\((?:${CHAPTERS})(?:\\.md)?(?:,? (?:\\d[\\d.]*|"[^"]*"|[A-Z][A-Za-z ]*|and|to))*(?:[;,][^)]*)?\\)`, 'g'), '')
    .replace(/\s*\((?:the contract's )?settled point \d+\)/g, '')
    .replace(/[^.]*`[a-z-]+\.ts`[^.]*\./g, '')
    .trim();
}
