import { inEnglish } from '../../base/translate';
import type { ImportedServer } from '../add/importedServer';
import { readLink } from '../add/links';
import { isWorthHiding } from '../launch/kinds/hiddenValues';
import { shareable } from './shareable';

/**
 * Returns the link that makes VS Code, and *Add Server…*, ask whether to add a server, and ask again for what looks
 * like a secret in it; `undefined` if the value is not a server, or the link is too long or has hidden characters.
 */
export function installLinkOf(name: string, value: unknown, inputs: unknown): string | undefined {
  const found = shareable(name, value, inputs, isPersonalValue);
  return found && linkOf(found);
}

function linkOf({ name, server, inputs = [] }: ImportedServer): string | undefined {
  const json = JSON.stringify({ name, ...server, ...(inputs.length > 0 && { inputs }) });
  // VS Code decodes percent signs twice.
  const link = `vscode:mcp/install?${encodeURIComponent(json.replaceAll('%', String.raw`\u0025`))}`;
  const read = readLink(link, inEnglish);
  return read && 'value' in read ? link : undefined;
}

/** True for anything but words, numbers, URLs and paths, as there is no telling whether it may be shared. */
function isPersonalValue(name: string, value: string): boolean {
  if (/^(?:accept|content-type|user-agent)$/i.test(name)) return false;
  return isWorthHiding(name, value) && !/^(?:https?:\/\/|[.~]{0,2}\/|[A-Za-z]:\\)/.test(value);
}
