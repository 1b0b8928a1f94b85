import { textIn } from '../../engine/index.js';

/** Meanings of the system's error codes of connections, for the user who named the address. */
const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name servers do not answer',
  EHOSTUNREACH: 'no way leads to this machine',
  ENETUNREACH: 'no way leads to this machine',
  ETIMEDOUT: 'no answer came in time',
  ECONNRESET: 'the other side has ended the connection',
  EPIPE: 'the other side has ended the connection',
  UND_ERR_SOCKET: 'the other side has ended the connection',
  UND_ERR_CONNECT_TIMEOUT: 'no answer came in time',
  EADDRINUSE: 'another program uses it',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'the user that runs this may not use it: ports below 1024 are for root',
};

/** What is wrong with a connection; null where its code says nothing of one. */
export const connectionFault = (cause: unknown): string | null => FAULTS[textIn(cause, 'code') ?? ''] ?? null;
