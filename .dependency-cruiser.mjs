// The layers of Tenor: what each folder may import. `npm run check -- layers` reads it; packaging/check/layers.mjs adds the circles.
// Each rule gives the reason beside it. What breaks one today is counted in packaging/check/ceilings.json.

/** What a top folder may import besides itself. `tenor.ts`, `wiring/` and `test/` may import every folder of the product. */
const ARROWS = {
  engine: [],
  actors: ['engine'],
  persistence: ['engine', 'actors'],
  gateway: ['engine', 'actors'],
  bench: ['engine', 'actors', 'persistence', 'gateway'],
};

/**
 * The order of domains (docs/architecture.md): each may import those before it. What it needs of a later one is a question, a policy or a
 * reaction (`actors/policies.ts`, `actors/reactions.ts`).
 */
const DOMAINS = ['kernel', 'company', 'borrower', 'loan', 'contact', 'casework', 'money', 'daily', 'questions'];

/** Every folder with sources that is not outside of the product. */
const FOLDERS = [...Object.keys(ARROWS), 'wiring', 'test'];

/**
 * Packages of which the design says where they may be imported. All others: product code may import what package.json lists under
 * `dependencies`, and of the engine only what the next table names.
 */
const PACKAGES = [
  // A repack of binaries: one file uses it, so that an installation with the original changes one line; the loader of the program hands
  // it over, since a script cannot import (docs/decisions/dependencies.md).
  { name: 'uWebSockets.js', only: '^gateway/http/uws\\.ts$|^wiring/program\\.ts$' },
  // Journals, snapshots and stores are implementations of the ports of `actors`.
  { name: 'lmdb', only: '^persistence/' },
  { name: '@nats-io/.+', only: '^(persistence|bench|wiring)/' },
  { name: 'ioredis', only: '^(persistence|gateway)/' },
  // HTTP, documents and metrics are the gateway's.
  { name: 'pdfkit|file-type|otpauth|swagger-ui-dist', only: '^gateway/' },
  { name: 'prom-client', only: '^(gateway|wiring)/' },
  // Statecharts are the actors'; the engine gets their moves as data.
  { name: 'xstate', only: '^actors/' },
  // Command lines and files of portfolios are the operators' tools.
  { name: 'commander|cli-progress', only: '^bench/' },
  // The one file that loads other services to compare with (`bench posting`): a tool of development, not of operation.
  { name: 'fastify|pg', only: '^bench/measure/compare/posting-service\\.ts$' },
];

/** Packages that compute and do nothing else: what the engine may import, and where. */
const ENGINE_PACKAGES = [
  { name: 'big.js', only: '^engine/' },
  { name: 'luxon', only: '^engine/calendar/' },
  { name: 'liquidjs', only: '^engine/templates/' },
  { name: 'saxes|csv-parse', only: '^engine/bank-statements/' },
  { name: 'sanitize-html', only: '^engine/html/' },
  { name: 'typia', only: '^engine/' },
];

const inPackage = (name) => `(^|/)node_modules/(@types/)?(${name})(/|$)`;
/** The same package under the name under which it is installed. */
const INSTALLED = { 'uWebSockets.js': 'uWebSockets\\.js|uws-pack' };
const folderOf = (folder) => `^${folder}/`;

const namesOf = (folders) => (folders.length === 0 ? 'no other folder' : folders.map((name) => `${name}/`).join(', '));

const arrows = Object.entries(ARROWS).map(([folder, allowed]) => ({
  name: `arrow-${folder}`,
  comment: `${folder}/ may import ${namesOf(allowed)}: move the code down, or hand it in through a port.`,
  from: { path: folderOf(folder) },
  to: { path: `^(${[...FOLDERS, 'packaging'].filter((name) => name !== folder && !allowed.includes(name)).join('|')})/|^tenor\\.ts$` },
}));

const indexes = FOLDERS.filter((folder) => folder !== 'test').map((folder) => ({
  name: `index-${folder}`,
  comment: `Import ${folder}/ from outside through one of its index.ts: export there what others need.`,
  from: { path: `^(${FOLDERS.filter((name) => name !== folder && name !== 'test').join('|')})/|^tenor\\.ts$` },
  // The program looks at the version of Node before anything else is loaded, which an index.ts would do.
  to: { path: folderOf(folder), pathNot: '/index\\.ts$|^wiring/(?:program|supported-node)\\.ts$' },
}));

const domains = DOMAINS.slice(0, -1).map((domain, at) => ({
  name: `domain-${domain}`,
  comment:
    `actors/${domain}/ may import no domain behind it: declare a question (actors/kernel/policy.ts) or record a fact that ` +
    'actors/reactions.ts follows.',
  from: { path: `^actors/${domain}/` },
  to: { path: `^actors/(${DOMAINS.slice(at + 1).join('|')})/|^actors/(index|modules|policies|reactions)\\.ts$` },
}));

/** A domain is entered by its index.ts; of the kernel, which has no insides to hide from domains, each file may be imported. */
const domainIndexes = DOMAINS.slice(1).map((domain) => ({
  name: `entrance-${domain}`,
  comment: `Import actors/${domain}/ from another domain through its index.ts: export there what others need.`,
  from: { path: '^actors/', pathNot: `^actors/${domain}/` },
  to: { path: `^actors/${domain}/`, pathNot: `^actors/${domain}/index\\.ts$` },
}));

const packages = PACKAGES.map(({ name, only }) => ({
  name: `package-${name.replaceAll(/[^\w|-]/g, '').replaceAll('|', '-')}`,
  comment: `Packages ${name} are imported by ${only} alone: use what is exported there.`,
  from: { pathNot: `${only}|^test/` },
  to: { path: inPackage(INSTALLED[name] ?? name) },
}));

export default {
  forbidden: [
    ...arrows,
    ...indexes,
    ...domains,
    ...domainIndexes,
    ...packages,
    {
      name: 'engine-pure',
      comment: 'engine/ computes: no built-in module of Node. Let the caller hand in what comes from outside.',
      from: { path: '^engine/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'engine-packages',
      comment: 'engine/ imports packages that only compute, each in its folder: see ENGINE_PACKAGES in .dependency-cruiser.mjs.',
      from: { path: '^engine/' },
      to: { path: '(^|/)node_modules/', pathNot: ENGINE_PACKAGES.map(({ name }) => inPackage(name)) },
    },
    ...ENGINE_PACKAGES.filter(({ only }) => only !== '^engine/').map(({ name, only }) => ({
      name: `engine-${name.replaceAll(/[^\w-]/g, '')}`,
      comment: `In the engine ${name} is imported below ${only} alone: use what is exported there.`,
      from: { path: '^engine/', pathNot: only },
      to: { path: inPackage(name) },
    })),
    {
      name: 'tests-only-from-tests',
      comment: 'Product code runs without test/: move what both need into the product.',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'nothing-of-development',
      comment: 'Product code imports what package.json lists under dependencies, since production installs nothing else.',
      from: { pathNot: '^(test|packaging)/|^bench/measure/compare/posting-service\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
    },
    {
      name: 'found',
      comment: 'The import leads to no file and no package of package.json.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Types are imports, too: a layer that knows another's types depends on it.
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
