/**
 * All that opening, reading or verifying a journal can find, as one table. What a crash, a kill or a power cut can
 * leave behind is taken care of without a person. What none of them can leave behind means that somebody or
 * some disk has changed the past: the journal refuses to open and names the place.
 *
 *   take      as it is, nothing to do
 *   mend      a leftover without any content that was ever promised: put right and reported
 *   cut       the end of a write that never resolved, so that nobody was told of it: zeroed and reported
 *   tell      left alone and reported
 *   refuse    `JournalDamaged`: a person restores the file
 */
export interface RecoveryCase {
  readonly letter: string;
  readonly name: string;
  readonly verdict: 'take' | 'mend' | 'cut' | 'tell' | 'refuse';
  readonly meaning: string;
}

const table = {
  // The folder.
  noSegment: row('A', 'take', 'no segment yet: a journal begins here'),
  unfinishedPreparation: row('B', 'mend', 'the next segment was still being filled with zeros: removed'),
  preparation: row('C', 'take', 'the next segment lies ready'),
  // A crash between writing the header of the next segment and giving it its name.
  usedPreparation: row('D', 'mend', 'the next segment has another size, or bytes but no name yet: removed'),
  strayFile: row('E', 'tell', 'a file that is not of the journal'),

  // The last segment, behind its last sound batch.
  whole: row('F', 'take', 'batches, then zeros'),
  zeroTail: row('G', 'take', 'a header, then zeros: no batch yet'),
  // A torn write leaves whole sectors out: those still hold zeros (tear.ts).
  tornTail: row('H', 'cut', 'the last write was torn and never acknowledged'),
  // The size was flushed before the segment was used, so no crash shortens it; only zeros are missing, though.
  trimmedTail: row('I', 'mend', 'the file lost zeros at its end: grown again'),

  // What no crash leaves behind.
  damagedInside: row('J', 'refuse', 'a batch is damaged and a sound one follows it'),
  damagedEnd: row('K', 'refuse', 'all sectors of the last batch were written, yet its checksum is wrong'),
  cutFile: row('L', 'refuse', 'the file is shorter than it was made, and batches are missing'),
  missingSegment: row('M', 'refuse', 'a segment is missing'),
  batchGap: row('N', 'refuse', 'a sound batch stands where another one belongs'),
  sequenceGap: row('O', 'refuse', 'the records of a shard do not continue where they ended'),
  chainMismatch: row('P', 'refuse', 'a block does not name the hash of the block before it'),
  headsMismatch: row('Q', 'refuse', 'the header names other heads than the segment before ends with'),
  damagedBlock: row('R', 'refuse', 'the bytes of a block are not those that its hash was made from'),

  // Headers of files that carry the name of a segment. A segment gets its name after its header was flushed.
  emptyFile: row('S', 'refuse', 'the file is empty'),
  shortFile: row('T', 'refuse', 'the file ends inside its header'),
  foreignFile: row('U', 'refuse', 'the file is not a segment'),
  otherVersion: row('V', 'refuse', 'the segment was written by another version of the program'),
  unreadableHeader: row('W', 'refuse', 'the header is damaged'),
  otherJournal: row('X', 'refuse', 'the segment belongs to another journal'),
  misnamedSegment: row('Y', 'refuse', 'the file has the name of another segment'),
} as const;

export type RecoveryCaseName = keyof typeof table;

export const recoveryCases: Readonly<Record<RecoveryCaseName, RecoveryCase>> = named(table);

type Row = Omit<RecoveryCase, 'name'>;

function row(letter: string, verdict: RecoveryCase['verdict'], meaning: string): Row {
  return { letter, verdict, meaning };
}

function named(rows: Readonly<Record<RecoveryCaseName, Row>>): Readonly<Record<RecoveryCaseName, RecoveryCase>> {
  const entries = Object.entries(rows).map(([name, each]) => [name, { ...each, name }]);
  return Object.fromEntries(entries) as Record<RecoveryCaseName, RecoveryCase>;
}
