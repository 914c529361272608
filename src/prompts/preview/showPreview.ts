import * as vscode from 'vscode';
import { l10n } from 'vscode';
import {
  formatBytes,
  maxDocumentLength,
  plainLabel,
  replaceEach,
  revealHidden,
  truncate,
} from '../../base/text/text';
import type { PromptDraft } from '../../contracts/promptDraft';
import { type Annotations, type Prompt, displayName } from '../../mcp/protocol/types';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { DocumentChoice } from '../../ui/documents/choiceCommands';
import { Command } from '../../ui/ids';
import { type DeliveryTarget, deliveryTargets, targetText } from '../delivery/targets';
import type { PromptPart } from './promptParts';
import type { UserAction } from '../../ui/questions/question';
import type { Permit } from '../../ui/keyboard';
import { fingerprint } from '../../base/bytes';
import { isRecord, ownValue } from '../../base/json';
import { looksSecret, redacted } from '../../base/secrets';
import type { Translate } from '../../base/translate';
import type { Part } from '../../mcp/protocol/content';
import type { ResourceUris } from '../../ui/resourceUri';

/** The texts of a preview in the user's language. */
export interface PreviewWords {
  /** Translates the sentences of the core. */
  readonly t: Translate;
  readonly user: string;
  readonly assistant: string;
  readonly arguments: string;
  readonly image: string;
  readonly audio: string;
  readonly binary: string;
  readonly embeddedResource: string;
  readonly resourceLink: string;
  readonly unreadable: string;
  readonly openResource: string;
  open(file: string): string;
  hidden(messages: string): string;
  /** `type` is empty if the actual type is unknown. */
  otherType(type: string): string;
  audience(roles: string): string;
  priority(priority: number): string;
  changed(time: string): string;
  rest(characters: number): string;
}

/** Part of a message that opens in an editor of its own. */
interface PreviewLink {
  /** 0-based. */
  readonly line: number;
  readonly title: string;
  /** A file of the draft by its name, or a resource of the server by its URI. */
  readonly target: { readonly file: string } | { readonly resource: string };
}

/** The preview of a prompt: what the server wrote is indented, so that it cannot pass for our own text. */
interface Preview {
  readonly text: string;
  readonly links: readonly PreviewLink[];
  /** The 0-based line of the heading above the arguments, if there are any. */
  readonly argumentsLine: number | undefined;
}

const indent = '  ';
const longestText = 200_000;

/** The characters that a part takes besides its text. */
const partRoom = 200;

/** Returns the messages of a draft as text that hides nothing; if it is too long for an editor, it says how much is left. */
export function previewText(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  words: PreviewWords,
): Preview {
  const lines = [
    `${plainLabel(displayName(draft.prompt))} — ${plainLabel(draft.server.name)}`,
    ...(draft.description ? quote(draft.description) : []),
  ];
  const given = argumentLines(draft.arguments, words);
  const argumentsLine = given.length > 0 ? lines.length : undefined;
  lines.push(...given);
  const hidden = parts.filter((part) => part.hidden).map(({ number }) => number);
  if (hidden.length > 0) lines.push(`⚠ ${words.hidden(hidden.join(', '))}`);
  const links: PreviewLink[] = [];
  let room = maxDocumentLength;
  for (const [index, part] of parts.entries()) {
    if (room <= 0) {
      const rest = parts.slice(index).reduce((sum, each) => sum + lengthOf(each.part), 0);
      lines.push('', words.rest(rest));
      break;
    }
    room -= lengthOf(part.part) + partRoom;
    lines.push('');
    const link = linkOf(part, words);
    if (link) links.push({ line: lines.length, ...link });
    lines.push(`${part.number} ${roleName(part, words)}${heading(part, words)}`);
    if (part.actualType !== undefined) lines.push(`⚠ ${words.otherType(part.actualType)}`);
    lines.push(...body(part.part, words));
  }
  return { text: `${lines.join('\n')}\n`, links, argumentsLine };
}

function roleName({ role }: PromptPart, words: PreviewWords): string {
  return role === 'user' ? words.user : words.assistant;
}

function heading({ part, annotations }: PromptPart, words: PreviewWords): string {
  const notes = [...partNotes(part, words), ...annotationNotes(annotations, words)];
  return notes.length > 0 ? ` · ${notes.join(' · ')}` : '';
}

function partNotes(part: Part, words: PreviewWords): string[] {
  switch (part.kind) {
    case 'text':
      return [];
    case 'binary': {
      const what = { image: words.image, audio: words.audio, other: words.binary }[part.media];
      return [what, plainLabel(part.mimeType), formatBytes(part.bytes.length)];
    }
    case 'document':
      return [words.embeddedResource, ...(part.mimeType ? [plainLabel(part.mimeType)] : [])];
    case 'link':
      return [
        words.resourceLink,
        ...(part.mimeType ? [plainLabel(part.mimeType)] : []),
        ...(part.size === undefined ? [] : [formatBytes(part.size)]),
      ];
    case 'problem':
      return [words.unreadable];
  }
}

function annotationNotes(annotations: Annotations | undefined, words: PreviewWords): string[] {
  const { audience, priority, lastModified } = annotations ?? {};
  const names = { user: words.user, assistant: words.assistant };
  return [
    ...(audience?.length
      ? [
          words.audience(
            audience.map((role) => ownValue(names, role) ?? plainLabel(role, 60)).join(', '),
          ),
        ]
      : []),
    ...(priority === undefined ? [] : [words.priority(priority)]),
    ...(lastModified === undefined ? [] : [words.changed(plainLabel(lastModified))]),
  ];
}

function body(part: Part, words: PreviewWords): string[] {
  switch (part.kind) {
    case 'text':
      return quoteBeginning('', part.text, words);
    case 'document':
      return quoteBeginning(`${part.uri}\n\n`, part.text, words);
    case 'link':
      return quote(
        [part.title ?? part.name, part.uri, part.description].filter(Boolean).join('\n'),
      );
    case 'binary':
      return part.uri === undefined ? [] : quote(part.uri);
    case 'problem':
      return [`⚠ ${plainLabel(part.message(words.t), 1000)}`];
  }
}

function quoteBeginning(before: string, text: string, words: PreviewWords): string[] {
  const shown = truncate(text, longestText);
  const rest = text.length - shown.length;
  return [...quote(before + shown), ...(rest > 0 ? [words.rest(rest)] : [])];
}

function lengthOf(part: Part): number {
  return part.kind === 'text' || part.kind === 'document'
    ? Math.min(part.text.length, longestText)
    : 0;
}

function linkOf(
  { part, file }: PromptPart,
  words: PreviewWords,
): Omit<PreviewLink, 'line'> | undefined {
  if (part.kind === 'link') return { title: words.openResource, target: { resource: part.uri } };
  if (!file) return undefined;
  return { title: words.open(plainLabel(file.name)), target: { file: file.name } };
}

function argumentLines(values: PromptDraft['arguments'], words: PreviewWords): string[] {
  const lines = Object.entries(values).map(([name, value]) => {
    const text = looksSecret(name) ? redacted : plainLabel(value.slice(0, 200), 100);
    return `${indent}${plainLabel(name)} = ${text}`;
  });
  return lines.length > 0 ? [words.arguments, ...lines] : [];
}

function quote(text: string): string[] {
  return revealHidden(text)
    .split('\n')
    .map((line) => (line ? indent + line : ''));
}

/** Returns the texts of a preview in the editor's language. */
function previewWords(): PreviewWords {
  return {
    t: l10n.t,
    user: l10n.t('User'),
    assistant: l10n.t('Assistant'),
    arguments: l10n.t('Arguments'),
    image: l10n.t('image'),
    audio: l10n.t('audio'),
    binary: l10n.t('binary'),
    embeddedResource: l10n.t('embedded resource'),
    resourceLink: l10n.t('resource link'),
    unreadable: l10n.t('unreadable'),
    openResource: l10n.t('Open Resource'),
    open: (file) => l10n.t('Open {0}', file),
    hidden: (messages) =>
      l10n.t('Messages with hidden characters, shown below as ⟨U+…⟩: {0}.', messages),
    otherType: (type) =>
      type
        ? l10n.t('The content does not match the type that the server gave: it is {0}.', type)
        : l10n.t('The content does not match the type that the server gave.'),
    audience: (roles) => l10n.t('for: {0}', roles),
    priority: (priority) => l10n.t('priority {0}', priority),
    changed: (time) => l10n.t('changed {0}', time),
    rest: (characters) => l10n.t('… and {0} more characters in the file.', characters),
  };
}

/** The user's decision in the preview, and their action; `undefined` if they closed it. */
export type PreviewAnswer =
  { readonly choice: DeliveryTarget | 'edit'; readonly by: UserAction | undefined } | undefined;

/** Shows every message of a draft in a document and waits until the user decides where they go. */
export async function showPreview(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  deps: {
    readonly input: DocumentInput;
    readonly resources: ResourceUris;
    /** The target that comes first, which the keyboard shortcut chooses. */
    readonly first: DeliveryTarget;
    /** Absent if the user has turned to something else in the meantime. */
    readonly permit: Permit;
  },
): Promise<PreviewAnswer> {
  const { text, links, argumentsLine } = previewText(draft, parts, previewWords());
  const hasLinks = parts.some(({ part }) => part.kind === 'link');
  const offered = deliveryTargets.filter(
    (target) => target !== 'return' && (target !== 'chatWithLinks' || hasLinks),
  );
  const targets = [...new Set([deps.first, ...offered])];
  const linkLine = links.find(({ target }) => 'resource' in target)?.line;
  const answer = await deps.input.ask({
    name: `${plainLabel(displayName(draft.prompt), 60)}.mcp-prompt`,
    text,
    readOnly: true,
    permit: deps.permit,
    files: parts.flatMap(({ file }) => file ?? []),
    links: links.map(({ line, title, target }) => ({
      line,
      title,
      target:
        'file' in target ? target.file : deps.resources.uriOf(draft.server.id, target.resource),
    })),
    choices: [
      ...targets.map((target) => ({
        ...targetChoice(target, target === deps.first, parts.length > 1),
        // Shown above the first link that it is about, which also keeps the first line short.
        ...(target === 'chatWithLinks' &&
          target !== deps.first &&
          linkLine !== undefined && { line: linkLine }),
      })),
      ...(argumentsLine === undefined
        ? []
        : [
            {
              id: 'edit',
              title: vscode.l10n.t('Edit Arguments…'),
              line: argumentsLine,
              command: Command.editPromptArguments,
            },
          ]),
    ],
  });
  const made = [...deliveryTargets, 'edit' as const].find((target) => target === answer.choice);
  return made && { choice: made, by: answer.action };
}

/** @param folds whether there are several messages. */
function targetChoice(target: DeliveryTarget, isFirst: boolean, folds: boolean): DocumentChoice {
  const { label, icon, tooltip, command } = targetText(target, folds);
  return {
    id: target,
    title: isFirst || target === 'return' ? `$(${icon}) ${label}` : label,
    ...(tooltip !== undefined && { tooltip }),
    ...(command !== undefined && { command }),
  };
}

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
