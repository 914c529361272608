import assert from 'node:assert/strict';
import { argumentLines } from '../../../../src/tools/ask/argumentLines';

describe('Arguments as rows', () => {
  it('leave nothing out of long values', () => {
    const text = Array.from({ length: 500 }, (_, i) => i).join(' ');
    assert.equal(argumentLines({ text }).join(''), `"text": ${JSON.stringify(text)}`);
  });

  it('show hidden characters and let no icon through', () => {
    const [line] = argumentLines({ a: '\u202Ex\u{E0041} $(trash)' });
    assert.match(line ?? '', /⟨U\+202E⟩x⟨U\+E0041⟩/);
    assert.doesNotMatch(line ?? '', /\$\(/);
  });

  it('keep the depth of nested values', () => {
    assert.deepEqual(argumentLines({ a: { b: 1 } }), ['"a": {', '\u2003"b": 1', '}']);
  });

  it('are cut where wide characters end, and never inside one', () => {
    const text = '语😀'.repeat(60);
    const rows = argumentLines({ text });
    assert.equal(rows.join(''), `"text": "${text}"`);
    for (const row of rows) assert.ok(Array.from(row).length <= 36 && row.isWellFormed());
  });

  it('say so when there are none', () => {
    assert.deepEqual(argumentLines({}), ['{ }']);
  });
});
