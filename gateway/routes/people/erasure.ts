import type { ContentStore } from '../../documents/content-store.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

/** The erasure of a borrower on the running service, of one process or of a cluster. */
export const erasureRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/erase',
    operation: 'erasePerson',
    summary: "Erase a borrower's personal data for good",
    description:
      'Destroys the data key of the borrower, and deletes documents, waiting messages and letters. Nobody can undo it. Loans that are ' +
      'serviced must end first (409). The accounts stay, with ids and amounts. After an interruption, send it again with the service id.',
    tags: ['Borrowers'],
    permission: 'person.erasure:create',
    success: 204,
    handle: (call) => erase(call, contents),
  }),
];

/** The key first, then what lies outside of the journal: a second call continues where an interrupted one ended. */
async function erase(call: Call<{ readonly personId: string }>, contents: ContentStore): Promise<Reply> {
  const { data: person } = await call.read('person.erasure', null, { query: {} });
  if (!person.isErased) await call.command('person.erase', person.id, { body: {} });
  for (const contentId of person.contentIds) await contents.drop(contentId);
  await call.command('delivery.forget', call.caller.company, { body: { personId: person.id }, step: 'forget' });
  return { data: undefined };
}
