import { Resolver } from 'node:dns/promises';
import type { Mode } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/** A text that a host's name servers should have. */
interface WantedText {
  readonly host: string;
  readonly value: string;
}

/** Asks name servers for the texts of a host: none where the host has none, or nobody answers in time. Never throws. */
export interface NameServers {
  texts(wanted: WantedText, mode: Mode): Promise<readonly string[]>;
}

/** In test mode every host has what is wanted of it, but for those below a name that begins so. */
const NEVER_VERIFIED = 'unverified.';

const isFoundInTest = ({ host }: WantedText): boolean => !host.slice(host.indexOf('.') + 1).startsWith(NEVER_VERIFIED);

/** Answers from a list, and asks nobody. */
export const localNames = (texts: ReadonlyMap<string, readonly string[]>): NameServers => ({
  texts: async (wanted, mode) => [...(texts.get(wanted.host) ?? []), ...(mode === 'test' && isFoundInTest(wanted) ? [wanted.value] : [])],
});

/** Of the live mode those that the machine is set up with. */
export function systemNames(
  resolver: Pick<Resolver, 'resolveTxt'> = new Resolver({ timeout: LIMITS.nameServerMs, tries: LIMITS.nameServerTries }),
): NameServers {
  const local = localNames(new Map());
  return {
    async texts(wanted, mode) {
      if (mode === 'test') return local.texts(wanted, mode);
      // A host that has no such record and a server that does not answer come to the same: the domain is not verified.
      const parts = await resolver.resolveTxt(wanted.host).catch(() => []);
      return parts.map((each) => each.join(''));
    },
  };
}

const HEADER = 'host,text';

/**
 * Reads texts of hosts: lines as `_sending.mail.example,sending-domain=MA-…` under their header.
 *
 * @throws TypeError that names the line that is none.
 */
export function parseNames(text: string): ReadonlyMap<string, readonly string[]> {
  const [header, ...lines] = text.split(/\r?\n/).map((line) => line.trim());
  if (header !== HEADER) throw new TypeError(`line 1 must be ${HEADER}`);
  const texts = new Map<string, readonly string[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const comma = line.indexOf(',');
    if (comma < 1) throw new TypeError(`line ${index + 2} is no text of a host: ${line}`);
    const host = line.slice(0, comma).toLowerCase();
    texts.set(host, [...(texts.get(host) ?? []), line.slice(comma + 1)]);
  }
  return texts;
}
