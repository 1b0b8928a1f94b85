import { openJournal } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { SMALL_SEGMENT_BYTES } from './blocks.js';
import { conforms } from './conformance.js';

conforms('segment files', (t) => {
  const folder = tempFolder(t);
  return { open: () => openJournal({ folder, segmentBytes: SMALL_SEGMENT_BYTES }) };
});
