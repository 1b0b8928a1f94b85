import { test } from 'tap';
import { idOf, listOf, openHttpLender } from '../http-lender.js';

test('an interaction has notes, which are among all of its borrower', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const otherId = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  const interactionId = idOf(await ask('POST', `/people/${personId}/interactions`, { channel: 'voice', externalId: 'call-1' }));
  const another = idOf(await ask('POST', `/people/${personId}/interactions`, { channel: 'text' }));
  const path = `/people/${personId}/interactions/${interactionId}/notes`;
  const made = await ask('POST', path, { content: 'sounded tired' });
  t.match(made, { status: 200, json: { data: { object: 'note', interactionId, caseId: null, personId, content: 'sounded tired' } } });
  const noteId = idOf(made);
  await ask('POST', `/people/${personId}/notes`, { content: 'prefers mail' });
  t.match(listOf(await ask('GET', `/people/${personId}/interactions/ext-call-1/notes`)), [{ id: noteId }]);
  t.strictSame(listOf(await ask('GET', `/people/${personId}/interactions/${another}/notes`)), []);
  t.match(listOf(await ask('GET', `/people/${personId}/notes?objectType=interaction`)), [{ id: noteId }]);
  t.match(await ask('GET', `${path}/${noteId}`), { json: { data: { content: 'sounded tired' } } });
  t.match(await ask('PUT', `${path}/${noteId}`, { pinned: true }), { json: { data: { pinned: true } } });
  t.match(await ask('GET', `/people/${personId}/interactions/${another}/notes/${noteId}`), { status: 404 }, 'it is of the other');
  t.match(await ask('GET', `/people/${otherId}/interactions/${interactionId}/notes`), { status: 404 });
  t.match(await ask('POST', `/people/${otherId}/interactions/${interactionId}/notes`, { content: 'x' }), { status: 404 });
  t.match(await ask('POST', path, { content: 'call again', taskableInstruction: true }), { status: 200 });
  t.match(await ask('POST', path, { content: 'and again', taskableInstruction: true }), { status: 200 }, 'the open task does for both');
  t.match(listOf(await ask('GET', `/companies/${company}/tasks?personId=${personId}`)), [
    { taskType: 'reviewCaseInstructions', interactionId },
  ]);
});
