import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { loadMasterKey } from '../../../persistence/keys/master-key.js';

/* A process that loads the master key of a file on a message, and sends the key's digest back. */

const [file = ''] = process.argv.slice(2);
process.send?.('ready');
await once(process, 'message');
process.send?.(
  createHash('sha256')
    .update(loadMasterKey({ text: null, file }))
    .digest('hex'),
);
process.disconnect();
