import { type JsonRecord, asRecord } from '../../base/json';
import { looksSecret, redactSecrets, redacted } from '../../base/secrets';
import {
  type ImportedServer,
  type InputEntry,
  inputIdOf,
  inputReference,
  inputsIn,
  toMcpJson,
  withInputs,
} from '../add/importedServer';
import { takeSecrets } from '../add/plainSecrets';
import { inEnglish } from '../../base/translate';
import { readLink } from '../add/linkFormats';
import { isWorthHiding } from '../launch/launchValues';

/**
 * Returns the link that makes VS Code, and *Add Server…*, ask whether to add a server, and ask again for what looks
 * like a secret in it; `undefined` if the value is not a server, or the link is too long or has hidden characters.
 */
export function installLinkOf(name: string, value: unknown, inputs: unknown): string | undefined {
  const found = shareable(name, value, inputs, isPersonalValue);
  return found && linkOf(found);
}

/**
 * Returns the JSON that most applications and *Add Server…* read, with inputs in place of what looks like a secret;
 * `undefined` if the value is not a server.
 */
export function configurationOf(name: string, value: unknown, inputs: unknown): string | undefined {
  const found = shareable(name, value, inputs, isPersonalValue);
  if (!found) return undefined;
  const { server, inputs: asked = [] } = found;
  const whole = { mcpServers: { [name]: server }, ...(asked.length > 0 && { inputs: asked }) };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

function linkOf({ name, server, inputs = [] }: ImportedServer): string | undefined {
  const json = JSON.stringify({ name, ...server, ...(inputs.length > 0 && { inputs }) });
  // VS Code decodes percent signs twice.
  const link = `vscode:mcp/install?${encodeURIComponent(json.replaceAll('%', String.raw`\u0025`))}`;
  const read = readLink(link, inEnglish);
  return read && 'value' in read ? link : undefined;
}

/** True for anything but words, numbers, URLs and paths, as there is no telling whether it may be shared. */
export function isPersonalValue(name: string, value: string): boolean {
  if (/^(?:accept|content-type|user-agent)$/i.test(name)) return false;
  return isWorthHiding(name, value) && !/^(?:https?:\/\/|[.~]{0,2}\/|[A-Za-z]:\\)/.test(value);
}

/**
 * Returns a configured server with the inputs that it uses, which take the place of what looks like a secret and of
 * the variables and headers that `isPersonal`; `undefined` if the value is not a server.
 */
export function shareable(
  name: string,
  value: unknown,
  inputs: unknown,
  isPersonal: (name: string, value: string) => boolean = () => false,
): ImportedServer | undefined {
  const written = toMcpJson(value);
  if (!written) return undefined;
  const { server, secrets } = takeSecrets({ name, server: written });
  const asked = new Map(secrets.map((secret) => [secret.inputId, secret.name]));
  const ask = (key: string): string => {
    let id = inputIdOf(name, key);
    while (asked.has(id)) id += '-';
    asked.set(id, key);
    return inputReference(id);
  };
  const { env, headers, oauth } = server;
  const cleaned = {
    ...server,
    ...(env !== undefined && { env: replaced(env, isPersonal, ask) }),
    ...(headers !== undefined && { headers: replaced(headers, isPersonal, ask) }),
    ...(oauth !== undefined && { oauth: replaced(oauth, isProof, ask) }),
  };
  const own = withInputs([{ name, server: cleaned }], inputs)[0]?.inputs ?? [];
  const known = new Set(own.map(({ id }) => id));
  for (const id of inputsIn(cleaned))
    if (id !== '' && !known.has(id) && !asked.has(id)) asked.set(id, id);
  const added = Array.from(asked)
    .filter(([id]) => !known.has(id))
    .map(([id, description]) => ({ id, type: 'promptString', description, password: true }));
  return { name, server: cleaned, inputs: [...own.map(withoutSecret), ...added] };
}

function replaced(
  part: unknown,
  isTaken: (name: string, value: string) => boolean,
  ask: (name: string) => string,
): JsonRecord {
  return Object.fromEntries(
    Object.entries(asRecord(part)).map(([name, value]) => {
      const isPlain = typeof value === 'string' && value !== '' && !value.includes('${');
      return [name, isPlain && isTaken(name, value) ? ask(name) : value];
    }),
  );
}

function isProof(name: string): boolean {
  return ['clientSecret', 'privateKey', 'assertion'].includes(name);
}

/** The input, without its default if that is a secret. */
function withoutSecret(input: InputEntry): InputEntry {
  const { default: initial, ...rest } = input;
  const isSecret =
    input['password'] === true || looksSecret(input.id) || redactSecrets(initial) === redacted;
  return initial === undefined || !isSecret ? input : rest;
}
