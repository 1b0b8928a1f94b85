import type { MetricRow } from './table.js';

const QUESTION_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 150, 300];

/** Of what the service sends by itself, and of the campaigns and questions behind it. */
export const OUTGOING_METRICS = {
  tenor_webhook_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    unit: 'attempts',
    meaning: 'calls of webhook receivers, `delivered` or `failed`. Reported by the owner of the shared unit',
    whenOdd: 'many `failed`: `tenor webhooks` shows which webhook',
  },
  tenor_webhook_messages_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'messages',
    meaning: 'webhook messages in memory that are not delivered. Above 1,000 for one webhook, events wait in the log',
    whenOdd: 'rises: a receiver is slower than its events arrive',
  },
  tenor_webhook_oldest_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'age of the oldest webhook message that is not delivered',
    whenOdd: 'above an hour: runbooks/webhook-failing.md',
  },
  tenor_webhooks_failing: {
    type: 'gauge',
    labels: [],
    unit: 'webhooks',
    meaning: 'webhooks whose last attempt failed',
    whenOdd: 'above 0 for half an hour: runbooks/webhook-failing.md',
  },

  tenor_messages_total: {
    type: 'counter',
    labels: ['channel', 'outcome'],
    unit: 'tries',
    meaning:
      'attempts to hand messages over: `handedOver`, `refused` by the provider for good, `failed`. ' +
      '`givenUp` counts messages after their last attempt. Reported by the owner of the shared unit',
    whenOdd:
      '`failed` rises: the provider does not answer or the settings are wrong, see the log. ' +
      '`givenUp`: `tenor messages list`, runbooks/messages-undelivered.md',
  },
  tenor_messages_waiting: {
    type: 'gauge',
    labels: ['channel'],
    unit: 'messages',
    meaning: 'messages whose time has come and that no provider has, as the last look found them; 100 of a company at most',
    whenOdd: 'does not go down: what hands them over is slower than they come; 50 a second of a company is the bound',
  },
  tenor_mail_reports_total: {
    type: 'counter',
    labels: ['outcome'],
    unit: 'mails',
    meaning:
      'mails that were read from the mailbox of reports: `delivery`, `complaint`; `withoutEffect`, such as a delay or a word that it is ' +
      'no spam; `notBelieved`: it fits no e-mail of the service; `forPeople`: no report. Reported by the owner of the shared unit',
    whenOdd:
      '`complaint` rises: borrowers get what they do not want, and mailbox providers stop it for all. ' +
      '`notBelieved` rises: somebody makes reports up; they change nothing and are in `cur` of the mailbox',
  },

  tenor_campaign_runs_total: {
    type: 'counter',
    labels: ['status'],
    unit: 'runs',
    meaning: 'runs of campaigns that have ended, by status (succeeded, partiallyFailed, failed). Reported by the owner of the shared unit',
    whenOdd: '`failed` rises: the `error` of the run names the reason',
  },
  tenor_campaign_rows_total: {
    type: 'counter',
    labels: ['status'],
    unit: 'rows',
    meaning: 'rows of lists that campaigns have worked, by status (exported, sent, blocked, failed, skipped)',
    whenOdd: '`failed` or `blocked` rises much faster than before: the rows of the run have a reason each',
  },
  tenor_questions_total: {
    type: 'counter',
    labels: ['outcome'],
    unit: 'questions',
    meaning: 'questions in SQL, reports and queries of campaigns: `answered`, `refused`, `failed`, `late`, `tooLarge`, `closed`',
    whenOdd:
      '`late` or `tooLarge` rises: the questions ask for too much at once; `closed`: the process of the views has ended, see the log',
  },
  tenor_question_seconds: {
    type: 'histogram',
    labels: [],
    unit: 'seconds',
    buckets: QUESTION_SECONDS,
    meaning: 'time from a question to its answer, with filling and following the views that it names',
    whenOdd: 'high: compare with `tenor_views_fill_seconds`',
  },
  tenor_views_fill_seconds: {
    type: 'histogram',
    labels: [],
    unit: 'seconds',
    buckets: QUESTION_SECONDS,
    meaning:
      'time to fill views that were neither there nor kept: after a start, at the begin of a day (loans, events), when objects were erased',
    whenOdd: 'often: views are filled again and again, since objects are deleted or more than eight accesses ask in turn',
  },

  tenor_server_keys_refused_total: {
    type: 'counter',
    labels: ['mode'],
    unit: 'connections',
    meaning: 'connections to SFTP servers that were ended, since the server had another key than the configured or recorded one',
    whenOdd: 'rises: a server has got another key, or another machine answers under its name. runbooks/server-key.md',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
