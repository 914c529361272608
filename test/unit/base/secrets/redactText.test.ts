import assert from 'node:assert/strict';
import { redactText } from '../../../../src/base/secrets';
import { processMs, leeway } from '../../../support/processes/ownLoad';

describe('A text without secrets', () => {
  const rows: readonly [text: string, shown: string][] = [
    ['connecting to db.example:5432 as ada', 'connecting to db.example:5432 as ada'],
    ['token ghp_0123456789abcdefghijKLMN refused', 'token ‹redacted› refused'],
    ['> Authorization: Bearer abcdefgh12345678', '> Authorization: ‹redacted›'],
    ['DB_PASSWORD=hunter2 HOST=local', 'DB_PASSWORD=‹redacted› HOST=local'],
    ['api_key="two words" port=80', 'api_key=‹redacted› port=80'],
    ['jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln', 'jwt ‹redacted›'],
    ['token: expired', 'token: expired'],
    ['a\n  b\tc', 'a\n  b\tc'],
  ];
  for (const [text, shown] of rows)
    it(`is ${JSON.stringify(shown)}`, () => assert.equal(redactText(text), shown));

  it('is made in the time of its length', () => {
    const began = processMs();
    for (const part of ['a=', 'ab.', 'Bearer ', '"', 'x="', '-eyJ']) redactText(part.repeat(4000));
    assert.ok((processMs() - began) / leeway() < 1000);
  });
});
