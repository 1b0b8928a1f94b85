import { test } from 'tap';
import { withDeadline } from '../../gateway/deadline.js';

const late = (name: string) => (): Error => new Error(`${name} is late`);
const never = new Promise<never>(() => {});
const after = <T>(milliseconds: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, milliseconds, value));

test('completed work is returned without waiting', (t) => {
  t.equal(withDeadline('done' as string | Promise<string>, 1, late('a value')), 'done');
  t.end();
});

test('each operation has its own deadline, although one timer serves all with the same time limit', async (t) => {
  const keepsProcess = setTimeout(() => {}, 10_000);
  const span = 80;
  const first = t.rejects(withDeadline(never, span, late('the first')), { message: 'the first is late' });
  const inTime = withDeadline(after(10, 'in time'), span, late('what is in time'));
  const failing = withDeadline(Promise.reject(new Error('its own failure')), span, late('what fails'));
  await t.rejects(failing, { message: 'its own failure' });
  t.equal(await inTime, 'in time');
  const begun = performance.now();
  const second = withDeadline(never, span, late('the second'));
  await first;
  await t.rejects(second, { message: 'the second is late' });
  t.ok(performance.now() - begun >= span, 'the second had its whole time');
  const third = withDeadline(after(1, 'after a rest'), span, late('the third'));
  t.equal(await third, 'after a rest', 'a span serves again after it had nothing to do');
  await t.rejects(withDeadline(never, span, late('the fourth')), { message: 'the fourth is late' });
  clearTimeout(keepsProcess);
});
