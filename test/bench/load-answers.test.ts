import { test } from 'tap';
import { AnswerReader } from '../../bench/measure/load/answer.js';

const body = 'x'.repeat(100);
const answer = (head: string): Buffer => Buffer.from(`${head}\r\n\r\n${body}`);

test('the end of an answer is found wherever its bytes are split, and the next one follows', (t) => {
  for (const head of [
    'HTTP/1.1 201 Created\r\nX-Length: 7\r\nContent-Length: 100',
    'HTTP/1.1 201 Created\r\ncontent-length: 100\r\nX: y',
  ]) {
    const bytes = answer(head);
    const reader = new AnswerReader();
    for (let cut = 1; cut < bytes.length; cut++) {
      t.equal(reader.take(bytes.subarray(0, cut)), 0, `${cut} bytes are no whole answer`);
      t.equal(reader.take(bytes.subarray(cut)), 201);
    }
    t.equal(reader.take(bytes), 201, 'at once');
  }
  t.end();
});

test('an answer without a body ends with its head, and a refusal keeps its text', (t) => {
  const reader = new AnswerReader();
  t.equal(reader.take(Buffer.from('HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n')), 204);
  t.equal(reader.failureText, '');
  t.equal(reader.take(answer('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100')), 503);
  t.match(reader.failureText, /^HTTP\/1\.1 503 .*x{100}$/s);
  t.end();
});
