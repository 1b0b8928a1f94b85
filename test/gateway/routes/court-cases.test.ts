import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { ask as askAt } from '../harness.js';
import { idOf, listOf, openHttpLender, servePortfolio } from './http-lender.js';

test('a search finds borrowers by the number that a court has given to their bankruptcy', async (t) => {
  const { ask, h, keys } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const bob = idOf(await ask('POST', '/people', { name: { firstName: 'Bob', lastName: 'Quimby' } }));
  const caseOf = async (personId: string, body: object): Promise<string> => idOf(await ask('POST', `/people/${personId}/cases`, body));
  const annsCase = await caseOf(ann, { caseType: 'bankruptcy', courtCaseNumber: '24-10234-ABC' });
  await caseOf(bob, { caseType: 'bankruptcy', courtCaseNumber: '24-10235' });
  await caseOf(bob, { caseType: 'legalAction', courtCaseNumber: '24-77777' });
  const find = async (query: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/people/search?${query}`)).map(({ id }) => id);

  t.same(await find('bankruptcyCourtCase=24-10234-abc'), [ann]);
  t.same(await find('bankruptcyCourtCase=10235'), [bob], 'a part of it');
  t.same(await find('bankruptcyCourtCase=24-10236'), [], 'another number, however like');
  t.same([...(await find('bankruptcyCourtCase=24-1023'))].sort(), [ann, bob].sort(), 'what it begins with');
  t.same(await find('bankruptcyCourtCase=24-77777'), [], 'of a bankruptcy alone');
  t.same(await find('bankruptcyCourtCase=24-1023&firstName=bob'), [bob], 'parameters combine with AND');
  t.same(await find('bankruptcyCourtCase=!'), []);

  t.match(await ask('PUT', `/people/${ann}/cases/${annsCase}`, { courtCaseNumber: '25-555' }), { status: 200 });
  t.same(await find('bankruptcyCourtCase=24-10234'), []);
  t.same(await find('bankruptcyCourtCase=25-555'), [ann], 'a change is followed');
  if (!h.cluster) {
    await h.restart();
    const { gateway } = await servePortfolio(t, h);
    const answer = await askAt(gateway.port, '/api/people/search?bankruptcyCourtCase=25-555', { key: keys.test });
    t.same(
      listOf(answer).map(({ id }) => id),
      [ann],
      'and is there after a restart',
    );
    return;
  }
  await ask('DELETE', `/people/${ann}/cases/${annsCase}`);
  t.same(await find('bankruptcyCourtCase=25-555'), []);
});
