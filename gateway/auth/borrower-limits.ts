import { fieldOf, fieldsOf } from '../../engine/index.js';
import { type PortalSession, Refusal } from '../../actors/index.js';
import { CallContext } from '../call-context.js';
import type { Route } from '../routing/route.js';

/** The permissions of a borrower, which hold only below its own path. */
export const BORROWER_PERMISSIONS: ReadonlySet<string> = new Set([
  'person:read',
  'contact:list',
  'contact:read',
  'contact:create',
  'contact:update',
  'contact:delete',
  'consent:read',
  'consent:update',
  'document:list',
  'document:read',
  'document:create',
  'interaction:read',
  'loan:list',
  'loan:read',
  'loan.balance:read',
  'loan.collection.agency:read',
  'loan.payoff:read',
  'statement:list',
  'statement:read',
  'transaction:list',
  'transaction:read',
  'transaction:create',
  'transaction:create.onetimepayment',
]);

/** Operations that need a credential but no permission: those about the session itself, and payments. */
const OF_ANY_CREDENTIAL: ReadonlySet<string> = new Set([
  'refreshToken',
  'signOut',
  'createShortLivedToken',
  'changePassword',
  'listOwnPermissions',
]);
const PAYMENTS: ReadonlySet<string> = new Set(['createTransaction', 'previewTransaction']);

/** The fields of a borrower's payment. Money that has already come in is recorded by agents alone. */
const OF_PAYMENTS: ReadonlySet<string> = new Set(['type', 'amount', 'paymentInstrumentId', 'scheduledDate', 'previewMode']);
/** A borrower's own contacts, not those of relatives that an agent has noted. */
const OWN_CONTACT = 'self';
/** What a borrower itself says of a contact. That it is verified, valid or disconnected follows from codes, carriers and agents. */
const OF_CONTACTS: ReadonlySet<string> = new Set([
  'contactType',
  'label',
  'affiliation',
  'status',
  'value',
  'address',
  'name',
  'receiveTextMessages',
]);
/** What lists say of a number is recorded by agents alone. */
const OF_AGENTS = 'checkContactNumber';

/** A borrower has access only to the documents that it has uploaded itself. */
const DOCUMENT = /^document:/;
const LISTS_OF_DOCUMENTS: ReadonlySet<string> = new Set(['listDocuments', 'listLoanDocuments']);
const ONE_DOCUMENT: ReadonlySet<string> = new Set(['getDocument', 'uploadDocument', 'downloadDocument']);
const OF_DESCRIPTIONS: ReadonlySet<string> = new Set(['type', 'description', 'fileName', 'loanId', 'caseId']);

const OWN_PATH = /^\/people\/\{personId\}(\/|$)/;

/** The call within what a borrower may do; refused otherwise. Objects of other people are answered with `notFound`. */
export async function withinOwn(route: Route, call: CallContext, borrower: PortalSession): Promise<CallContext> {
  const { operation, path, permission } = route;
  if (permission === null && OF_ANY_CREDENTIAL.has(operation)) return call;
  if (permission === 'optional' || permission === 'public') return call;
  if (!OWN_PATH.test(path) || (permission === null && !PAYMENTS.has(operation)))
    throw new Refusal('permissionDenied', 'A borrower has no access to this operation.', { extra: { permission } });
  const { personId = '' } = call.params;
  const isOwn = personId === borrower.personId || (borrower.personExternalId !== null && personId === `ext-${borrower.personExternalId}`);
  if (!isOwn) throw new Refusal('notFound', `There is no person ${personId}.`);
  if (PAYMENTS.has(operation)) assertPlainPayment(call.body);
  if (permission !== null && DOCUMENT.test(permission)) return ofOwnUploads(operation, call);
  return path.includes('/contacts') ? ofOwnContacts(operation, call) : call;
}

function assertPlainPayment(body: unknown): void {
  const fields = fieldsOf(body);
  const { type = 'oneTime' } = fields;
  const beyond = Object.keys(fields).find((name) => !OF_PAYMENTS.has(name));
  if (beyond !== undefined || type !== 'oneTime')
    throw new Refusal('permissionDenied', refusedPayment(beyond, String(type)), {
      extra: { permission: 'transaction:create' },
    });
}

const refusedPayment = (field: string | undefined, type: string): string =>
  field === undefined
    ? `A borrower cannot create a payment of type ${type}. Allowed: oneTime.`
    : `\`${field}\` cannot be set on a payment of a borrower. Allowed: ${[...OF_PAYMENTS].join(', ')}.`;

async function ofOwnContacts(operation: string, call: CallContext): Promise<CallContext> {
  if (operation === OF_AGENTS)
    throw new Refusal('permissionDenied', 'A borrower has no access to this operation.', { extra: { permission: 'contact:update' } });
  const { contactId } = call.params;
  if (contactId !== undefined) {
    const { data } = await call.read('contact.get', call.params['personId'] ?? null);
    if (fieldOf(data, 'affiliation') !== OWN_CONTACT) throw new Refusal('notFound', `There is no contact ${contactId}.`);
  }
  const { affiliation = OWN_CONTACT } = fieldsOf(call.body);
  if (affiliation !== OWN_CONTACT)
    throw new Refusal('permissionDenied', 'A borrower can change only its own contacts: `affiliation` must be self.', {
      extra: { permission: 'contact:update' },
    });
  refuseBeyond(call.body, OF_CONTACTS, 'a contact', 'contact:update');
  return contactId === undefined && call.body === undefined
    ? call.with({ query: { ...fieldsOf(call.query), affiliation: OWN_CONTACT, includeLegal: false } })
    : call;
}

/** Refuses a body with a field that a borrower cannot set. */
function refuseBeyond(body: unknown, allowed: ReadonlySet<string>, what: string, permission: string): void {
  const beyond = Object.keys(fieldsOf(body)).find((name) => !allowed.has(name));
  if (beyond === undefined) return;
  throw new Refusal('permissionDenied', `\`${beyond}\` cannot be set on ${what} of a borrower. Allowed: ${[...allowed].join(', ')}.`, {
    extra: { permission },
  });
}

/** Narrows the call to documents that the borrower has described and uploaded itself; others are answered with `notFound`. */
async function ofOwnUploads(operation: string, call: CallContext): Promise<CallContext> {
  if (LISTS_OF_DOCUMENTS.has(operation)) return call.with({ query: { ...fieldsOf(call.query), uploadedBy: 'borrower' } });
  if (operation === 'createDocument') {
    refuseBeyond(call.body, OF_DESCRIPTIONS, 'a document', 'document:create');
    return call;
  }
  if (!ONE_DOCUMENT.has(operation))
    throw new Refusal('permissionDenied', 'A borrower has no access to this operation.', { extra: { permission: 'document:list' } });
  const { data } = await call.read('document.get', call.params['personId'] ?? null, { query: undefined });
  const { isHumanBorrowerUpload, contentId, createdBy } = data;
  const isOwn = isHumanBorrowerUpload || (contentId === null && createdBy.id === call.caller.userId);
  if (!isOwn) throw new Refusal('notFound', `There is no document ${call.params['documentId'] ?? ''}.`);
  return call;
}
