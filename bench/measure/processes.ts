import { readFileSync } from 'node:fs';
import { must } from '../../engine/index.js';

/** A process whose processor time counts. */
export interface Counted {
  readonly name: string;
  readonly pid: number;
}

/** Of the kernel's clock (`getconf CLK_TCK`), the same on all Linux machines of our time. */
const TICKS_PER_SECOND = 100;

/** Behind the name of the program, which may hold anything, in brackets. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** What each process has taken of the processors since its start, in seconds: from `/proc`, so on Linux alone. */
export const processorSeconds = (processes: readonly Counted[]): readonly number[] =>
  processes.map(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (field: number): number => Number(must(fields[field], 'a field of /proc'));
    return (ticks(USER_TICKS) + ticks(SYSTEM_TICKS)) / TICKS_PER_SECOND;
  });

/** What each process holds that is no page of a file: from `/proc`, so on Linux alone. */
export const memoryBytes = (processes: readonly Pick<Counted, 'pid'>[]): readonly number[] =>
  processes.map(({ pid }) => {
    const [, kilobytes] = must(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')), 'RssAnon');
    return Number(kilobytes) * 1024;
  });
