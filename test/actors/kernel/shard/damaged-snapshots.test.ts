import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import type { KeyValue, Snapshots } from '../../../../actors/index.js';
import { DamagedRecord } from '../../../../persistence/index.js';
import { openTestEngine } from './open-engine.js';
import { command, query, type Tally } from './tally.js';

const later = { errorType: 'unavailable' } as unknown as Error;

/** Environments in which a test can damage one record and delay the rebuilding. */
class Damaging {
  #damaged: readonly [environment: string, prefix: string] | null = null;
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  readonly rebuilt: string[] = [];

  readonly wrap = (stores: Snapshots): Snapshots => {
    const wrapped = (name: 'actors' | 'events' | 'replies'): KeyValue => ({
      get: (key) => this.#checked(name, key, () => stores[name].get(key)),
      look: (key, read) => this.#checked(name, key, () => stores[name].look(key, read)),
      range: (options) => this.#checked(name, options.start, () => stores[name].range(options)),
      write: (entries) => stores[name].write(entries),
      close: () => stores[name].close(),
    });
    return {
      actors: wrapped('actors'),
      events: wrapped('events'),
      replies: wrapped('replies'),
      rebuilt: stores.rebuilt,
      rebuild: async (environment) => {
        await this.#held;
        this.#damaged = null;
        this.rebuilt.push(environment);
        await stores.rebuild(environment);
      },
      close: () => stores.close(),
    };
  };

  damage(environment: string, prefix: string): void {
    this.#damaged = [environment, prefix];
  }

  hold(): () => void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
    return this.#release;
  }

  #checked<T>(name: string, key: string, read: () => T): T {
    const [environment, prefix] = this.#damaged ?? [];
    if (environment === name && key.startsWith(prefix ?? '')) throw new DamagedRecord(name, key);
    return read();
  }
}

async function onceServing<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if ((cause as { readonly errorType?: string }).errorType !== 'unavailable') throw cause;
      await pause(5);
    }
  }
}

test('a damaged record of replies or events is rebuilt, whatever reads it first', async (t) => {
  const damaging = new Damaging();
  const { engine } = await openTestEngine({ wrapStores: damaging.wrap });
  const create = command('tally.create', null, {}, randomUUID());
  const { id } = (await engine.execute(create)).data as Tally;
  await engine.execute(command('tally.count', id, { amount: 4 }));
  await engine.snapshot();

  damaging.damage('replies', 'r/');
  await t.rejects(engine.execute(create), later, 'it is no fault of the command, and is over soon');
  t.ok((await onceServing(() => engine.execute(create))).replayed);

  await engine.snapshot();
  damaging.damage('events', 'i/');
  const tail = query('event.list', null, { order: 'asc', startingAfter: 'EV-1111-1111' });
  await t.rejects(engine.query(tail), later);
  await t.rejects(
    onceServing(() => engine.query(tail)),
    { errorType: 'badRequest' } as unknown as Error,
  );
  t.same(damaging.rebuilt, ['replies', 'events']);
  await engine.close();
});

test('while snapshots are rebuilt nothing is answered from what they lack', async (t) => {
  const damaging = new Damaging();
  const first = await openTestEngine({ wrapStores: damaging.wrap });
  const { id: one } = (await first.engine.execute(command('tally.create', null, {}))).data as Tally;
  const counted = command('tally.count', one, { amount: 4 }, randomUUID());
  await first.engine.execute(counted);
  await first.engine.close();

  const { engine } = await openTestEngine({ folder: first.folder, clock: first.clock, wrapStores: damaging.wrap });
  await engine.query(query('tally.list', null));
  damaging.damage('actors', `a/`);
  const release = damaging.hold();
  await t.rejects(engine.query(query('tally.get', one)), later);
  await pause(20);
  await t.rejects(engine.query(query('tally.list', null)), later);
  await t.rejects(engine.execute(counted), later, 'not even a retry: its reply may be what is missing');
  release();
  t.match(await onceServing(() => engine.query(query('tally.get', one))), { count: 4 });
  await engine.close();
});
