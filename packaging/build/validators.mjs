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
  const transform = typiaTransform(program, {}, { addDiagnostic: (fault) => faults.push(fault), ts, library: ts });
  for (const file of files) program.emit(program.getSourceFile(file), undefined, undefined, false, { before: [transform] });
  if (faults.length > 0)
    throw new Error(
      ts.formatDiagnostics(faults, { getCanonicalFileName: (name) => name, getCurrentDirectory: () => join('.'), getNewLine: () => '\n' }),
    );
}
