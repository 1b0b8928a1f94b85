import { join } from 'node:path';
import { JournalDamaged, type JournalPlace } from '../errors.js';
import type { FileLayer } from '../files/file-layer.js';
import { limits } from '../limits.js';
import { firstBatchOfName, PREPARED_NAME, segmentName, UNFINISHED_NAME } from './format.js';
import { recoveryCases, type RecoveryCaseName } from './recovery-cases.js';
import { decodeHeader, type HeaderSight, type SegmentHeader } from './segment-header.js';

/** A segment whose header is sound. */
export interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
}

/** What is wrong in which file and where in it. */
export interface Trouble {
  readonly name: RecoveryCaseName;
  readonly file: string;
  readonly offset: number;
  /** The name that the file should have. */
  readonly trueName?: string;
}

/** What lies in the folder, by its headers alone. */
export interface Survey {
  /** In the order of writing. */
  readonly segments: readonly Segment[];
  readonly troubles: readonly Trouble[];
  /** Names of what a preparation has left. */
  readonly preparations: readonly string[];
}

const headerCases = {
  empty: 'emptyFile',
  short: 'shortFile',
  foreign: 'foreignFile',
  otherVersion: 'otherVersion',
  unreadable: 'unreadableHeader',
} as const satisfies Record<Exclude<HeaderSight['type'], 'whole'>, RecoveryCaseName>;

/** Looks at names and headers, and at whether they make one line without gaps. */
export async function surveyFolder(files: FileLayer, folder: string): Promise<Survey> {
  const segments: Segment[] = [];
  const troubles: Trouble[] = [];
  const preparations: string[] = [];
  for (const file of await files.list(folder)) {
    const firstBatch = firstBatchOfName(file);
    if (file === PREPARED_NAME || file === UNFINISHED_NAME) preparations.push(file);
    else if (firstBatch === undefined) troubles.push({ name: 'strayFile', file, offset: 0 });
    else {
      const sight = decodeHeader(files.read(join(folder, file), limits.headerBytes));
      const name = sight.type === 'whole' ? misfit(sight.header, firstBatch, segments) : headerCases[sight.type];
      if (name !== undefined) troubles.push({ name, file, offset: 0, ...trueNameOf(sight) });
      if (sight.type === 'whole') segments.push({ name: file, header: sight.header });
    }
  }
  return { segments, troubles, preparations };
}

function misfit(header: SegmentHeader, firstBatch: number, before: readonly Segment[]): RecoveryCaseName | undefined {
  const previous = before.at(-1)?.header;
  if (header.firstBatch !== firstBatch) return 'misnamedSegment';
  if (previous !== undefined && !previous.journalId.equals(header.journalId)) return 'otherJournal';
  return header.index === (previous?.index ?? 0) + 1 ? undefined : 'missingSegment';
}

function trueNameOf(sight: HeaderSight): Pick<Trouble, 'trueName'> {
  return sight.type === 'whole' ? { trueName: segmentName(sight.header.firstBatch) } : {};
}

export function placeOf(folder: string, trouble: Trouble): JournalPlace {
  return { file: join(folder, trouble.file), offset: trouble.offset, case: recoveryCases[trouble.name] };
}

/** The error for a case whose verdict is to refuse. */
export function damaged(folder: string, trouble: Trouble): JournalDamaged {
  return new JournalDamaged(placeOf(folder, trouble), restoreCommand(folder, trouble));
}

function restoreCommand(folder: string, { name, file, trueName = file }: Trouble): string {
  if (name === 'missingSegment') return `cp -n BACKUP/journal-*.segment ${folder}/`;
  if (name === 'misnamedSegment') return `mv -n ${join(folder, file)} ${join(folder, trueName)}`;
  return `cp BACKUP/${file} ${join(folder, file)}`;
}
