import { test } from 'tap';
import { ProcessMetrics } from '../../gateway/index.js';

test('deliveries are counted by outcome, and only the process that delivers reports how many wait', async (t) => {
  const [delivers, idle] = [new ProcessMetrics(), new ProcessMetrics()];
  const { tried, delivering } = delivers.deliveries();
  idle.deliveries();
  for (const isDelivered of [true, true, false]) tried(isDelivered);
  delivering(() => ({ waiting: 7, oldestSeconds: 90, failing: 1 }));
  const text = await delivers.registry.metrics();
  t.match(text, /tenor_webhook_attempts_total\{outcome="delivered"\} 2\n/);
  t.match(text, /tenor_webhook_attempts_total\{outcome="failed"\} 1\n/);
  t.match(text, /tenor_webhook_messages_waiting 7\n[^]*tenor_webhook_oldest_seconds 90\n[^]*tenor_webhooks_failing 1\n/);
  t.notMatch(text, /nodejs_/, 'timers and observers of Node.js are started once, for the process');
  t.match(await idle.registry.metrics(), /tenor_webhook_messages_waiting 0\n/);
});
