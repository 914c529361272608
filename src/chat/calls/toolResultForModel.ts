import type { ContentPart } from '../../contracts/modelMessages';
import type { CutTexts, ShortContent } from '../content/cutTexts';
import { outcomeContent } from '../content/modelContent';
import { describeTools, type ModelCallResult } from '../offer/chatTools';
import type { OfferedTool } from '../../offer/offeredTools';
import { markUntrusted, textPart } from '../content/untrusted';

/**
 * Returns what a model is told about a call: our own words as they are, a server's between markers and limited to
 * `limit` characters.
 */
export function toolResultForModel(
  called: ModelCallResult,
  kept: CutTexts,
  limit: number,
): ShortContent {
  switch (called.kind) {
    case 'text':
      return { parts: [textPart(called.text)], leftOut: [], isCut: false };
    case 'piece': {
      const { source, offset, total, text: piece } = called.piece;
      const note = textPart(`Characters ${offset} to ${offset + piece.length} of ${total}:`);
      return {
        parts: [note, ...markUntrusted(source, [textPart(piece)])],
        leftOut: [],
        isCut: false,
      };
    }
    case 'outcome': {
      const { call, outcome } = called;
      const source = `${call.server.name} › ${call.tool.name}`;
      const short = kept.shorten(source, outcomeContent(outcome), limit);
      const isOurs = outcome.kind !== 'result' && outcome.kind !== 'failed';
      return isOurs ? short : { ...short, parts: markUntrusted(source, short.parts) };
    }
  }
}

/** Returns what a model is told about the tools that were found. */
export function foundToolsForModel(
  tools: readonly OfferedTool[],
  kept: CutTexts,
  limit: number,
): readonly ContentPart[] {
  const source = 'the tools of the servers';
  const content = { parts: [describeTools(tools)], leftOut: [] };
  return markUntrusted(source, kept.shorten(source, content, limit).parts);
}
