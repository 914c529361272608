import assert from 'node:assert/strict';
import { keepEventId } from '../../../../src/mcp/transport/httpTransports';

describe('a stream that goes on', () => {
  const cases: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    string | null,
    number,
    string,
  ])[] = [
    ['begins with the event', { 'Last-Event-ID': 'e-7' }, 'data: 1\n\n', 200, 'id: e-7\ndata:\n\n'],
    ['begins with it though nothing comes', { 'last-event-id': 'é' }, '', 200, 'id: é\ndata:\n\n'],
    ['is as it was where it goes on from nothing', {}, 'data: 1\n\n', 200, ''],
    ['is as it was where it is refused', { 'last-event-id': '7' }, 'no', 503, ''],
    ['is none where there is none', { 'last-event-id': '7' }, null, 204, ''],
  ];
  for (const [what, headers, body, status, begin] of cases)
    it(what, async () => {
      const send = () => Promise.resolve(new Response(body, { status }));
      const response = await keepEventId(send)('https://example.com/mcp', { headers });
      assert.equal(await response.text(), `${begin}${body ?? ''}`);
      assert.equal(response.status, status);
    });
});
