import { createContext, Script } from 'node:vm';

/** A pattern took longer than it may on some text. */
export class PatternTimeout extends Error {
  override readonly name = 'PatternTimeout';
}

/**
 * Makes a function that tests a text against a pattern that a server wrote, in `limitMs` at most:
 * throws a {@link PatternTimeout} above that, and a `SyntaxError` for what is no pattern.
 */
export function createPatternTest(
  limitMs: number,
): (pattern: string, flags: string, text: string) => boolean {
  // A pattern that backtracks forever can only be stopped from outside, which `vm` does.
  const task = { pattern: '', flags: '', text: '' };
  const context = createContext(task);
  const script = new Script('new RegExp(pattern, flags).test(text)');
  return (pattern, flags, text) => {
    Object.assign(task, { pattern, flags, text });
    try {
      return script.runInContext(context, { timeout: limitMs }) === true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) throw new PatternTimeout(pattern);
      throw error;
    }
  };
}
