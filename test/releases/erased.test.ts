import { join } from 'node:path';
import { test } from 'tap';
import { tenorHere } from '../bench/tenor-here.js';
import { namedBy, namedIn } from '../moves/traces.js';
import { Service } from '../service/service.js';
import { kept, RELEASES, releaseOf } from './kept.js';
import { BORROWERS, CLEAR, LOANS, TRACES } from './traces-of-kept.js';

/*
 * The present code erases a borrower of an earlier release. Facts and events never change, and an export is a copy of them: text that the
 * earlier release recorded unencrypted stays there. It is in no answer and no snapshot.
 */

for (const name of RELEASES) {
  test(`borrowers of ${name} are erased: what remains of them, and where`, async (t) => {
    const data = kept(t, name, 'data.tar.br');
    const { key, answers } = releaseOf(name);
    const headers = { authorization: `Bearer ${key}` };
    const [company] = (answers['/companies'] as { readonly data: readonly { readonly id: string }[] }).data;
    let service = await Service.start(data);
    const ask = (method: string, path: string, body?: object): ReturnType<Service['ask']> => service.ask(method, path, body, headers);
    const idOf = async (path: string): Promise<string> => ((await ask('GET', path)).json['data'] as { readonly id: string }).id;
    const persons = await Promise.all(BORROWERS.map((each) => idOf(`/people/ext-${each}`)));
    const changed = { metaData: { hint: 'asks for large print' } };
    t.match(await ask('PUT', '/people/ext-b-2', changed), { status: 200 });
    t.match(await ask('PUT', '/people/ext-b-2/loans/ext-l-2', { nickname: 'the roof of Tom' }), { status: 200 });
    for (const [person, loan] of LOANS)
      t.match(await ask('POST', `/people/ext-${person}/loans/ext-${loan}/cancel?force=true`, {}), { status: 200 });
    t.equal(await service.stop(), 0);

    for (const person of persons) {
      const { code, error } = await tenorHere({}, 'erase', person, '--company', company?.id ?? '', '--data', data);
      t.equal(code, 0, error);
    }
    t.match(await tenorHere({}, 'verify', '--data', data), { code: 0 }, 'is sound');

    service = await Service.start(data);
    const paths = [
      ...['/people?limit=100', '/loans?limit=100', '/transactions?limit=100', '/cases?limit=100', '/events?limit=100', '/interactions'],
      ...persons.flatMap((person) => [`/people/${person}`, `/people/${person}/loans`, `/events?personId=${person}&limit=100`]),
      ...BORROWERS.map((each) => `/people/ext-${each}/loans`),
    ];
    for (const path of paths) {
      const text = JSON.stringify((await ask('GET', path)).json['data'] ?? null);
      t.same(namedBy(TRACES, [text]), [], path);
    }
    t.equal(await service.stop(), 0);

    const exported = join(data, '..', 'exported');
    t.match(await tenorHere({}, 'export', exported, '--keys', join(data, '..', 'keys'), '--data', data), { code: 0 });
    t.same(namedIn(TRACES, join(data, 'snapshots')), [], 'snapshots have nothing');
    for (const folder of [join(data, 'journal'), exported]) {
      const left = new Set(namedIn(TRACES, folder).map((found) => found.replace(/ in .*/, '')));
      t.strictSame([...left].sort(), [...CLEAR].sort(), 'in journal and export all stays that was recorded in clear, and nothing else');
    }
  });
}
