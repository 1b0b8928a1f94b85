import type { Test } from 'tap';
import { type AchOverHttp, openAch } from '../ach/ach-over-http.js';
import { type TestSftpServer, openSftpServer } from '../campaigns/sftp-server.js';
import { EQUIFAX, REPORTER } from '../credit-reporting/credit-over-http.js';
import { dataOf, idOf } from '../http-lender.js';
import { SMALL } from '../loan-over-http.js';
import { ACCOUNT_OF_INVESTOR } from '../parties/settled-lender.js';

export type Data = Readonly<Record<string, unknown>>;

export interface DaysOverHttp extends AchOverHttp {
  /** The path of a loan that the investor owns. */
  readonly owned: string;
  readonly tapeId: string;
  readonly investorId: string;
  readonly agencyId: string;
  /** Takes loan tapes. */
  readonly tapeServer: TestSftpServer;
  /** Moves the clock to a moment, does all work that is due, and looks at it. */
  at(moment: string): Promise<void>;
  look(): Promise<void>;
  /** The works of a day, by name; those of the closes of other zones are left out. */
  day(date?: string): Promise<Readonly<Record<string, Data>>>;
  late(): Promise<readonly Data[]>;
}

const LOGIN = { username: 'tapes', password: 'kept secret' };

/** A lender with a bank, an investor who is settled each day, a daily tape at 06:00, and an agency that gets its file on the 3rd. */
export async function openDays(t: Test, processor: object = {}): Promise<DaysOverHttp> {
  const lender = await openAch(t, processor);
  const { ask, company, h, loanTypeId, settled } = lender;
  const look = (): Promise<void> => h.dayWork.run();
  await look();
  const tapeServer = await openSftpServer(t, LOGIN);
  const investorId = idOf(await ask('POST', `/companies/${company}/investors`, { legalName: 'Alpha', settlementFrequency: 'daily' }));
  await ask('POST', `/companies/${company}/investors/${investorId}/settlement-instruments`, { ...ACCOUNT_OF_INVESTOR, isExternal: true });
  const owned = await lender.active({ atOrigination: { ...SMALL, investors: [{ investorId, share: 1 }] } });
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanId'], compressionType: 'noCompression', runTimeOfDay: '06:00' };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const address = { sftpHostname: tapeServer.host, sftpUsername: LOGIN.username, sftpPassword: LOGIN.password };
  const tapeId = idOf(await ask('POST', `/companies/${company}/loan-tapes`, { loanTapeTypeId, ...address }));
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, specificDays: [3] }));
  const configured = await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { ...REPORTER, creditAgencyIds: [agencyId] });
  if (configured.status !== 200) throw new Error(configured.text);
  await look();
  return {
    ...lender,
    owned,
    tapeId,
    investorId,
    agencyId,
    tapeServer,
    look,
    async at(moment) {
      h.nowMs = Date.parse(moment);
      await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
      await settled();
      for (let step = 0; step < 3; step += 1) await h.campaigns.settlementsAdvanced();
      await h.campaigns.tapesSettled();
      await h.campaigns.settled();
      await h.engine.settled();
      await look();
    },
    async day(date) {
      const answer = await ask('GET', `/operations/daily${date === undefined ? '' : `?date=${date}`}`);
      if (answer.status !== 200) throw new Error(answer.text);
      return worksOf(dataOf(answer));
    },
    late: async () => {
      const events = await ask('GET', '/events?eventType=operation.late&order=asc&limit=100');
      return (events.json['data'] as readonly { readonly data: Data }[]).map(({ data }) => data);
    },
  };
}

/** The works of a calendar's last day by name. */
export function worksOf(calendar: Data): Readonly<Record<string, Data>> {
  const days = calendar['days'] as readonly { readonly works: readonly Data[] }[];
  const works = days.at(-1)?.works.filter(({ work, timezone }) => work !== 'dayClose' || timezone === 'America/New_York') ?? [];
  return Object.fromEntries(works.map((work) => [String(work['work']), work]));
}
