import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import type { KeyStore } from '../../../actors/index.js';
import { DataKeyMissing, MasterKeyError, SealBroken } from '../../../persistence/index.js';

type Test = { teardown(run: () => void | Promise<void>): void; testdir(): string };
type Opened = KeyStore & { readonly report: { readonly keys: number; readonly destroyed: number } };

/** Stored data keys, which are opened again and again, as by one process after the other. */
export interface KeySetup {
  open(masterKey: Uint8Array): Promise<Opened>;
}

export const MASTER_KEY = randomBytes(32);
export const CONTEXT = 'PE-1111-1111/ssn';

/** Requirements of every key store, on any storage. `setUp` makes a new one. */
export function conforms(name: string, setUp: (t: Test) => KeySetup | Promise<KeySetup>): void {
  test(`${name}: what is sealed for a person is opened again, by a later process as well`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    keys.create('PE-1111-1111');
    t.ok(keys.has('PE-1111-1111'));
    t.notOk(keys.has('PE-2222-2222'));
    const sealed = keys.seal('PE-1111-1111', 'Ödön 123-45-6789', CONTEXT);
    t.notOk(Buffer.from(sealed).includes('123-45'));
    t.equal(keys.open('PE-1111-1111', sealed, CONTEXT), 'Ödön 123-45-6789');
    await keys.flush();
    await keys.close();

    const again = await open(MASTER_KEY);
    t.match(again.report, { keys: 1, destroyed: 0 });
    t.equal(again.open('PE-1111-1111', sealed, CONTEXT), 'Ödön 123-45-6789');
    await again.close();
  });

  test(`${name}: a key that was not flushed is not there later`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    keys.create('PE-1111-1111');
    await keys.close();
    const again = await open(MASTER_KEY);
    t.notOk(again.has('PE-1111-1111'));
    await again.close();
  });

  test(`${name}: to make a key that is there changes nothing`, async (t) => {
    const keys = await (await setUp(t)).open(MASTER_KEY);
    keys.create('PE-1111-1111');
    const sealed = keys.seal('PE-1111-1111', 'text', CONTEXT);
    keys.create('PE-1111-1111');
    t.equal(keys.open('PE-1111-1111', sealed, CONTEXT), 'text');
    await keys.close();
  });

  test(`${name}: a destroyed key is gone for good, and the others stay`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    const owners = ['PE-1', 'PE-2', 'PE-3'];
    for (const owner of owners) keys.create(owner);
    const sealed = new Map(owners.map((owner) => [owner, keys.seal(owner, owner, CONTEXT)]));
    const opened = (store: KeyStore): readonly (string | undefined)[] =>
      owners.map((owner) => store.open(owner, sealed.get(owner) ?? new Uint8Array(), CONTEXT));
    await keys.flush();
    await keys.destroy('PE-2');
    t.same(opened(keys), ['PE-1', undefined, 'PE-3']);
    t.notOk(keys.has('PE-2'));
    await keys.close();

    const again = await open(MASTER_KEY);
    t.match(again.report, { keys: 2, destroyed: 1 });
    t.same(opened(again), ['PE-1', undefined, 'PE-3']);
    await again.close();
  });

  test(`${name}: a key made after one was destroyed does not open what the former one has sealed`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    keys.create('PE-1');
    const former = keys.seal('PE-1', 'former', CONTEXT);
    await keys.flush();
    await keys.destroy('PE-1');
    keys.create('PE-1');
    const later = keys.seal('PE-1', 'later', CONTEXT);
    t.equal(keys.open('PE-1', former, CONTEXT), undefined);
    await keys.flush();
    await keys.close();
    const again = await open(MASTER_KEY);
    t.equal(again.open('PE-1', former, CONTEXT), undefined);
    t.equal(again.open('PE-1', later, CONTEXT), 'later');
    await again.close();
  });

  test(`${name}: an erasure can be applied again to a store that is older than the key`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    t.throws(() => keys.open('PE-1', new Uint8Array(60), CONTEXT), DataKeyMissing);
    await keys.destroy('PE-1');
    t.equal(keys.open('PE-1', new Uint8Array(60), CONTEXT), undefined);
    await keys.destroy('PE-1');
    await keys.close();
    const again = await open(MASTER_KEY);
    t.equal(again.open('PE-1', new Uint8Array(60), CONTEXT), undefined);
    await again.close();
  });

  test(`${name}: a sealed value that was changed or moved is not opened`, async (t) => {
    const keys = await (await setUp(t)).open(MASTER_KEY);
    keys.create('PE-1');
    const sealed = keys.seal('PE-1', 'text', CONTEXT);
    t.throws(() => keys.open('PE-1', sealed, 'PE-1/another field'), SealBroken);
    const changed = Uint8Array.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    t.throws(() => keys.open('PE-1', changed, CONTEXT), SealBroken);
    await keys.close();
  });

  test(`${name}: another master key is refused without a word about either`, async (t) => {
    const { open } = await setUp(t);
    await (await open(MASTER_KEY)).close();
    const other = randomBytes(32);
    const refused = await open(other).catch((cause: unknown) => cause);
    t.type(refused, MasterKeyError);
    t.notMatch(String(refused), other.toString('hex'));
    t.equal((refused as MasterKeyError).helps, 'operator');
  });

  test(`${name}: after a rotation the new master key opens all, what was made meanwhile as well, and the former one nothing`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    for (let number = 1; number <= 1_000; number += 1) keys.create(`PE-${number}`);
    const first = keys.seal('PE-1', 'first', CONTEXT);
    await keys.flush();
    await keys.destroy('PE-2');

    const other = randomBytes(32);
    const rotation = keys.rotate(other);
    const during = new Map<string, Uint8Array>();
    for (let number = 1; number <= 20; number += 1) {
      keys.create(`PE-during-${number}`);
      during.set(`PE-during-${number}`, keys.seal(`PE-during-${number}`, 'during', CONTEXT));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([rotation, keys.destroy('PE-4')]);
    keys.create('PE-after');
    const after = keys.seal('PE-after', 'after', CONTEXT);
    await keys.flush();
    await keys.close();

    await t.rejects(open(MASTER_KEY), MasterKeyError);
    const again = await open(other);
    t.equal(again.open('PE-1', first, CONTEXT), 'first');
    t.equal(again.open('PE-2', first, CONTEXT), undefined);
    t.equal(again.open('PE-4', first, CONTEXT), undefined);
    t.equal(again.open('PE-after', after, CONTEXT), 'after');
    for (const [owner, sealed] of during) t.equal(again.open(owner, sealed, CONTEXT), 'during');
    await again.close();
  });

  test(`${name}: many keys share a flush and are all there later`, async (t) => {
    const { open } = await setUp(t);
    const keys = await open(MASTER_KEY);
    const sealed: Uint8Array[] = [];
    for (let number = 0; number < 3_000; number += 1) {
      keys.create(`PE-${number}`);
      sealed.push(keys.seal(`PE-${number}`, String(number), CONTEXT));
    }
    await Promise.all([keys.flush(), keys.flush()]);
    await keys.close();
    const again = await open(MASTER_KEY);
    t.ok(sealed.every((value, number) => again.open(`PE-${number}`, value, CONTEXT) === String(number)));
    await again.close();
  });
}
