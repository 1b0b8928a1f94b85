import type { Call } from '../routing/route.js';

/** What a query of the service's own answers. */
export const readData = async <Data>(call: Pick<Call, 'read'>, type: string, target: string | null, query: object = {}): Promise<Data> =>
  (await call.read(type, target, { query })).data as Data;
