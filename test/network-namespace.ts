import { execFileSync, spawnSync } from 'node:child_process';
import type { Launch } from '../bench/index.js';

type Test = { teardown(run: () => void | Promise<void>): void };

/** A host on this machine: a network namespace with links to the machine, each of which can be cut. Needs root. */
export interface Host {
  /** The words before a command that run it on the host. */
  readonly command: Launch['command'];
  /** The first one leads to all addresses of the machine. */
  link(): Link;
}

export interface Link {
  /** Address of the host on it. */
  readonly address: string;
  /** Drops all packets without an error, like an unplugged cable. */
  cut(): void;
  mend(): void;
}

/** Why this machine cannot have one; null if it can. */
export function whyNoHosts(): string | null {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const probe = `tenor-probe-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', probe]);
  if (made.status !== 0) return `network namespaces cannot be made: ${made.error?.message ?? made.stderr.toString()}`;
  ip('netns', 'del', probe);
  return null;
}

/** The network of addresses of this process, and how many of its blocks are used. */
const NET = `10.213.${process.pid % 256}`;
let blocks = 0;
let hosts = 0;

/** An address of the machine that only its own hosts can reach. */
export function machineAddress(t: Test): string {
  const [address] = nextAddresses();
  ip('addr', 'add', `${address}/32`, 'dev', 'lo');
  t.teardown(() => ip('addr', 'del', `${address}/32`, 'dev', 'lo'));
  return address;
}

export function host(t: Test): Host {
  hosts += 1;
  const number = hosts;
  const name = `tenor-${process.pid}-${number}`;
  ip('netns', 'add', name);
  t.teardown(() => ip('netns', 'del', name)); // and with it its links
  ip('-n', name, 'link', 'set', 'lo', 'up');
  let links = 0;
  return {
    command: ['ip', 'netns', 'exec', name],
    link() {
      links += 1;
      return linkTo(name, `${number}-${links}`, links === 1);
    },
  };
}

function linkTo(name: string, place: string, isDefault: boolean): Link {
  const [here, there] = [`t${process.pid}a${place}`, `t${process.pid}b${place}`]; // at most 15 characters
  const [near, far] = nextAddresses();
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
  ip('addr', 'add', `${near}/30`, 'dev', here);
  ip('-n', name, 'addr', 'add', `${far}/30`, 'dev', there);
  const set = (state: 'up' | 'down'): void => ip('link', 'set', here, state);
  set('up');
  ip('-n', name, 'link', 'set', there, 'up');
  if (isDefault) ip('-n', name, 'route', 'add', 'default', 'via', near);
  return { address: far, cut: () => set('down'), mend: () => set('up') };
}

/** The two addresses of the next block of four. */
function nextAddresses(): readonly [string, string] {
  blocks += 1;
  return [`${NET}.${4 * blocks + 1}`, `${NET}.${4 * blocks + 2}`];
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', [...args], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}
