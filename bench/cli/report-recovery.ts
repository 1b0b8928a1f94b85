import type { Logger } from 'pino';
import type { OpenReport } from '../../persistence/index.js';

/** What opening the journal has cut, mended or left alone. */
export function reportRecovery({ notes, cut }: OpenReport, log: Logger): void {
  for (const {
    file,
    offset,
    case: { letter, name, verdict, meaning },
  } of notes) {
    const details = { file, offset, case: letter, name, ...(verdict === 'cut' && cut ? { cutBytes: cut.bytes } : {}) };
    log[verdict === 'take' ? 'info' : 'warn'](details, `Opening the journal: ${meaning}.`);
  }
}
