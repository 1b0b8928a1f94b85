import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { nodeFiles } from '../../../persistence/index.js';
import { limits } from '../../../persistence/limits.js';
import { tempFolder } from '../../temp-folder.js';

test('the content of a file ends behind its last byte that is not zero', (t) => {
  const path = join(tempFolder(t), 'file');
  const step = limits.allocationStepBytes;
  for (const bytes of [0, 1, step - 1, step, step + 1, 2 * step, 2 * step + 17]) {
    for (const content of new Set([0, 1, 17, step - 1, step, step + 1, bytes - 1, bytes].filter((one) => one >= 0 && one <= bytes))) {
      const written = Buffer.alloc(bytes);
      if (content > 0) written[content - 1] = 7;
      if (content > 3) written[content - 3] = 7;
      writeFileSync(path, written);
      t.equal(nodeFiles.contentBytes(path), content, `${content} of ${bytes} bytes`);
    }
  }
  t.end();
});
