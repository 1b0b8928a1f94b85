import { randomInt } from 'node:crypto';
import typia from 'typia';
import {
  type CodeSentView,
  contactFaults,
  type ContactCreateBody,
  type ContactListQuery,
  type ContactUpdateBody,
  type ContactView,
  type ContactWriteQuery,
  type NumberCheckBody,
  type NumberImportBody,
  type NumberImportView,
  phoneNumber,
  Refusal,
  WRONG_CODE,
} from '../../../actors/index.js';
import type { CodeSender } from '../../auth/accounts.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

const TAGS = ['Contacts'];
const contactReply = typia.json.schemas<[ContactView], '3.1'>();
const writeQuery = {
  validate: typia.misc.createValidatePrune<ContactWriteQuery>(),
  schemas: typia.json.schemas<[ContactWriteQuery], '3.1'>(),
};
const updateBody = {
  validate: typia.misc.createValidatePrune<ContactUpdateBody>(),
  schemas: typia.json.schemas<[ContactUpdateBody], '3.1'>(),
};

/** Contacts of a borrower. */
export const contactRoutes = (codes: CodeSender): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/contacts',
    operation: 'createContact',
    summary: 'Create a contact',
    tags: TAGS,
    permission: 'contact:create',
    query: writeQuery,
    body: { validate: typia.misc.createValidatePrune<ContactCreateBody>(), schemas: typia.json.schemas<[ContactCreateBody], '3.1'>() },
    faultsOf: contactFaults,
    reply: contactReply,
    handle: async (call) => withRightCode(await call.command('contact.create', call.params.personId)),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/contacts',
    operation: 'listContacts',
    summary: 'List contacts',
    tags: TAGS,
    permission: 'contact:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ContactListQuery>(), schemas: typia.json.schemas<[ContactListQuery], '3.1'>() },
    reply: typia.json.schemas<[ContactView[]], '3.1'>(),
    handle: (call) => call.read('contact.list', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/contacts/{contactId}',
    operation: 'getContact',
    summary: 'Get a contact',
    tags: TAGS,
    permission: 'contact:read',
    reply: contactReply,
    handle: (call) => call.read('contact.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/contacts/{contactId}',
    operation: 'updateContact',
    summary: 'Update a contact',
    tags: TAGS,
    permission: 'contact:update',
    query: writeQuery,
    body: updateBody,
    reply: contactReply,
    handle: async (call) => withRightCode(await call.command('contact.update', call.params.personId)),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}/contacts/{contactId}',
    operation: 'deleteContact',
    summary: 'Delete a contact permanently',
    tags: TAGS,
    permission: 'contact:delete',
    handle: (call) => call.command('contact.delete', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/contacts/{contactId}/clone',
    operation: 'cloneContact',
    summary: 'Replace a contact with a changed copy',
    tags: TAGS,
    permission: 'contact:update',
    query: writeQuery,
    body: updateBody,
    reply: contactReply,
    handle: async (call) => withRightCode(await call.command('contact.clone', call.params.personId)),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/contacts/{contactId}/confirmation-codes',
    operation: 'sendConfirmationCode',
    summary: 'Send a confirmation code by e-mail or text',
    description: 'Send the code as `confirmationCode` of a write to confirm the contact. It is valid for 15 minutes and five attempts.',
    tags: TAGS,
    permission: 'contact:update',
    reply: typia.json.schemas<[CodeSentView], '3.1'>(),
    handle: (call) => sendCode(call, codes),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/contacts/{contactId}/number-checks',
    operation: 'checkContactNumber',
    summary: 'Record what a list says of a telephone number',
    description:
      'The national do-not-call registry, the list of the company, or numbers that were reassigned; the newest of each list counts.',
    tags: TAGS,
    permission: 'contact:update',
    body: { validate: typia.misc.createValidatePrune<NumberCheckBody>(), schemas: typia.json.schemas<[NumberCheckBody], '3.1'>() },
    reply: contactReply,
    handle: (call) => call.command('contact.checkNumber', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/number-checks',
    operation: 'importNumberChecks',
    summary: 'Record what a list says of many telephone numbers',
    description: 'Each number is looked for among the contacts of all borrowers. Nothing is kept of a number that nobody has.',
    tags: TAGS,
    permission: 'contact:update',
    body: { validate: typia.misc.createValidatePrune<NumberImportBody>(), schemas: typia.json.schemas<[NumberImportBody], '3.1'>() },
    reply: typia.json.schemas<[NumberImportView], '3.1'>(),
    handle: importChecks,
  }),
];

/** Number by number: a retry of the request finds those that are done. */
async function importChecks(call: Call<object, unknown, NumberImportBody>): Promise<Reply> {
  const { list, checkedOn, numbers } = call.body;
  const phones = numbers.map(({ number }, index) => phoneNumber(number, `numbers[${index}].number`));
  let [matched, unmatched] = [0, 0];
  for (const [index, { isListed }] of numbers.entries()) {
    const { data } = await call.read('person.senders', null, { query: { phone: phones[index] } });
    const { items } = data;
    for (const { personId, contactId } of items)
      await call.command('contact.checkNumber', personId, { body: { contactId, list, isListed, checkedOn }, step: `check ${contactId}` });
    matched += items.length;
    unmatched += items.length === 0 ? 1 : 0;
  }
  return { status: 200, data: { list, checkedOn, matched, unmatched } };
}

const CODE_DIGITS = 6;

/** Records a code before it is sent, so that every code that arrives is valid. */
async function sendCode(call: Call<{ readonly personId: string; readonly contactId: string }>, codes: CodeSender): Promise<Reply> {
  const { company, mode } = call.caller;
  if (!codes.sends(mode)) throw new Refusal('businessValidation', `Codes cannot be sent in ${mode} mode: no sending service is connected.`);
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const made = await call.command('contact.makeCode', call.params.personId, { body: { code } });
  if (made.replayed) return made;
  const { contactType, value } = (await call.read('contact.get', call.params.personId, { query: undefined })).data;
  if (value === null) throw new Refusal('invalidState', 'The contact was changed during this request. Send the code again.');
  await codes.send({
    company,
    mode,
    channel: contactType === 'email' ? 'email' : 'text',
    destination: value,
    purpose: 'contactConfirmation',
    code,
  });
  return made;
}

/** The command counts a wrong code, and so succeeds; the caller gets a refusal. */
function withRightCode(reply: Reply): Reply {
  if (reply.status === WRONG_CODE) throw new Refusal('confirmationCodeInvalid', '`confirmationCode` is wrong or has expired.');
  return reply;
}
