import { isRecord } from '../../base/json';
import { replaceEach } from '../../base/text/replaceEach';
import type { PromptDraft } from '../../contracts/promptDraft';
import { fingerprint } from '../../mcp/fingerprint';
import type { Prompt } from '../../mcp/protocol/types';

/**
 * Returns a fingerprint of what a user has seen in the preview of a draft: what runs, the definition of the prompt,
 * and its messages without the arguments in them, so that different arguments alone need no new preview.
 */
export function seenFingerprint(
  launch: string,
  prompt: Prompt,
  draft: PromptDraft,
): Promise<string> {
  const { messages, arguments: values } = draft;
  return fingerprint({ launch, prompt, messages: withoutArguments(messages, values) });
}

function withoutArguments(value: unknown, values: PromptDraft['arguments']): unknown {
  const names = Object.keys(values).filter((name) => values[name] !== '');
  if (names.length === 0) return value;
  const nameOf = new Map(names.toReversed().map((name) => [values[name] ?? '', name]));
  const strip = (part: unknown): unknown => {
    if (typeof part === 'string')
      return replaceEach(part, nameOf.keys(), (found) => `\0${nameOf.get(found) ?? ''}\0`);
    if (Array.isArray(part)) return part.map(strip);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, strip(one)]));
  };
  return strip(value);
}
