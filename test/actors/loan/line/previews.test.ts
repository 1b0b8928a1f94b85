import { test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import type { Data } from '../../harness.js';
import { LineLife } from './life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 2);
const STEPS = 40;

/** Names that are made on the way: a preview gives none away that booking would then have. */
const NAME = /^[A-Z]{2}-[A-Z1-9]{4}-[A-Z1-9]{4}$/;

/** A reply as it compares: the operation is of a booking alone, and new names differ from try to try. */
const comparable = (reply: Data | string, isKnown: (name: string) => boolean): string =>
  JSON.stringify(reply, (key, value: unknown) => {
    if (key === 'operationId') return undefined;
    return typeof value === 'string' && NAME.test(value) && !isKnown(value) ? 'new' : value;
  });

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`a preview of any order of a line gives the same reply as the order, and changes nothing (TENOR_SEED=${seed})`, async (t) => {
    const life = await LineLife.open(new Random(seed));
    const { h } = life.s;
    t.teardown(() => h.engine.close());
    const unlike: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      if (life.random.below(3) === 0) await life.pass();
      const order = await life.order();
      if (order === null) continue;
      const before = JSON.stringify(await life.shown());
      const isKnown = (name: string): boolean => before.includes(name) || JSON.stringify(order).includes(name);
      const previewed = await life.ask(order, { isPreview: true });
      const after = JSON.stringify(await life.shown());
      if (after !== before) unlike.push(`a preview of ${JSON.stringify(order)} moved the line`);
      const booked = await life.ask(order, { isPreview: false });
      const [shown, done] = [comparable(previewed, isKnown), comparable(booked, isKnown)];
      if (shown !== done) unlike.push(`${JSON.stringify(order)}\n  previewed ${shown}\n  booked    ${done}`);
      if (unlike.length > 0) break;
    }
    t.same(unlike, []);
    t.same(h.reports, []);
  });
}
