import { test } from 'tap';
import { UnitOwners } from '../../../../actors/index.js';
import { natsServer } from '../../../nats.js';
import { until } from '../../../persistence/key-values/conformance.js';
import { HandClock, Member, UNITS } from './members.js';

const TIMES = { ttlMs: 2_500, holdMs: 2_000, beatMs: 100, graceMs: 6_000, settleMs: 100 };

class MachineClock extends HandClock {
  override now(): number {
    return performance.now();
  }
}

test('running workers share the units, take over from one that dies, and gateways hear who owns what', async (t) => {
  const server = await natsServer(t);
  const open = () => server.records();
  const owners = await UnitOwners.open(await open());
  t.teardown(() => owners.close());
  const members: Member[] = [];
  const join = async (name: string): Promise<Member> => {
    const member = await Member.join(await open(), name, { clock: new MachineClock(0), times: TIMES });
    t.teardown(() => member.holder.stop());
    members.push(member);
    member.holder.run();
    return member;
  };
  const allOwned = (): boolean => {
    const owned = members.flatMap(({ units }) => units);
    if (new Set(owned).size < owned.length) t.fail('a unit has two owners');
    return (
      owned.length === UNITS.length &&
      UNITS.every((unit) => members.some(({ name, holder }) => holder.isHeld(unit) && owners.ownerOf(unit)?.worker === name))
    );
  };
  const isShared = (workers: number) => (): boolean => allOwned() && members.filter(({ units }) => units.length > 0).length === workers;

  const [one, two] = [await join('w1'), await join('w2')];
  await until(isShared(2));
  const three = await join('w3');
  await until(isShared(3));
  const dead = three.units;
  three.holder.stop();
  await until(isShared(2));
  t.ok([...one.taken, ...two.taken].some(({ unit }) => unit === dead[0]));
  await one.holder.leave();
  await until(isShared(1));
  t.same([one.units, two.units, two.lost], [[], UNITS, []]);
  await server.restart();
  await until(isShared(1));
});
