import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'tap';
import { actorModules, WORKS, type WorkName } from '../../../actors/index.js';

const project = resolve(import.meta.dirname, '../../../..');

/** Work of a name of the table, or why work that goes on by itself has no day. */
type Watched = readonly WorkName[] | string;

/** Parts that act by themselves again and again, by file. */
const BY_TIME: Readonly<Record<string, Watched>> = {
  'actors/company/settlements/runner.ts': ['settlement', 'settlementTransfer'],
  'actors/company/tapes/runner.ts': ['loanTape'],
  'actors/contact/campaigns/runner.ts': ['campaign'],
  'actors/daily/runner.ts': 'It records this calendar.',
  'actors/kernel/jobs/rounds.ts': 'What the others run in.',
  'actors/kernel/jobs/retention-runner.ts': 'Contents whose time is over are dropped in the next round; none of them is late by a day.',
  'actors/kernel/jobs/sweeper.ts': ['dayClose', 'reminders', 'privacyNotices'],
  'actors/loan/credit-files/runner.ts': ['creditFile'],
  'actors/money/ach/runner.ts': ['achFile', 'achSameDayFile', 'achInbox'],
  'actors/money/cards/runner.ts': ['cardPayments', 'cardResults'],
  'actors/money/bank-statements/runner.ts': 'Statements are matched as they come.',
  'actors/money/general-ledger/runner.ts': 'A day of the books is sealed behind dayClose, when all its loans have closed it.',
  'actors/contact/notices/director.ts': 'Notices for other borrowers are planned as they come.',
  'actors/contact/sending/delivery/bounce-reader.ts': 'Mails are read as they come.',
  'actors/contact/sending/delivery/messenger.ts': 'Messages go as they come: tenor_messages_waiting.',
  'actors/casework/tasks/router.ts': 'Tasks go to workers as they come.',
  'gateway/webhooks/webhooks.ts': 'Events go as they come: tenor_webhook_oldest_seconds.',
  'gateway/streams/event-publisher.ts': 'Events go as they come.',
  'gateway/streams/event-streams.ts': 'Heartbeats of open streams.',
  'persistence/letters/letter-batches.ts': 'Letters of all companies go together: tenor letters list.',
  'actors/kernel/shard/supervisor.ts': 'Snapshots of the process.',
  'actors/kernel/cluster/worker.ts': 'Units of the process.',
  'persistence/bus/nats-bus.ts': 'Connections of the process.',
  'persistence/bus/waiting-asks.ts': 'Connections of the process.',
  'persistence/jetstream/room.ts': 'Storage of the process.',
  'persistence/keys/key-bucket.ts': 'Storage of the process.',
  'persistence/objects/arrive-with-snapshots.ts': 'Storage of the process.',
  'persistence/objects/snapshot-uploader.ts': 'Storage of the process.',
};

/** Kinds of actors whose own days come by the calendar of a zone. */
const BY_AGENDA: Readonly<Record<string, readonly WorkName[]>> = {
  company: ['reminders', 'privacyNotices'],
  person: ['dayClose'],
  loan: ['dayClose'],
  interaction: ['dayClose'],
  case: ['dayClose'],
  task: ['dayClose'],
};

/** Work that the service orders for the loans of a day, by the name of its operation. */
const BY_ORDER: Readonly<Record<string, readonly WorkName[]>> = {
  command: ['reminders', 'privacyNotices'],
  'settlement.create': ['settlement'],
  'settlement.status': ['settlementTransfer'],
};

const sources = ['actors', 'gateway', 'persistence', 'wiring'].flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ name: relative(project, path), text: readFileSync(path, 'utf8') })),
);

test('whatever acts by itself again and again has a row in the table of automatic work, or says why it has no day', async (t) => {
  const found = sources.filter(({ text }) => /\bsetInterval\(|\bextends (?:Round|Company)Runner\b/.test(text)).map(({ name }) => name);
  t.strictSame(found.toSorted(), Object.keys(BY_TIME).toSorted());
});

test('whatever lives by the days of a calendar has a row', async (t) => {
  const kinds = actorModules().flatMap(({ definition: { kind, agenda } }) => (agenda === undefined ? [] : [kind]));
  t.strictSame(kinds.toSorted(), Object.keys(BY_AGENDA).toSorted());
});

test('whatever is ordered for the loans of a day has a row', async (t) => {
  const ordered = sources.flatMap(({ text }) =>
    text
      .split('const order: MassOrder = {')
      .slice(1)
      .flatMap((order) => {
        const body = order.slice(0, order.indexOf('};'));
        return body.includes('isOfDay: true') ? (/kind: '?([\w.]+)/.exec(body)?.[1] ?? 'unknown') : [];
      }),
  );
  t.strictSame(ordered.toSorted(), Object.keys(BY_ORDER).toSorted());
});

test('every row of the table is about work that there is', async (t) => {
  const watched = [BY_TIME, BY_AGENDA, BY_ORDER]
    .flatMap((table) => Object.values<Watched>(table))
    .flatMap((names) => (typeof names === 'string' ? [] : names));
  t.strictSame([...new Set(watched)].toSorted(), [...WORKS.keys()].toSorted());
});
