import { join } from 'node:path';
import { test, type Test } from 'tap';
import { type ActorModule, actorModules, Resealer, type ShardBlock } from '../../../../actors/index.js';
import { personModule } from '../../../../actors/borrower/index.js';
import { companyModule } from '../../../../actors/company/index.js';
import { hashOfName, portalUserModule } from '../../../../actors/borrower/portal-user.js';
import { type Fact, type StoredEvent, SYSTEM_AGENT, tenantOf } from '../../../../actors/kernel/fact.js';
import {
  type JournalRecord,
  packEvent,
  packFact,
  packReply,
  readEvent,
  readRecord,
  type StoredReply,
} from '../../../../actors/kernel/journal/records.js';
import { type OpenedKeyStore, openJournal, openKeyStore } from '../../../../persistence/index.js';
import { scratchFolder } from '../../../temp-folder.js';
import { Harness } from '../../harness.js';

const NAME = 'ann@quimby.example';
const BODY = { externalId: 'ann-1', metaData: { hint: 'large print' }, name: { firstName: 'Annabel', lastName: 'Quimby' } };
const SECRETS = ['ann-1', 'large print', hashOfName(NAME)];

/** Records as earlier releases did: nothing is sealed on the way to the disk. */
function inClear({ definition, ...others }: ActorModule): ActorModule {
  const { personal: _personal, ...plain } = definition;
  return { ...others, definition: plain };
}

const recordsOf = ({ firstSequence, records }: ShardBlock): readonly JournalRecord[] =>
  records.map((bytes, at) => readRecord(bytes, firstSequence + at));
const textOf = (blocks: readonly ShardBlock[]): string =>
  blocks.flatMap(({ records }) => records.map((bytes) => Buffer.from(bytes).toString('latin1'))).join('\n');

test('records of an earlier release are sealed: order, ids and times stay, and replies open as before', async (t) => {
  const h = await Harness.open(() => [companyModule, personModule(), portalUserModule].map(inClear));
  await h.makeCompany();
  const { id } = await h.data('person.create', null, BODY, { key: 'first' });
  await h.command('portalUser.create', id, {
    userName: NAME,
    auths: [{ authType: 'basic', authValueType: 'email', value: NAME }],
    passwordHash: 'a hash',
  });
  await h.close();
  const journal = await openJournal({ folder: join(h.folder, 'journal') });
  const keys = await openKeyStore({ folder: join(h.folder, 'keys'), masterKey: new Uint8Array(32).fill(7) });
  t.teardown(async () => {
    await journal.close();
    await keys.close();
  });
  const stored = [...journal.read(new Map())] as readonly ShardBlock[];
  const before = stored.map((block) => ({ ...block, records: block.records.map((bytes) => withOpenReply(bytes, keys)) }));
  for (const secret of SECRETS) t.ok(textOf(before).includes(secret), `${secret} was recorded in clear`);

  const resealer = new Resealer(actorModules(), keys, new Map());
  const after = before.map((block) => resealer.block(block));
  t.ok(resealer.changed >= 3, 'facts and a reply');
  for (const secret of SECRETS) t.notOk(textOf(after).includes(secret), secret);
  const [earlier, later] = [before.flatMap(recordsOf), after.flatMap(recordsOf)];
  t.strictSame(later.map(envelopeOf), earlier.map(envelopeOf));
  const replies = (records: readonly JournalRecord[]): readonly StoredReply[] =>
    records.flatMap((record) => (record.type === 'reply' ? [record.reply] : []));
  const [reply] = replies(later);
  t.match(reply, { sealedFor: id });
  const text = keys.open(id, Buffer.from(reply?.dataText ?? '', 'base64'), `reply/${reply?.commandId ?? ''}`);
  t.equal(text, replies(earlier)[0]?.dataText, 'a retry gets the same text');

  const again = new Resealer(actorModules(), keys, new Map());
  t.strictSame(
    after.map((block) => again.block(block)),
    after,
  );
  t.equal(again.changed, 0, 'what is sealed is not sealed again');

  await keys.destroy(id);
  const erased = new Resealer(actorModules(), keys, new Map());
  const gone = before.map((block) => erased.block(block));
  for (const secret of SECRETS) t.notOk(textOf(gone).includes(secret), `${secret} of an erased person`);
  const [refused] = replies(gone.flatMap(recordsOf));
  t.match(refused, { sealedFor: id, dataText: '' });
  t.equal(erased.withoutKey.size, 0, 'an erased person needs no key');
});

/** Replies as builds before the sealing of replies stored them. */
function withOpenReply(bytes: Uint8Array, keys: OpenedKeyStore): Uint8Array {
  const record = readRecord(bytes, 1);
  if (record.type !== 'reply' || record.reply.sealedFor === null) return bytes;
  const { commandId, sealedFor, dataText } = record.reply;
  const text = keys.open(sealedFor, Buffer.from(dataText, 'base64'), `reply/${commandId}`) ?? '';
  return packReply({ ...record.reply, dataText: text, sealedFor: null });
}

/** All but what is sealed. */
function envelopeOf(record: JournalRecord): object {
  if (record.type === 'reply') return { ...record.reply, dataText: '', sealedFor: '' };
  if (record.type === 'event') return record.event;
  return { ...record.fact, body: null, idCounter: record.idCounter };
}

const PERSON = 'BO-AAAA-AAAA';
const LOAN = 'LN-AAAA-AAAA';

async function keysOf(t: Test, owner: string | null): Promise<OpenedKeyStore> {
  const keys = await openKeyStore({ folder: join(scratchFolder(), 'keys'), masterKey: new Uint8Array(32).fill(7) });
  if (owner !== null) keys.create(owner);
  t.teardown(() => keys.close());
  return keys;
}

let sequence = 0;
const factOf = (type: string, body: object, commandId = 'a-command'): Fact => ({
  sequence: (sequence += 1),
  tenant: tenantOf('CP-AAAA-AAAA', 'test'),
  kind: 'loan',
  id: LOAN,
  type,
  body,
  stamp: sequence,
  businessAt: sequence,
  effective: null,
  by: SYSTEM_AGENT,
  address: null,
  caseId: null,
  requestId: 'a-request',
  commandId,
  schemaVersion: 1,
  rulesVersion: 1,
});

const line = (kind: string, description: string, more: object): object => ({ kind, description, feeId: null, amountCents: 1, ...more });

/** Facts of a loan as an early release has recorded them. */
const EARLY: readonly Fact[] = [
  factOf('LoanCreated', { personId: PERSON, externalId: 'loan-9', status: 'originated' }),
  factOf('TransactionCreated', {
    transaction: { id: 'TX-1', instrument: { id: 'PT-1', instrumentType: 'bankAccount', lastFour: '2233' } },
  }),
  factOf('LedgerChanged', { change: { type: 'pastFeeCanceled', fee: 1 }, reason: 'she lay in hospital', recordedDay: 1, caseId: null }),
  factOf('LedgerChanged', { change: { type: 'payment' }, reason: 'word', recordedDay: 1, caseId: null }),
  factOf('StatementIssued', {
    statement: {
      id: 'SM-1',
      activities: [
        line('interest', 'Interest', {}),
        line('purchase', 'Corner Shop', { purchaseId: 'DP-1' }),
        line('fee', 'copies for her lawyer', { feeId: 'LF-1' }),
      ],
    },
    caseId: null,
  }),
];

const CANCELED: StoredReply = {
  commandId: 'a-command',
  digest: '',
  status: null,
  message: 'The loan loan-9 is canceled.',
  operationId: null,
  dataText: '',
  sealedFor: null,
  at: 1,
};

const blockOf = (records: readonly Uint8Array[]): ShardBlock => ({ shard: 0, firstSequence: 1, records });
const early = (): ShardBlock => blockOf([...EARLY.map((fact) => packFact(fact, 1)), packReply(CANCELED)]);

test('personal data among other values moves to fields of its own, or is left to the borrower', async (t) => {
  const keys = await keysOf(t, PERSON);
  const block = new Resealer(actorModules(), keys, new Map()).block(early());
  for (const secret of ['loan-9', '2233', 'hospital', 'Corner Shop', 'lawyer']) t.notOk(textOf([block]).includes(secret), secret);
  const bodies = recordsOf(block).flatMap((record) => (record.type === 'fact' ? [record.fact.body] : []));
  const sealed = Uint8Array;
  t.match(bodies[0], { personId: PERSON, externalId: sealed, status: 'originated' });
  t.match(bodies[1], { transaction: { instrument: { id: 'PT-1', lastFour: null } } });
  t.match(bodies[2], { change: { type: 'pastFeeCanceled' }, reason: null, writtenReason: sealed });
  t.match(bodies[3], { change: { type: 'payment' }, reason: 'word' });
  t.match(bodies[4], {
    statement: { activities: [{ description: 'Interest' }, { description: 'Purchase' }, { description: 'Fee' }], lineTexts: sealed },
  });
  t.match(recordsOf(block).at(-1), { reply: { message: `The loan ${LOAN} is canceled.` } });
  const again = new Resealer(actorModules(), keys, new Map());
  again.block(block);
  t.equal(again.changed, 0);
});

test('events of an earlier release keep neither digits nor details of instruments, nor names', async (t) => {
  const event = (eventType: string, data: StoredEvent['data']): Uint8Array =>
    packEvent({
      id: 'EV-1',
      tenant: tenantOf('CP-AAAA-AAAA', 'test'),
      eventType,
      objectType: 'paymentInstrument',
      objectId: 'PT-1',
      stamp: 7,
      occurredAt: 7,
      sequence: 1,
      orderKey: PERSON,
      by: SYSTEM_AGENT,
      isReplay: false,
      refs: { personId: PERSON, loanId: LOAN },
      externalIds: { personId: 'ann-1', loanId: 'loan-9' },
      data,
    });
  const changes = [
    { field: 'details', oldValue: { checkNumber: 'CHK-1' }, newValue: { checkNumber: 'CHK-2' } },
    { field: 'externalId', oldValue: 'giro-1', newValue: 'giro-2' },
    { field: 'status', oldValue: 'pending', newValue: 'active' },
  ];
  const records = [event('payment.instrument.updated', { lastFour: '2233', status: 'active', changes })];
  const block = new Resealer(actorModules(), await keysOf(t, PERSON), new Map()).block(blockOf(records));
  t.notMatch(textOf([block]), /2233|CHK|giro|ann-1|loan-9/);
  t.match(
    block.records.map((bytes) => readEvent(bytes)),
    [{ id: 'EV-1', stamp: 7, sequence: 1, data: { status: 'active', changes: [{ newValue: null }, { newValue: null }, changes[2]] } }],
  );
});

test('the owner of an object is known from its first fact, in whichever block', async (t) => {
  const keys = await keysOf(t, PERSON);
  const owners = new Map<string, string>();
  const resealer = new Resealer(actorModules(), keys, owners);
  const [created, ...others] = EARLY.map((fact) => packFact(fact, 1));
  resealer.block(blockOf(created === undefined ? [] : [created]));
  t.strictSame([...owners], [[LOAN, PERSON]]);
  t.notMatch(textOf([resealer.block({ ...blockOf(others), firstSequence: 2 })]), /hospital|Corner Shop/);
});

test('a borrower with personal data and without a data key is named', async (t) => {
  const resealer = new Resealer(actorModules(), await keysOf(t, null), new Map());
  resealer.block(early());
  t.strictSame([...resealer.withoutKey], [PERSON]);
});
