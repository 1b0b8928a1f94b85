import { join } from 'node:path';
import type { FileLayer, OpenFile } from '../files/file-layer.js';
import type { JournalPosition } from '../errors.js';
import type { ShardHead } from '../ports.js';
import { endOfContent } from '../files/zeros.js';
import { asBuffer, HEADER_ALIGNMENT, roundUp } from './format.js';
import { damaged, positionOf, type RecoveryCaseName, recoveryCases, type Segment, type SegmentHeader, surveyFolder } from './segments.js';
import { Chains, type Judgement, judgeTail, walkBatches } from './walk.js';

/** What opening has found and done. */
export interface OpenReport {
  readonly segments: number;
  /** The end of a write that was never acknowledged, which was cut. */
  readonly cut: { readonly file: string; readonly offset: number; readonly bytes: number } | null;
  /** Everything that was repaired, cut or left alone, with its position and case. */
  readonly notes: readonly JournalPosition[];
}

/** The journal's end: the position of the next batch. */
export interface Recovered {
  readonly segments: readonly Segment[];
  readonly last: { readonly segment: Segment; readonly file: OpenFile; readonly offset: number } | null;
  readonly nextBatch: number;
  readonly heads: ReadonlyMap<number, ShardHead>;
  /** Names of what a preparation has left. */
  readonly preparations: readonly string[];
  readonly report: OpenReport;
}

/**
 * Finds the end of the journal and makes everything before it durable. Earlier segments are judged by their headers
 * here and by their bytes when they are read. Throws `JournalDamaged`.
 */
export async function recover(files: FileLayer, folder: string): Promise<Recovered> {
  const survey = await surveyFolder(files, folder);
  const refused = survey.troubles.find(({ name }) => recoveryCases[name].verdict === 'refuse');
  if (refused !== undefined) throw damaged(folder, refused);

  const { segments, preparations } = survey;
  const notes = survey.troubles.map((trouble) => positionOf(folder, trouble));
  const segment = segments.at(-1);
  if (segment === undefined) {
    notes.push(positionOf(folder, { name: 'noSegment', file: '', offset: 0 }));
    return { segments, preparations, last: null, nextBatch: 1, heads: new Map(), report: { segments: 0, cut: null, notes } };
  }
  const { file, offset, chains, cut } = await recoverLast(files, folder, segment, notes);
  const { nextBatch, heads } = chains;
  return { segments, preparations, last: { segment, file, offset }, nextBatch, heads, report: { segments: segments.length, cut, notes } };
}

interface End {
  readonly file: OpenFile;
  readonly offset: number;
  readonly chains: Chains;
  readonly cut: OpenReport['cut'];
}

async function recoverLast(files: FileLayer, folder: string, segment: Segment, notes: JournalPosition[]): Promise<End> {
  const { header, name: file } = segment;
  const path = join(folder, file);
  // Most of a segment is zeros. The whole file is read only where its content does not end in zeros.
  const contentBytes = roundUp(files.contentBytes(path), HEADER_ALIGNMENT) + HEADER_ALIGNMENT;
  let walked = walkLast(asBuffer(files.read(path, contentBytes)), header, files.size(path));
  if (!ENDS_IN_ZEROS.includes(walked.judgement.name)) walked = walkLast(asBuffer(files.read(path)), header);
  const { bytes, chains, lastBatchAt, offset } = walked;
  const judgement = { file, ...walked.judgement };
  const { verdict } = recoveryCases[judgement.name];
  if (verdict === 'refuse') throw damaged(folder, judgement);
  if (verdict !== 'take') notes.push(positionOf(folder, judgement));

  const cutBytes = endOfContent(bytes, offset) - offset;
  const open = await files.open(path, 'write');
  try {
    if (open.size() < header.segmentBytes) await open.allocate(header.segmentBytes);
    if (cutBytes > 0) await open.write(Buffer.alloc(cutBytes), offset);
    // The last batch may be only in the page cache: its process was killed, or a flush failed and left the pages marked clean. It is
    // written once more and flushed before it is served.
    await open.write(bytes.subarray(lastBatchAt, offset), lastBatchAt);
    await open.datasync();
  } catch (cause) {
    await open.close();
    throw cause;
  }
  return { file: open, offset, chains, cut: cutBytes > 0 ? { file: path, offset, bytes: cutBytes } : null };
}

/** Cases of a last segment with nothing behind its last batch. */
const ENDS_IN_ZEROS: readonly RecoveryCaseName[] = ['whole', 'zeroTail'];

interface Walked {
  readonly bytes: Buffer;
  readonly chains: Chains;
  readonly lastBatchAt: number;
  /** Behind the last sound batch. */
  readonly offset: number;
  readonly judgement: Judgement;
}

function walkLast(bytes: Buffer, header: SegmentHeader, fileBytes: number = bytes.length): Walked {
  const chains = new Chains(header);
  const walk = walkBatches(bytes, header, chains);
  let lastBatchAt = header.headerBytes;
  let step = walk.next();
  for (; step.done !== true; step = walk.next()) lastBatchAt = step.value.offset;
  const { batchOffset: offset } = step.value;
  return { bytes, chains, lastBatchAt, offset, judgement: judgeTail(bytes, header, step.value, chains.nextBatch, fileBytes) };
}
