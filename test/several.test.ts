import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { tempFolder } from './temp-folder.js';

const SEVERAL = resolve(import.meta.dirname, 'several.js');
const TAP = pathToFileURL(resolve(import.meta.dirname, '../../node_modules/tap/dist/esm/index.js')).href;

/** Runs these tests in one process, as `npm test` does. */
function run(
  t: { teardown(run: () => void): void },
  ...tests: readonly string[]
): { readonly status: number | null; readonly text: string } {
  const folder = tempFolder(t);
  const [first = '', ...beside] = tests.map((body, index) => {
    const file = join(folder, `${index}.mjs`);
    writeFileSync(file, `import { test } from '${TAP}';\ntest('test ${index}', async (t) => {\n${body}\n});\n`);
    return file;
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [SEVERAL, first], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TAP: '1', TENOR_TEST_FILES_BESIDE: beside.join('\n') },
  });
  return { status, text: stdout + stderr };
}

const LATER = 'await new Promise((resolve) => setTimeout(resolve, 50));';

test('files of one process run one after the other', async (t) => {
  const { status, text } = run(t, "t.pass('a');", "t.pass('b');");
  t.equal(status, 0, text);
  t.match(text, /ok 1 - a\n[\s\S]*ok 1 - b\n/);
});

test('an error that nobody catches fails the test that runs, with the place where it was thrown', async (t) => {
  for (const thrown of ["setTimeout(() => { throw new Error('thrown later'); });", "void Promise.reject(new Error('thrown later'));"]) {
    const { status, text } = run(t, "t.pass('a');", `${thrown} ${LATER}`, "t.pass('c');");
    t.not(status, 0, thrown);
    t.match(text, /not ok/);
    t.match(text, /thrown later[\s\S]*1\.mjs/, thrown);
  }
});

test('promises are not followed', async (t) => {
  const { status, text } = run(
    t,
    "const { executionAsyncId } = await import('node:async_hooks'); await null; t.equal(executionAsyncId(), 0);",
  );
  t.equal(status, 0, text);
});
