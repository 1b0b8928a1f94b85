// `npm run keep-release -- COMMIT NAME [--modules FOLDER]`: keeps the data of a release as test data. Starts the service of that commit in
// a worktree of its own, writes loans by `examples/` and `requests.mjs`, and packs what it leaves behind into `test/releases/NAME/`:
//
//   data.tar.br      the data folder of a service that was killed: journal, snapshots, keys; the journal's end is in no snapshot
//   export.tar.br    an export of it, with its data keys apart
//   answers.json.br  what the release has answered, by path
//   person.tar.br    an export of other data: one borrower with a value in every personal field, and these values (`person.mjs`)
//
// `--person` adds the last one to a release that is kept already.
//
// `test/releases/releases.test.ts` starts the present code on it. The commit runs with this checkout's modules, or those of `--modules`
// where it needs others: the `node_modules` of a checkout of that commit.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { VALUES, writePerson } from './person.mjs';
import { ASKED, HALVES } from './requests.mjs';

/** No secret: it opens nothing but this data. */
const TEST_KEY = 'test_release_data_of_invented_people_0123456789';
const EXAMPLES = ['first-loan', 'line-of-credit', 'case', 'message'];

const root = resolve(import.meta.dirname, '../..');
const {
  values: { modules, person: isPersonAlone },
  positionals: [commit, name],
} = parseArgs({
  allowPositionals: true,
  options: { modules: { type: 'string', default: join(root, 'node_modules') }, person: { type: 'boolean', default: false } },
});
if (commit === undefined || !/^[\w.-]+$/.test(name ?? '')) fail('Say which: npm run keep-release -- COMMIT NAME [--modules FOLDER]');
const kept = join(root, 'test/releases', name);
if (existsSync(kept) && !isPersonAlone) fail(`${kept} is there already: data of a release is made once. Remove it to make it again.`);

const folder = mkdtempSync(join(tmpdir(), 'tenor-release-'));
const source = join(folder, 'source');
/** Of the service that is started next. */
let data = join(folder, 'data');
/** The service that runs, until it is ended. */
let running = null;
try {
  run('git', ['-C', root, 'worktree', 'add', '--detach', source, commit]);
  symlinkSync(resolve(modules), join(source, 'node_modules'));
  run(process.execPath, ['packaging/build/index.mjs'], source);
  if (!isPersonAlone) await keepAnswers();
  await keepPerson();
} finally {
  await running?.end('SIGKILL');
  if (existsSync(source)) run('git', ['-C', root, 'worktree', 'remove', '--force', source]);
  rmSync(folder, { recursive: true, force: true });
}

async function keepAnswers() {
  const answers = await write();
  const exported = join(folder, 'export');
  // Exported from a copy, so that the kept data stay as the killed service has left them.
  cpSync(data, join(folder, 'copy'), { recursive: true });
  tenor(['export', join(exported, 'journal'), '--keys', join(exported, 'keys'), '--data', join(folder, 'copy')]);
  cpSync(join(data, 'master.key'), join(exported, 'master.key'));
  mkdirSync(kept, { recursive: true });
  for (const unneeded of readdirSync(join(data, 'journal')).filter((file) => file.startsWith('next.')))
    rmSync(join(data, 'journal', unneeded));
  pack(data, 'data.tar.br');
  pack(exported, 'export.tar.br');
  const { version } = JSON.parse(output('git', ['-C', root, 'show', `${commit}:package.json`]));
  const about = { commit: output('git', ['-C', root, 'rev-parse', commit]).trim(), version, key: TEST_KEY, answers };
  writeCompressed('answers.json.br', Buffer.from(JSON.stringify(about)));
  console.log(`${kept}: ${Object.keys(answers).length} answers`);
}

/** One borrower in a data folder of its own. */
async function keepPerson() {
  data = join(folder, 'data-of-person');
  const service = await start();
  let requests = 0;
  const ids = await writePerson(async (method, path, body) => {
    requests += 1;
    const { status, text } = await ask(service, method, path, body === undefined ? undefined : JSON.stringify(body), `person-${requests}`);
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    if (text === '') return null;
    const json = JSON.parse(text);
    return json.data === undefined ? json : json.data; // a document is answered without an envelope
  });
  await service.end('SIGTERM');
  const exported = join(folder, 'person');
  tenor(['export', join(exported, 'journal'), '--keys', join(exported, 'keys'), '--data', data]);
  cpSync(join(data, 'master.key'), join(exported, 'master.key'));
  writeFileSync(join(exported, 'person.json'), JSON.stringify({ ids, values: VALUES }));
  pack(exported, 'person.tar.br');
  console.log(`${kept}: a borrower with ${Object.keys(VALUES).length} values`);
}

/** Writes both halves, with an orderly end between them and a kill behind; answers what it says at the end. */
async function write() {
  let service = await start();
  for (const example of EXAMPLES) run('bash', [join(root, 'examples', `${example}.sh`)], root, { KEY: TEST_KEY, TENOR_URL: service.url });
  const names = await namesOf(service);
  for (const request of HALVES[0]) await carryOut(service, request, names);
  await service.end('SIGTERM');
  service = await start();
  for (const request of HALVES[1]) await carryOut(service, request, names);
  const answers = {};
  const refused = [];
  for (const path of ASKED.map((each) => named(each, names))) {
    const { status, text } = await ask(service, 'GET', path);
    answers[path] = JSON.parse(text);
    if (status !== 200) refused.push(`GET ${path} was answered ${status}: ${answers[path].message}`);
  }
  if (refused.length > 0) throw new Error(refused.join('\n'));
  await service.end('SIGKILL');
  return answers;
}

/** The ids of this service that requests use. */
async function namesOf(service) {
  const [clock] = JSON.parse((await ask(service, 'GET', '/test-clocks')).text).data;
  const [{ id: company }] = JSON.parse((await ask(service, 'GET', '/companies')).text).data;
  const types = JSON.parse((await ask(service, 'GET', `/companies/${company}/loan-types`)).text).data;
  return { company, clock: clock.id, installmentType: types.find(({ type }) => type === 'installment').id };
}

function named(text, names) {
  return text.replace(/\{(\w+)\}/g, (whole, what) => names[what] ?? whole);
}

async function carryOut(service, [method, path, body], names) {
  const { status, text } = await ask(service, method, named(path, names), named(JSON.stringify(body), names));
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
}

async function ask({ url }, method, path, body, key) {
  const headers = {
    authorization: `Bearer ${TEST_KEY}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined || method === 'GET' ? {} : { 'Idempotency-Key': key }),
  };
  const answer = await fetch(`${url}/api${path}`, body === undefined ? { method, headers } : { method, headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** The service of the commit, on a free port of the loopback. */
async function start() {
  const child = spawn(process.execPath, [join(source, 'dist/tenor.js'), 'serve', '--port', '0', '--data', data], {
    env: { ...process.env, TENOR_TEST_KEY: TEST_KEY, TENOR_LOG: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  running = {
    async end(signal) {
      child.kill(signal);
      await exited;
      running = null;
    },
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Tenor serves (http:\S+)\/api/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, end: (signal) => running.end(signal) };
  }
  throw new Error('the service of the commit did not start');
}

function tenor(words) {
  run(process.execPath, [join(source, 'dist/tenor.js'), ...words]);
}

/** Files that are mostly zeros: a window that spans them makes them small. */
function pack(from, file) {
  writeCompressed(file, output('tar', ['-C', from, '--owner=0', '--group=0', '--sparse', '-c', '.'], null));
}

function writeCompressed(file, bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  writeFileSync(join(kept, file), brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: 24 } }));
}

function run(program, words, cwd = root, environment = {}) {
  execFileSync(program, words, { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'inherit'] });
}

function output(program, words, encoding = 'utf8') {
  return execFileSync(program, words, { encoding: encoding ?? 'buffer', maxBuffer: 1 << 30 });
}

function fail(why) {
  console.error(why);
  process.exit(2);
}
