import { join } from 'node:path';
import type { JournalPosition } from '../errors.js';
import type { FileLayer } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import type { ShardHead } from '../ports.js';
import {
  Chains,
  findBatch,
  judgeInner,
  type Judgement,
  judgeTail,
  parseBatch,
  type ParsedBatch,
  walkBatches,
  type WalkEnd,
} from './walk.js';
import { asBuffer } from './format.js';
import { areSameHeads } from './read.js';
import { positionOf, recoveryCases, type Segment, surveyFolder, type Trouble } from './segments.js';

export interface JournalFindings {
  readonly segments: number;
  readonly batches: number;
  readonly blocks: number;
  readonly records: number;
  /** Where each shard's chain ends, as far as it could be followed. */
  readonly heads: ReadonlyMap<number, ShardHead>;
  /** Every fault, also those that opening would repair or cut by itself. */
  readonly findings: readonly JournalPosition[];
}

/**
 * Walks every block and every chain of the journal in the folder and reports all faults, not only the first. Writes nothing. While a
 * process runs on the folder it may find a write that is under way.
 */
export async function verifyJournal(folder: string, files: FileLayer = nodeFiles): Promise<JournalFindings> {
  const survey = await surveyFolder(files, folder);
  const verification = new Verification(files, folder, survey.segments);
  for (const index of survey.segments.keys()) verification.walk(index);
  const { batches, blocks, records, heads } = verification;
  const troubles = [...survey.troubles, ...verification.troubles];
  const findings = troubles.map((trouble) => positionOf(folder, trouble));
  return { segments: survey.segments.length, batches, blocks, records, heads, findings };
}

class Verification {
  readonly troubles: Trouble[] = [];
  batches = 0;
  blocks = 0;
  records = 0;
  /** Undefined behind damage, where nothing can be compared. */
  #end: Chains | undefined;
  #heads: ReadonlyMap<number, ShardHead> = new Map();

  constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    private readonly segments: readonly Segment[],
  ) {}

  get heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  walk(index: number): void {
    const segment = this.segments[index];
    if (segment === undefined) return;
    const { header, name } = segment;
    if (this.#end !== undefined && !areSameHeads(this.#end.heads, header.heads)) {
      this.troubles.push({ name: 'headsMismatch', file: name, offset: 0 });
    }

    const bytes = asBuffer(this.files.read(join(this.folder, name)));
    const chains = new Chains(header);
    const nextFirstBatch = this.segments[index + 1]?.header.firstBatch;
    let isSound = true;
    for (let from: number | undefined = header.headerBytes; from !== undefined; ) {
      const end = this.#count(walkBatches(bytes, header, chains, { from }));
      const judgement =
        nextFirstBatch === undefined
          ? judgeTail(bytes, header, end, chains.nextBatch)
          : judgeInner(bytes, header, end, chains.nextBatch, nextFirstBatch);
      if (recoveryCases[judgement.name].verdict !== 'take') {
        isSound = false;
        this.troubles.push({ file: name, ...judgement });
      }
      from = this.#resume(bytes, segment, chains, end, judgement);
    }
    this.#end = isSound ? chains : undefined;
    this.#heads = new Map(chains.heads);
  }

  #count(walk: Generator<ParsedBatch, WalkEnd>): WalkEnd {
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) this.#add(step.value);
    return step.value;
  }

  #add(batch: ParsedBatch): void {
    this.batches += 1;
    this.blocks += batch.blocks.length;
    for (const block of batch.blocks) this.records += block.lastSequence - block.firstSequence + 1;
  }

  /** Where to go on after what ended a walk; undefined at the end of the segment. */
  #resume(bytes: Buffer, { header }: Segment, chains: Chains, end: WalkEnd, judgement: Judgement): number | undefined {
    const { verdict } = recoveryCases[judgement.name];
    if (verdict !== 'refuse') return undefined;
    const batch = parseBatch(bytes, end.batchOffset, header.journalId);
    if (batch !== undefined) {
      if (end.type === 'damagedBlock') chains.follow(batch);
      return end.batchOffset + batch.length;
    }
    const next = findBatch(bytes, end.batchOffset + 1, header.journalId);
    if (next !== undefined) chains.resumeAt(next);
    return next?.offset;
  }
}
