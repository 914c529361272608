import assert from 'node:assert/strict';
import { plainLabel } from '../../../../../src/base/text/text';
import { endingSentence } from '../../../../../src/mcp/connection/endingSentence';
import { StderrRing } from '../../../../../src/mcp/node/stdioTransport';

function open() {
  const heard: string[] = [];
  const ring = new StderrRing((line) => heard.push(line));
  return { ring, heard, write: (text: string) => ring.push(Buffer.from(text)) };
}

describe('the last words of a process', () => {
  it('are its last lines, the oldest first', () => {
    const { ring, write } = open();
    write('one\ntwo\nth');
    write('ree\nfour\n');
    assert.equal(ring.last(3), 'two\nthree\nfour');
  });

  it('are without what only colours them, and show what else is hidden', () => {
    const { ring, write, heard } = open();
    write(
      '\u001B[31mError:\u001B[0m \u001B[1;38;5;208mno\u001B[m \u009B4:3mdisk\u009Bm\n\u001B[0m\u001B[39m\n',
    );
    assert.deepEqual(heard, ['Error: no disk']);
    assert.equal(
      endingSentence('exited with code 1', { stderrTail: ring.last(9) }),
      'exited with code 1: Error: no disk.',
    );
    for (const [sequence, shown] of [
      ['\u001B[2J', '⟨U+001B⟩[2J'],
      ['\u001B[8A', '⟨U+001B⟩[8A'],
      ['\u001B]0;title\u0007', '⟨U+001B⟩]0;title⟨U+0007⟩'],
      ['\u001B[31', '⟨U+001B⟩[31'],
    ] as const) {
      write(`fatal: a${sequence}\n`);
      assert.equal(plainLabel(ring.last(1)), `fatal: a${shown}`);
    }
  });

  it('leave out empty lines', () => {
    const { ring, write, heard } = open();
    write('one\n\n  \r\n\ttwo\n');
    assert.equal(ring.last(9), 'one\n\ttwo');
    assert.deepEqual(heard, ['one', '\ttwo']);
  });

  it('are passed on line by line as they come', () => {
    const { write, heard } = open();
    write('one\ntw');
    assert.deepEqual(heard, ['one']);
    write('o\n');
    assert.deepEqual(heard, ['one', 'two']);
  });

  it('include what it did not end with a line feed', () => {
    const { ring, write, heard } = open();
    write('fatal: no configuration');
    ring.end();
    assert.equal(ring.last(1), 'fatal: no configuration');
    assert.deepEqual(heard, ['fatal: no configuration']);
  });

  it('are fifty lines at most, however many there were', () => {
    const { ring, write } = open();
    for (let line = 0; line < 10_000; line += 1) write(`line ${line}\n`);
    const kept = ring.last(1000).split('\n');
    assert.equal(kept.length, 50);
    assert.equal(kept.at(0), 'line 9950');
    assert.equal(kept.at(-1), 'line 9999');
  });

  it('are cut where a line is endless, with its size', () => {
    const { ring, write } = open();
    for (let chunk = 0; chunk < 100; chunk += 1) write('x'.repeat(10_000));
    write('\nlast\n');
    const [cut, last] = ring.last(2).split('\n');
    assert.match(cut ?? '', /^x{512}… \(1000000 bytes\)$/);
    assert.equal(last, 'last');
  });
});
