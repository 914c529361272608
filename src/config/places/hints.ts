import { type Node, findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { type JsoncReading, readJsonc } from '../../base/text/jsonc';
import { nearestWord, plainLabel } from '../../base/text/text';
import { listText, type Translate } from '../../base/translate';
import { type JsonRecord, asRecord, isRecord } from '../../base/json';
import { argumentsInCommand } from '../../mcp/launch/commandArguments';
import { type TimeUnit, type UnusedTime, ownEntry } from '../../mcp/launch/ownEntry';
import { developmentProblem } from '../development';
import type { LayerProblem } from '../configLayer';
import type { ConfigFile } from './configFiles';
import { oauthKeys } from '../../mcp/auth/client/oauthConfig';
import { foreignKeys, otherNames, otherSignInNames, readKeys } from './knownKeys';
import { inputsIn } from '../add/importedServer';

/** The keys of VS Code's format that are not part of the one shared by other applications. */
const keys = ['cwd', 'envFile', 'oauth', 'sandboxEnabled', 'sandbox'] as const;

/**
 * Lists what other applications that read the same file cannot use in an entry below `mcpServers`, although we
 * can: there, such a server fails, or silently runs with less than intended.
 */
function notPortable(value: unknown): readonly string[] {
  const entry = asRecord(value);
  const isSse = entry['type'] === 'sse';
  return [
    ...keys.filter((key) => Object.hasOwn(entry, key)),
    ...(isSse ? ['"type": "sse"'] : []),
    ...(inputsIn(entry).length > 0 ? ['${input:…}'] : []),
  ];
}

/** At most this many hints are given per file: more would help nobody. */
const maxHints = 100;
/** At most this many keys of an object are checked, as comparing words takes time. */
const maxKeys = 1_000;

interface Property {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node;
}

/** Finds what is probably a mistake in the text of a file, although it can be read and used. */
export function findHints(
  text: string,
  {
    parent = [],
    serversKey,
    timeUnit,
    isOfEditor,
  }: Pick<ConfigFile, 'parent' | 'serversKey' | 'timeUnit' | 'isOfEditor'>,
  t: Translate,
): readonly LayerProblem[] {
  const { root, rangeOf } = readJsonc(text);
  const top = root && (parent.length > 0 ? findNodeAtLocation(root, [...parent]) : root);
  if (!top) return [];
  return [
    ...topHints(top, serversKey, rangeOf, t),
    ...allServerHints(top, rangeOf, timeUnit, t),
    ...(isOfEditor ? editorHints(top, rangeOf, t) : []),
    ...(serversKey === 'mcpServers' ? portabilityHints(top, rangeOf, t) : []),
  ].slice(0, maxHints);
}

function topHints(
  top: Node,
  serversKey: ConfigFile['serversKey'],
  rangeOf: JsoncReading['rangeOf'],
  t: Translate,
): LayerProblem[] {
  const all = propertiesOf(top);
  const other = serversKey === 'servers' ? 'mcpServers' : 'servers';
  return all.flatMap(({ key, keyNode }) => {
    const range = rangeOf(keyNode);
    if (key === other && !has(all, serversKey)) {
      const message = t(
        'Other applications that read this file look for servers below "{0}", not "{1}".',
        serversKey,
        other,
      );
      return [{ message, range }];
    }
    if (['servers', 'mcpServers', 'inputs', 'sandbox'].includes(key)) return [];
    const near = nearestWord(key, [serversKey, other, 'inputs']);
    const meant = near === other ? serversKey : near;
    return meant === undefined || has(all, meant)
      ? []
      : [{ message: unknown(key, meant, t), range }];
  });
}

function allServerHints(
  top: Node,
  rangeOf: JsoncReading['rangeOf'],
  timeUnit: TimeUnit | undefined,
  t: Translate,
) {
  return propertiesOf(top)
    .filter(({ key }) => key === 'servers' || key === 'mcpServers')
    .flatMap(({ key, value }) =>
      propertiesOf(value).flatMap((server) => {
        const hint = (message: string, { offset, length }: Node): LayerProblem => ({
          message,
          range: rangeOf({ offset, length }),
        });
        const fields = propertiesOf(server.value);
        // VS Code infers the type of those below "servers".
        const wantsType = key === 'mcpServers' && has(fields, 'url') && !has(fields, 'type');
        return [
          ...(isPadded(server.key) ? [hint(padded(server.key, t), server.keyNode)] : []),
          ...(wantsType && !has(fields, 'command')
            ? [
                hint(
                  t(
                    'Add "type": "http". Without a type, some applications take this server for a program.',
                  ),
                  server.keyNode,
                ),
              ]
            : []),
          ...fields.flatMap((field) => fieldHints(field, fields, hint, t)),
          ...foreignHints(server.value, timeUnit, hint, t),
        ];
      }),
    );
}

/** Finds what is read although it is in the words of another application, and the times that cannot be. */
function foreignHints(
  server: Node,
  timeUnit: TimeUnit | undefined,
  hint: (message: string, node: Node) => LayerProblem,
  t: Translate,
): LayerProblem[] {
  const value: unknown = getNodeValue(server);
  if (!isRecord(value)) return [];
  const { respellings, unusedTimes } = ownEntry(value, timeUnit);
  const nodes = new Map(propertiesOf(server).map(({ key, keyNode }) => [key, keyNode]));
  const at = (key: string, message: string) => {
    const node = nodes.get(key);
    return node ? [hint(message, node)] : [];
  };
  return [
    ...respellings
      // Copilot itself writes `local` into the files that it shares with others.
      .filter(({ key }) => !(timeUnit && key === 'type' && value['type'] === 'local'))
      .flatMap(({ key, to }) => at(key, respelled(key, to, t)))
      .map((one) => ({ ...one, fix: 'respell' as const })),
    ...unusedTimes.flatMap(({ key, why }) => at(key, unused(key, why, t))),
  ];
}

function respelled(key: string, to: JsonRecord, t: Translate): string {
  const names = Object.keys(to);
  const shown = plainLabel(key, 60);
  if (names.length === 0) return t('"{0}" repeats what "type" says.', shown);
  const [name = '', value] = Object.entries(to)[0] ?? [];
  const ours =
    names.length === 1 && name === 'type'
      ? `"type": ${JSON.stringify(value)}`
      : listText(
          names.map((one) => `"${plainLabel(one, 60)}"`),
          t,
        );
  return t(
    '"{0}" is read as {1}. Other applications may not know this spelling.',
    shown,
    plainLabel(ours, 200),
  );
}

function unused(key: string, why: UnusedTime['why'], t: Translate): string {
  const shown = plainLabel(key, 60);
  const instead = '"timeouts": { "request": 60, "total": 60 }';
  switch (why) {
    case 'noUnit':
      return t(
        '"{0}" is not used: applications differ in whether it counts seconds or milliseconds. Use {1}, in seconds.',
        shown,
        instead,
      );
    case 'noNumber':
      return t('"{0}" is not used: it must be a number greater than 0.', shown);
    case 'tooShort':
      return t('"{0}" is not used: it is in milliseconds, and less than a second.', shown);
  }
}

function portabilityHints(top: Node, rangeOf: JsoncReading['rangeOf'], t: Translate) {
  return propertiesOf(top)
    .filter(({ key }) => key === 'servers' || key === 'mcpServers')
    .flatMap(({ value }) => propertiesOf(value))
    .flatMap(({ keyNode, value }): LayerProblem[] => {
      const found = notPortable(getNodeValue(value));
      const message = t(
        'Other applications that read this file cannot use {0}.',
        listText(found, t),
      );
      return found.length > 0
        ? [{ message, range: rangeOf(keyNode), fix: 'moveToSettings' as const }]
        : [];
    });
}

/** Finds `dev` where the editor's own client acts on it, too. */
function editorHints(top: Node, rangeOf: JsoncReading['rangeOf'], t: Translate): LayerProblem[] {
  return propertiesOf(top)
    .filter(({ key }) => key === 'servers')
    .flatMap(({ value }) => propertiesOf(value))
    .filter(({ value }) => has(propertiesOf(value), 'dev'))
    .map(({ keyNode }) => ({
      message: actsOnDev(t),
      range: rangeOf(keyNode),
      fix: 'moveDevelopment',
    }));
}

/** Says what the editor's own client does with `dev`. */
export function actsOnDev(t: Translate): string {
  return t(
    'Because of "dev" in this file, the editor’s own client starts the server, too, again on every save, and shows its output, which takes the keyboard.',
  );
}

function fieldHints(
  { key, keyNode, value }: Property,
  fields: readonly Property[],
  hint: (message: string, node: Node) => LayerProblem,
  t: Translate,
): LayerProblem[] {
  switch (key) {
    case 'type':
    case 'command':
    case 'cwd':
    case 'envFile':
    case 'url': {
      if (isPadded(value.value)) return [hint(padded(key, t), value)];
      const misplaced = key === 'command' && argumentsInCommand(String(value.value), t);
      return misplaced ? [hint(misplaced, value)] : [];
    }
    case 'args':
      // Any text can be an argument, but no flag has a space around it.
      return (value.children ?? [])
        .filter((arg) => isPadded(arg.value) && /^\s*-/.test(String(arg.value)))
        .map((arg) => hint(padded(String(arg.value), t), arg));
    case 'env':
    case 'headers':
      return propertiesOf(value).flatMap((one) => [
        ...(isPadded(one.key) ? [hint(padded(one.key, t), one.keyNode)] : []),
        ...(isPadded(one.value.value) ? [hint(paddedValue(one.key, t), one.value)] : []),
      ]);
    case 'oauth':
      return signInHints(value, hint, t);
    case 'dev':
      return developmentHints(value, fields, hint, t);
    default: {
      if (readKeys.includes(key) || foreignKeys.includes(key)) return [];
      const meant = meantBy(key);
      return meant === undefined || has(fields, meant)
        ? []
        : [hint(unknown(key, meant, t), keyNode)];
    }
  }
}

/** Finds what `oauth` says to others only: whoever wrote it believes that it decides how to sign in. */
function signInHints(
  oauth: Node,
  hint: (message: string, node: Node) => LayerProblem,
  t: Translate,
): LayerProblem[] {
  const all = propertiesOf(oauth);
  return all
    .filter(({ key }) => !(oauthKeys as readonly string[]).includes(key))
    .map(({ key, keyNode }) => {
      const own = Object.hasOwn(otherSignInNames, key) && otherSignInNames[key];
      const meant = own || nearestWord(key, oauthKeys);
      return meant === undefined || has(all, meant)
        ? hint(
            t('"{0}" is not a known key and is not read.', `oauth.${plainLabel(key, 60)}`),
            keyNode,
          )
        : hint(unknown(`oauth.${key}`, `oauth.${meant}`, t), keyNode);
    });
}

/** Finds what cannot be read in `dev` and would otherwise be skipped silently. */
function developmentHints(
  dev: Node,
  fields: readonly Property[],
  hint: (message: string, node: Node) => LayerProblem,
  t: Translate,
): LayerProblem[] {
  return propertiesOf(dev).flatMap(({ key, value }) => {
    const problem = developmentProblem(key, getNodeValue(value), has(fields, 'command'), t);
    return problem === undefined ? [] : [hint(problem, value)];
  });
}

/** Returns the known key that an unknown one was probably meant to be, if that is clear. */
function meantBy(key: string): string | undefined {
  if (Object.hasOwn(otherNames, key)) return otherNames[key];
  const near = nearestWord(key, readKeys.concat(foreignKeys));
  return near !== undefined && readKeys.includes(near) ? near : undefined;
}

function propertiesOf(node: Node): Property[] {
  if (node.type !== 'object') return [];
  return (node.children ?? [])
    .slice(0, maxKeys)
    .flatMap(({ children: [keyNode, value] = [] }) =>
      keyNode && value ? [{ key: String(keyNode.value), keyNode, value }] : [],
    );
}

function has(properties: readonly Property[], key: string): boolean {
  return properties.some((one) => one.key === key);
}

/** True for a text that begins or ends with a space; a final line break, as in cryptographic keys, is intended. */
function isPadded(value: unknown): boolean {
  return typeof value === 'string' && /^[^\S\n]|[^\S\n]$/.test(value);
}

function padded(text: string, t: Translate): string {
  return t('"{0}" begins or ends with a space.', plainLabel(text, 60));
}

function paddedValue(key: string, t: Translate): string {
  return t('The value of "{0}" begins or ends with a space.', plainLabel(key, 60));
}

function unknown(key: string, meant: string, t: Translate): string {
  return t('"{0}" is not a known key. Did you mean "{1}"?', plainLabel(key, 60), meant);
}
