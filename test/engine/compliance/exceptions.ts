import { at, call, caseOf, letterbox, plan, type Row, situation } from './situations.js';

/** What the rules spare, and where they stop again. */
const texts = { channel: 'text' } as const;
const no = (requestChannel: string): ReturnType<typeof caseOf> =>
  caseOf('ceaseCommunication', { fields: { scope: 'channels', requestChannel } });
const stopped = call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' });
const inbound = { direction: 'inbound', theme: 'inbGeneral' } as const;

export const EXCEPTIONS: readonly Row[] = [
  [
    'US-INCONVENIENT',
    '"stop calling", then a call that nobody took, is called back by who cannot say so',
    plan(),
    situation({ history: [stopped, call(at('2026-06-01 09:30'), { ...inbound, status: 'attempted' })] }),
    false,
  ],
  [
    'US-INCONVENIENT',
    'not after eight days',
    plan(),
    situation({ history: [stopped, call(at('2026-05-25 09:30'), { ...inbound, status: 'attempted' })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'nor one in which an agent was spoken to',
    plan(),
    situation({ history: [stopped, call(at('2026-06-01 09:30'), { ...inbound, agentOutcome: 'voiceSpokeWithFirstParty' })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    '"stop texting me", then a text of theirs is answered',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound })] }),
    false,
  ],
  [
    'US-INCONVENIENT',
    'a text that answers nothing',
    plan(texts),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'answered once by text',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound }), call(at('2026-06-01 13:00'), texts)] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'the text that asked for it is answered by none',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-05-04'), { ...texts, ...inbound })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'no letters: one to collect',
    plan({ channel: 'mail' }),
    situation({ contact: letterbox(), cases: [no('mail')] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'no letters: the right to cure',
    plan({ channel: 'mail', subject: 'loanRightToCurePersonalUnsecured', isLegallyRequired: true }),
    situation({ contact: letterbox(), cases: [no('mail')] }),
    false,
  ],
];
