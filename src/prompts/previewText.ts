import { formatBytes, plainLabel, revealHidden } from '../base/text';
import type { Part } from '../mcp/content';
import type { PromptDraft } from '../mcp/promptDraft';
import { displayName, type Annotations } from '../mcp/protocol';
import type { PromptPart } from './promptParts';

/** Puts `{0}`, `{1}`, … into a message in the person's language, as the editor's `l10n.t`. */
export type Translate = (message: string, ...args: string[]) => string;

/** Something of a message that opens in an editor of its own. */
export interface PreviewLink {
  /** 0-based. */
  readonly line: number;
  readonly title: string;
  /** A file of the draft by its name, or a resource of the server by its URI. */
  readonly target: { readonly file: string } | { readonly resource: string };
}

/** The preview of a prompt: what the server wrote is indented, so that it cannot pass for ours. */
export interface Preview {
  readonly text: string;
  readonly links: readonly PreviewLink[];
  /** The line above the arguments, 0-based, where the prompt has any. */
  readonly argumentsLine: number | undefined;
}

const indent = '  ';
const longestText = 200_000;

/** Shows every message of a draft as text, nothing hidden and nothing left out. */
export function previewText(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  t: Translate,
): Preview {
  const lines = [
    `${plainLabel(displayName(draft.prompt))} — ${plainLabel(draft.server.name)}`,
    ...(draft.description ? quote(draft.description) : []),
  ];
  const given = argumentLines(draft.arguments, t);
  const argumentsLine = given.length > 0 ? lines.length : undefined;
  lines.push(...given);
  const hidden = parts.filter((part) => part.hidden).map(({ number }) => number);
  if (hidden.length > 0)
    lines.push(
      `⚠ ${t('Messages with hidden characters, shown below as ⟨U+…⟩: {0}.', hidden.join(', '))}`,
    );
  const links: PreviewLink[] = [];
  for (const part of parts) {
    lines.push('');
    const link = linkOf(part, t);
    if (link) links.push({ line: lines.length, ...link });
    lines.push(`${part.number} ${roleName(part, t)}${heading(part, t)}`);
    if (part.actualType !== undefined) lines.push(`⚠ ${mistake(part.actualType, t)}`);
    lines.push(...body(part.part, t));
  }
  return { text: `${lines.join('\n')}\n`, links, argumentsLine };
}

function mistake(actualType: string, t: Translate): string {
  return actualType
    ? t('The bytes are not what the server says: they are {0}.', actualType)
    : t('The bytes are not what the server says.');
}

function roleName({ role }: PromptPart, t: Translate): string {
  return role === 'user' ? t('User') : t('Assistant');
}

function heading({ part, annotations }: PromptPart, t: Translate): string {
  const notes = [...partNotes(part, t), ...annotationNotes(annotations, t)];
  return notes.length > 0 ? ` · ${notes.join(' · ')}` : '';
}

function partNotes(part: Part, t: Translate): string[] {
  switch (part.kind) {
    case 'text':
      return [];
    case 'binary': {
      const what = { image: t('image'), audio: t('audio'), other: t('binary') }[part.media];
      return [what, plainLabel(part.mimeType), formatBytes(part.bytes.length)];
    }
    case 'document':
      return [t('embedded resource'), ...(part.mimeType ? [plainLabel(part.mimeType)] : [])];
    case 'link':
      return [
        t('resource link'),
        ...(part.mimeType ? [plainLabel(part.mimeType)] : []),
        ...(part.size === undefined ? [] : [formatBytes(part.size)]),
      ];
    case 'problem':
      return [t('unreadable')];
  }
}

function annotationNotes(annotations: Annotations | undefined, t: Translate): string[] {
  const { audience, priority, lastModified } = annotations ?? {};
  const names = { user: t('User'), assistant: t('Assistant') };
  return [
    ...(audience?.length ? [t('for: {0}', audience.map((role) => names[role]).join(', '))] : []),
    ...(priority === undefined ? [] : [t('priority {0}', String(priority))]),
    ...(lastModified === undefined ? [] : [t('changed {0}', plainLabel(lastModified))]),
  ];
}

function body(part: Part, t: Translate): string[] {
  switch (part.kind) {
    case 'text':
      return quote(part.text);
    case 'document': {
      const shown = part.text.slice(0, longestText);
      const rest = part.text.length - shown.length;
      return [
        ...quote(`${part.uri}\n\n${shown}`),
        ...(rest > 0 ? [t('… and {0} more characters in the file.', String(rest))] : []),
      ];
    }
    case 'link':
      return quote(
        [part.title ?? part.name, part.uri, part.description].filter(Boolean).join('\n'),
      );
    case 'binary':
      return part.uri === undefined ? [] : quote(part.uri);
    case 'problem':
      return [`⚠ ${plainLabel(part.message, 1000)}`];
  }
}

function linkOf({ part, file }: PromptPart, t: Translate): Omit<PreviewLink, 'line'> | undefined {
  if (part.kind === 'link') return { title: t('Open Resource'), target: { resource: part.uri } };
  if (!file) return undefined;
  return { title: t('Open {0}', plainLabel(file.name)), target: { file: file.name } };
}

function argumentLines(values: PromptDraft['arguments'], t: Translate): string[] {
  const lines = Object.entries(values).map(([name, value]) => {
    const text = plainLabel(value.slice(0, 200), 100);
    return `${indent}${plainLabel(name)} = ${text}`;
  });
  return lines.length > 0 ? [t('Arguments'), ...lines] : [];
}

function quote(text: string): string[] {
  return revealHidden(text)
    .split('\n')
    .map((line) => (line ? indent + line : ''));
}
