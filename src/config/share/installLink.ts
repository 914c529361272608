import { inEnglish } from '../../base/translate';
import type { ImportedServer } from '../add/importedServer';
import { readLink } from '../add/links';
import { isWorthHiding } from '../launch/kinds/hiddenValues';
import { shareable } from './shareable';

/**
 * The link that makes VS Code, and *Add Server…*, ask whether to add a server: what looks like a secret
 * in it is asked for anew. Undefined where nobody could read it: it is too long, or has hidden characters.
 */
export function installLinkOf(name: string, value: unknown, inputs: unknown): string | undefined {
  const found = shareable(name, value, inputs, isPersonal);
  return found && linkOf(found);
}

function linkOf({ name, server, inputs = [] }: ImportedServer): string | undefined {
  const json = JSON.stringify({ name, ...server, ...(inputs.length > 0 && { inputs }) });
  // VS Code takes percent signs away twice.
  const link = `vscode:mcp/install?${encodeURIComponent(json.replaceAll('%', String.raw`\u0025`))}`;
  const read = readLink(link, inEnglish);
  return read && 'value' in read ? link : undefined;
}

/** More than words, numbers, addresses and paths: nobody can tell whether it may be given to others. */
function isPersonal(name: string, value: string): boolean {
  if (/^(?:accept|content-type|user-agent)$/i.test(name)) return false;
  return isWorthHiding(name, value) && !/^(?:https?:\/\/|[.~]{0,2}\/|[A-Za-z]:\\)/.test(value);
}
