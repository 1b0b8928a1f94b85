// Exits with 0 while the process of this container answers: a worker on its port for operators, any other on its own port.
const port = process.env['TENOR_OPERATOR_PORT'] ?? process.env['TENOR_PORT'] ?? '8080';
try {
  const reply = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = reply.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
