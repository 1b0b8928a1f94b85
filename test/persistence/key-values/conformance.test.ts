import { MemoryKeyValue } from '../../../persistence/index.js';
import { natsServer } from '../../nats.js';
import { conforms } from './conformance.js';

conforms('in one process', () => {
  const store = new MemoryKeyValue();
  return { open: async () => store };
});

conforms('in a bucket of the cluster', async (t) => {
  const server = await natsServer(t);
  return { open: () => server.records() };
});
