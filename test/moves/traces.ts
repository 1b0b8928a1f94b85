import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value that was written, by its name, with the texts that would disclose it. */
export type Trace = readonly [name: string, texts: readonly string[]];

/** Digests with which a guess could be checked. */
const digestsOf = (value: string): readonly string[] =>
  [value, value.toLowerCase()].flatMap((text) =>
    (['hex', 'base64url'] as const).map((encoding) => createHash('sha256').update(text).digest(encoding)),
  );

export const traceOf = (name: string, value: string): Trace => [name, [value, ...digestsOf(value)]];

/** Names of the values that some texts disclose. */
export const namedBy = (traces: readonly Trace[], texts: readonly string[]): readonly string[] =>
  traces.filter(([, disclosing]) => disclosing.some((text) => texts.some((each) => each.includes(text)))).map(([name]) => name);

export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

const PAGE = Buffer.alloc(4096);

/** Without pages of zeros, which files of the journal and of snapshots mostly consist of. */
function written(bytes: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PAGE.length) {
    const page = bytes.subarray(at, at + PAGE.length);
    if (!page.equals(PAGE)) pages.push(page);
  }
  return Buffer.concat(pages);
}

/** The files below a folder that disclose something, and what. */
export const namedIn = (traces: readonly Trace[], folder: string): readonly string[] =>
  filesBelow(folder).flatMap((file) => {
    const bytes = written(readFileSync(file));
    const texts = [bytes.toString('latin1'), bytes.toString('utf16le')];
    return namedBy(traces, texts).map((name) => `${name} in ${file.slice(folder.length)}`);
  });
