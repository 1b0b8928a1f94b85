import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { tempFolder } from '../temp-folder.js';

/** The build compiles a file that uses typia only when a type that it reaches has changed. These tests check that rule. */
const project = resolve(import.meta.dirname, '../../..');

interface Closure {
  readonly file: string;
  readonly name: string;
  readonly hash: string;
}

interface TypeClosures {
  readonly TypeClosures: new () => { of(file: string): readonly Closure[] };
}

interface Validators {
  compileValidators(order: { readonly all: readonly string[]; readonly files: readonly string[]; readonly outDir: string }): void;
}

const buildModule = async <T>(name: string): Promise<T> => (await import(pathToFileURL(join(project, 'packaging/build', name)).href)) as T;

test('validators and schemas in dist match the current types', async (t) => {
  const { compileValidators } = await buildModule<Validators>('validators.mjs');
  const manifest = JSON.parse(readFileSync(join(project, 'dist/.build.json'), 'utf8')) as {
    readonly validators: { readonly closures: Readonly<Record<string, string>> };
  };
  const all = Object.keys(manifest.validators.closures);
  t.ok(all.length > 50, `${all.length} files ask typia`);
  const outDir = tempFolder(t);
  compileValidators({ all, files: all, outDir });
  const stale = all.filter((file) => {
    const compiled = file.replace(/\.ts$/, '.js');
    return tokensOf(join(outDir, compiled)) !== tokensOf(join(project, 'dist', compiled));
  });
  t.strictSame(stale, []);
});

test('schemas are made when they are read first, and not by each process that starts', (t) => {
  const count = (file: string, text: string): number => readFileSync(join(project, file), 'utf8').split(text).length - 1;
  const schemas = count('gateway/routes/loans/loans.ts', 'typia.json.schemas<');
  t.ok(schemas > 5, `${schemas} schemas`);
  t.equal(count('dist/gateway/routes/loans/loans.js', '__whenAsked(() => '), schemas);
  t.end();
});

/**
 * The identifiers and numbers of a file, sorted. The checker writes the members of a union in the order in which it met them, which may
 * differ. The text of an expected long union names only the first ones.
 */
const tokensOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/\\"[^"\\]*\\"(?: \| (?:\\"[^"\\]*\\"|\.\.\. \d+ more \.\.\.))+/g, 'union')
    .replace(/\b(_[a-z]+|_index|elem)\d+\b/g, '$1')
    .split(/[^\w$.]+/)
    .sort()
    .join(' ');

test('a file is compiled again only when a declaration changes that its types reach', async (t) => {
  const { TypeClosures } = await buildModule<TypeClosures>('type-closures.mjs');
  const folder = tempFolder(t);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const closureOf = (): string =>
    new TypeClosures()
      .of(join(folder, 'routes.ts'))
      .map(({ file, name, hash }) => `${file} ${name} ${hash}`)
      .sort()
      .join('\n');
  write(
    'routes.ts',
    "import typia from 'typia';\nimport type { Request } from './index.js';\nexport const check = typia.createIs<Request>();\n",
  );
  write('index.ts', "export type { Request } from './requests.js';\nexport { helper } from './helper.js';\n");
  write(
    'requests.ts',
    "import { KINDS } from './kinds.js';\n" +
      'export interface Request { readonly kind: (typeof KINDS)[number] }\n' +
      'export interface Other { readonly a: 1 }\n',
  );
  write('kinds.ts', "const FIRST = 'a';\nexport const KINDS = [FIRST, 'b'] as const;\nexport const unused = 1;\n");
  write('helper.ts', 'export const helper = (): number => 1;\n');
  const before = closureOf();

  write('helper.ts', 'export const helper = (): number => 2;\n');
  write('kinds.ts', "const FIRST = 'a';\nexport const KINDS = [FIRST, 'b'] as const;\nexport const unused = 2;\n");
  t.equal(closureOf(), before, 'neither a function beside the types nor a constant that they do not name');

  write('kinds.ts', "const FIRST = 'c';\nexport const KINDS = [FIRST, 'b'] as const;\nexport const unused = 2;\n");
  const withKind = closureOf();
  t.not(withKind, before, 'a constant behind a constant that a type names');

  write(
    'requests.ts',
    "import { KINDS } from './kinds.js';\n" +
      '/** What is asked. */\n' +
      'export interface Request { readonly kind: (typeof KINDS)[number] }\n' +
      'export interface Other { readonly a: 1 }\n',
  );
  t.not(closureOf(), withKind, 'the comment of a type, which becomes the description of its schema');

  write('index.ts', "export type { Other as Request } from './requests.js';\n");
  t.not(closureOf(), withKind, 'a name that means another declaration');
});
