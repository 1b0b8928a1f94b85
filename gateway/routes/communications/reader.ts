import type { ReaderQuery } from '../../../actors/index.js';
import type { Caller } from '../../routing/route.js';

/** Who reads an interaction: that decides whether sensitive content, and messages to agents, are shown. */
export const readerQueryOf = ({ userId, session }: Pick<Caller, 'userId' | 'session'>): ReaderQuery => ({
  reader: { userId, isBorrower: session?.borrower !== undefined },
});
