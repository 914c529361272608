import { isRecord } from '../../../base/json';
import { jsonText } from '../../../base/text/jsonText';
import { plainLabel } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import { parseObject } from '../../../mcp/protocol/parseObject';
import {
  maxToolNameLength,
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

/** The headings by which the sections of a request are read back: the protocol's own words, in every language. */
const headings = {
  limits: 'limits',
  systemPrompt: 'systemPrompt',
  tool: (index: number) => `tool ${index + 1}`,
};

/** The sheet of a request, and the media in it. */
export interface RequestSheet {
  readonly text: string;
  readonly media: readonly PlacedMedia[];
}

/** Makes the sheet that shows all of a request, below the lines of `lead`. */
export function requestSheet(
  draft: SamplingDraft,
  lead: readonly string[],
  t: Translate,
): RequestSheet {
  const before: readonly SheetSection[] = [
    { heading: headings.limits, body: limitsText(draft) },
    ...(draft.systemPrompt === undefined
      ? []
      : [{ heading: headings.systemPrompt, body: draft.systemPrompt }]),
  ];
  const parts = messageSections(draft.messages, t);
  const tools = draft.tools.map((tool, index) => ({
    heading: headings.tool(index),
    notes: [plainLabel(tool.name, maxToolNameLength)],
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
  if (heading === headings.systemPrompt) {
    const original = draft.systemPrompt ?? '';
    return { systemPrompt: isUnchanged(body, original) ? original : body };
  }
  if (heading === headings.limits) {
    const limits = readLimits(body);
    return typeof limits === 'string'
      ? { problem: limitProblem(limits, String(line), t) }
      : { limits };
  }
  const tool = draft.tools.find((_each, index) => headings.tool(index) === heading);
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

/** Reads the limits from a section, or returns which of them is wrong. */
function readLimits(body: string): Limits | LimitProblem {
  const said = parseObject(body);
  if (!said) return 'object';
  const { maxTokens, temperature, stopSequences = [] } = said;
  if (typeof maxTokens !== 'number' || !(maxTokens >= 1)) return 'maxTokens';
  if (temperature !== undefined && typeof temperature !== 'number') return 'temperature';
  if (!Array.isArray(stopSequences)) return 'stopSequences';
  const sequences: readonly unknown[] = stopSequences;
  if (!sequences.every((each) => typeof each === 'string' && each !== '')) return 'stopSequences';
  return {
    maxTokens,
    stopSequences: sequences as readonly string[],
    ...(temperature !== undefined && { temperature }),
  };
}

type LimitProblem = 'object' | 'maxTokens' | 'temperature' | 'stopSequences';

function limitProblem(problem: LimitProblem, line: string, t: Translate): string {
  switch (problem) {
    case 'object':
      return t('Line {0}: limits: enter a JSON object.', line);
    case 'maxTokens':
      return t('Line {0}: limits: "maxTokens" must be a number of at least 1.', line);
    case 'temperature':
      return t('Line {0}: limits: "temperature" must be a number.', line);
    case 'stopSequences':
      return t('Line {0}: limits: "stopSequences" must be a list of texts.', line);
  }
}

function toolText({ description, inputSchema }: SamplingTool): string {
  return jsonText({ description, inputSchema }, 2);
}
