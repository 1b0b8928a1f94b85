import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from 'c8';

/*
 * `npm test -- --coverage engine/`: which lines and branches of the sources the tests run. V8 counts in each process, and source maps lead
 * from compiled lines to those of the sources.
 */

/** The folder of the pages: `coverage/index.html` for people, `coverage/lcov.info` for editors. */
const PAGES = 'coverage';

const FOLDERS = /^(engine|actors|persistence|gateway|bench|wiring)(\/|$)/;

/** A folder for the counts of processes, and the variable that makes them count. */
export interface Counting {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export function beginCounting(): Counting {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-coverage-'));
  return { folder, environment: { NODE_V8_COVERAGE: folder } };
}

/**
 * Prints a line for each source, and writes pages. Sources that no test loads count as never run.
 * @param wanted the arguments that selected the tests: folders of sources among them are reported, or `engine/` if there are none
 */
export async function reportCoverage(project: string, { folder }: Counting, wanted: readonly string[]): Promise<void> {
  const named = wanted.filter((part) => FOLDERS.test(part)).map((part) => part.replace(/\/$/, ''));
  const include = (named.length > 0 ? named : ['engine']).map((part) => `${part}/**/*.ts`);
  try {
    await new Report({
      tempDirectory: folder,
      reportsDirectory: join(project, PAGES),
      reporter: ['text', 'html', 'lcovonly'],
      include,
      exclude: [],
      extension: ['.ts'],
      excludeAfterRemap: true,
      all: true,
      src: [project],
      resolve: '',
    }).run();
    console.log(`Each line and branch: ${PAGES}/index.html`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
