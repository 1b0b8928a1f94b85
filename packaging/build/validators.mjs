// Compiles the files that ask typia for a validator, a schema or a parser of a type. typia needs the type checker of the whole program,
// which takes seconds; so it runs for those files alone, and only when a type that they reach has changed.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

const { default: typiaTransform } = createRequire(import.meta.url)('typia/lib/transform');

/**
 * Compiles `files` into `outDir`. Throws an error that names each place where typia cannot compile a type.
 * @param {{ all: readonly string[], files: readonly string[], outDir: string, onWritten?: (file: string) => void }} order
 *   `all`: each file that asks typia; the program is the same whichever of them are compiled
 */
export function compileValidators({ all, files, outDir }) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)).config,
    ts.sys,
    '.',
  );
  const program = ts.createProgram([...all], { ...options, noEmit: false, outDir, sourceMap: true, rootDir: '.' });
  const faults = [];
  const write = (name, text) => ts.sys.writeFile(name, name.endsWith('.js') && text.includes(WHEN_ASKED) ? HELPER + text : text);
  const transform = typiaTransform(program, {}, { addDiagnostic: (fault) => faults.push(fault), ts, library: ts });
  for (const file of files) program.emit(program.getSourceFile(file), write, undefined, false, { before: [schemasWhenAsked, transform] });
  if (faults.length > 0)
    throw new Error(
      ts.formatDiagnostics(faults, { getCanonicalFileName: (name) => name, getCurrentDirectory: () => join('.'), getNewLine: () => '\n' }),
    );
}

/**
 * Schemas are half of what typia makes, and a process asks for few of them: each is made when it is read first. A process of Tenor then
 * starts in less time and memory.
 */
const WHEN_ASKED = '__whenAsked';
/** On the first line of the file, so that source maps stay right. */
const HELPER =
  `const ${WHEN_ASKED} = (make) => { let made; const all = () => (made ??= make()); return { get version() { return all().version; }, ` +
  'get components() { return all().components; }, get schemas() { return all().schemas; } }; }; ';

/** Puts each `typia.json.schemas<...>()` into a function, before typia replaces it by the schemas. */
const schemasWhenAsked = (context) => (file) => {
  const { factory } = context;
  const visit = (node) => {
    if (!isSchemas(node)) return ts.visitEachChild(node, visit, context);
    const make = factory.createArrowFunction(undefined, undefined, [], undefined, undefined, node);
    return factory.createCallExpression(factory.createIdentifier(WHEN_ASKED), undefined, [make]);
  };
  return ts.visitNode(file, visit);
};

const isSchemas = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'schemas' &&
  ts.isPropertyAccessExpression(node.expression.expression) &&
  node.expression.expression.name.text === 'json';
