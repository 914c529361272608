import { isRecord } from '../../../base/json';
import { jsonText } from '../../../base/text/jsonText';
import { plainLabel } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import { parseObject } from '../../../mcp/protocol/parseObject';
import {
  messageSections,
  placedMedia,
  readMessageSection,
  toMessages,
  type PlacedMedia,
  type ReadPart,
} from './messageSections';
import { toolResultsProblem, type SamplingDraft, type SamplingTool } from './samplingDraft';
import {
  isUnchanged,
  readSheet,
  sheetText,
  unknownHeading,
  type ReadSection,
  type SheetSection,
} from '../../sheet';

/** The sheet of a request, and where media stands in it. */
export interface RequestSheet {
  readonly text: string;
  readonly media: readonly PlacedMedia[];
}

/** Shows all of a request; `lead` stands above it. */
export function requestSheet(
  draft: SamplingDraft,
  lead: readonly string[],
  t: Translate,
): RequestSheet {
  const before: readonly SheetSection[] = [
    { heading: t('Limits'), body: limitsText(draft) },
    ...(draft.systemPrompt === undefined
      ? []
      : [{ heading: t('System prompt'), body: draft.systemPrompt }]),
  ];
  const parts = messageSections(draft.messages, t);
  const tools = draft.tools.map((tool) => ({
    heading: toolHeading(tool, t),
    body: toolText(tool),
  }));
  const { text, lines } = sheetText(lead, [...before, ...parts, ...tools]);
  return {
    text,
    media: placedMedia(parts, lines.slice(before.length)),
  };
}

/** Reads an edited sheet of `draft` back; a `problem` is one sentence. */
export function readRequestSheet(
  text: string,
  draft: SamplingDraft,
  t: Translate,
): { readonly draft: SamplingDraft } | { readonly problem: string } {
  const known = messageSections(draft.messages, t);
  const parts: ReadPart[] = [];
  const tools: SamplingTool[] = [];
  let systemPrompt: string | undefined;
  let limits: Limits = draft;
  for (const section of readSheet(text)) {
    const read = readSection(section, draft, t) ?? readMessageSection(section, known, t);
    if (!read) return { problem: unknownHeading(section, t) };
    if ('problem' in read) return read;
    if ('part' in read) parts.push(read);
    else if ('tool' in read) tools.push(read.tool);
    else if ('limits' in read) ({ limits } = read);
    else ({ systemPrompt } = read);
  }
  if (parts.length === 0) return { problem: t('There is no message left to send.') };
  const messages = toMessages(parts);
  const wrong = toolResultsProblem(messages);
  if (wrong !== undefined) return { problem: wrong };
  const { maxTokens, temperature, stopSequences } = limits;
  return {
    draft: {
      messages,
      tools,
      toolMode: draft.toolMode,
      maxTokens,
      stopSequences,
      ...(systemPrompt && { systemPrompt }),
      ...(temperature !== undefined && { temperature }),
    },
  };
}

type Limits = Pick<SamplingDraft, 'maxTokens' | 'temperature' | 'stopSequences'>;

type Read =
  | { readonly systemPrompt: string }
  | { readonly limits: Limits }
  | { readonly tool: SamplingTool }
  | { readonly problem: string };

function readSection(section: ReadSection, draft: SamplingDraft, t: Translate): Read | undefined {
  const { heading, body, line } = section;
  if (heading === t('System prompt')) {
    const original = draft.systemPrompt ?? '';
    return { systemPrompt: isUnchanged(body, original) ? original : body };
  }
  if (heading === t('Limits')) {
    const limits = readLimits(body);
    return limits ? { limits } : { problem: t('Line {0}: these are no limits.', String(line)) };
  }
  const tool = draft.tools.find((each) => toolHeading(each, t) === heading);
  if (!tool) return undefined;
  if (isUnchanged(body, toolText(tool))) return { tool };
  const { description, inputSchema } = parseObject(body) ?? {};
  return typeof description === 'string' && isRecord(inputSchema)
    ? { tool: { name: tool.name, description, inputSchema } }
    : {
        problem: t('Line {0}: a tool needs a "description" and an "inputSchema".', String(line)),
      };
}

function limitsText({ maxTokens, temperature, stopSequences }: SamplingDraft): string {
  return jsonText(
    {
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences.length > 0 && { stopSequences }),
    },
    2,
  );
}

function readLimits(body: string): Limits | undefined {
  const { maxTokens, temperature, stopSequences = [] } = parseObject(body) ?? {};
  if (typeof maxTokens !== 'number' || !(maxTokens >= 1)) return undefined;
  if (temperature !== undefined && typeof temperature !== 'number') return undefined;
  if (!Array.isArray(stopSequences)) return undefined;
  const sequences: readonly unknown[] = stopSequences;
  if (!sequences.every((each) => typeof each === 'string' && each !== '')) return undefined;
  return {
    maxTokens,
    stopSequences: sequences as readonly string[],
    ...(temperature !== undefined && { temperature }),
  };
}

function toolHeading({ name }: SamplingTool, t: Translate): string {
  return t('Tool {0}', plainLabel(name, 100));
}

function toolText({ description, inputSchema }: SamplingTool): string {
  return jsonText({ description, inputSchema }, 2);
}
