import { test } from 'tap';
import { ProcessMetrics } from '../../gateway/index.js';

test('deliveries are counted by their outcome, and what waits is told while they are made here', async (t) => {
  const [here, elsewhere] = [new ProcessMetrics(), new ProcessMetrics()];
  const { tried, delivering } = here.deliveries();
  elsewhere.deliveries();
  for (const isDelivered of [true, true, false]) tried(isDelivered);
  delivering(() => ({ waiting: 7, oldestSeconds: 90, failing: 1 }));
  const text = await here.registry.metrics();
  t.match(text, /tenor_webhook_attempts_total\{outcome="delivered"\} 2\n/);
  t.match(text, /tenor_webhook_attempts_total\{outcome="failed"\} 1\n/);
  t.match(text, /tenor_webhook_messages_waiting 7\n[^]*tenor_webhook_oldest_seconds 90\n[^]*tenor_webhooks_failing 1\n/);
  t.match(await elsewhere.registry.metrics(), /tenor_webhook_messages_waiting 0\n/);
});
