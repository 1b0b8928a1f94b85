import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { tenor as run } from '../bench/tenor.js';
import { Service } from '../service/service.js';
import { scratchFolder } from '../temp-folder.js';
import { ENVIRONMENT, exportFolder } from './moving.js';

/** Every personal value that is written, in a form that no other text has. */
const VALUES = {
  firstName: 'Wilhelmina',
  lastName: 'Quimbleford',
  email: 'wilhelmina@quimbleford.example',
  street: '4711 Larkspur Crescent',
  phone: '2125550187',
  identity: '219099911',
  holder: 'W Quimbleford Holder',
  nickname: 'Minas household money',
  account: '9988776655443322',
  check: 'CHK-55512-XQ',
  reference: 'wire of aunt Gerda',
  description: 'Letter of the neurologist Dr Plumb',
  content: 'She cannot work before the summer.',
  note: 'Her brother Leopold pays',
  message: 'I lost my job at Harrowgate Mills',
} as const;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

test('after an erasure nothing on the disk names the person: journal, snapshots, events, replies, documents, exports', async (t) => {
  const folder = scratchFolder();
  const data = join(folder, 'data');
  const service = await Service.start(data, ENVIRONMENT);
  const company = await service.company();
  let keyed = 0;
  const made = async (path: string, body: object): Promise<string> => {
    keyed += 1;
    const answer = await service.ask('POST', path, body, { 'Idempotency-Key': `key-${keyed}` });
    t.ok(answer.status < 300, `${path} ${answer.status} ${JSON.stringify(answer.json)}`);
    const { data: inner } = answer.json as { readonly data?: { readonly id?: string } };
    return inner?.id ?? String((answer.json as { readonly id?: string }).id);
  };
  const v = VALUES;
  const personId = await made('/people', {
    name: { firstName: v.firstName, lastName: v.lastName },
    dateOfBirth: '1971-03-04',
    identity: { identityType: 'SSN', value: v.identity, issuingCountry: 'US' },
  });
  const own = `/people/${personId}`;
  await made(`${own}/contacts`, {
    contactType: 'email',
    label: 'personal',
    affiliation: 'self',
    status: 'primary',
    valid: true,
    value: v.email,
  });
  await made(`${own}/contacts`, {
    contactType: 'phone',
    label: 'personal',
    affiliation: 'self',
    status: 'primary',
    valid: true,
    value: `+1${v.phone}`,
  });
  await made(`${own}/contacts`, {
    contactType: 'address',
    label: 'home',
    affiliation: 'self',
    status: 'primary',
    valid: true,
    address: { addressLine1: v.street, city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  });
  const external = { isExternal: true, status: 'active' };
  await made(`${own}/payment-instruments`, {
    ...external,
    instrumentType: 'check',
    payerName: v.holder,
    checkNumber: v.check,
    nickname: v.nickname,
  });
  await made(`${own}/payment-instruments`, { ...external, instrumentType: 'wire', senderName: v.holder, reference: v.reference });
  await made(`${own}/payment-instruments`, {
    ...external,
    instrumentType: 'bankAccount',
    accountNumber: v.account,
    accountHolderName: v.holder,
  });
  const documentId = await made(`${own}/documents`, { type: 'evidence', description: v.description });
  const stored = await service.ask('POST', `${own}/documents/${documentId}/content`, v.content, { 'content-type': 'text/plain' });
  t.equal(stored.status, 200, JSON.stringify(stored.json));
  const caseId = await made(`${own}/cases`, { caseType: 'generic', description: v.note });
  await made(`${own}/cases/${caseId}/notes`, { content: v.message });
  await service.stop();
  t.ok(filesBelow(join(data, 'documents')).length > 0, 'a content is stored');

  const erased = await run(ENVIRONMENT, 'erase', personId, '--company', company, '--data', data);
  t.equal(erased.code, 0, erased.error);
  t.equal((await run(ENVIRONMENT, 'erase', personId, '--company', company, '--data', data)).code, 0, 'again');
  const exported = join(folder, 'exported');
  await exportFolder(data, exported, join(folder, 'keys'));
  t.same(filesBelow(join(data, 'documents')), [], 'no ciphertext is left');

  const files = filesBelow(folder);
  t.ok(files.length > 5);
  // Four letters of MessagePack: behind the byte that says how many.
  const wanted = { ...VALUES, lastFour: `\u00a4${VALUES.account.slice(-4)}` };
  for (const file of files) {
    const bytes = readFileSync(file);
    const texts = [bytes.toString('latin1'), bytes.toString('utf16le')];
    for (const [name, value] of Object.entries(wanted))
      t.notOk(
        texts.some((text) => text.includes(value)),
        `${name} in ${file.slice(folder.length)}`,
      );
  }
});
