import type { CreateMessageResult } from '../../mcp/protocol/clientRequests';
import type { MessagePart } from '../../contracts/modelMessages';

/** The first revision in which an answer may have several blocks of content. */
const severalSince = '2025-11-25';

/** Returns an answer as it is sent to a server that speaks `revision`. */
export function samplingResult(
  answer: {
    readonly parts: readonly MessagePart[];
    readonly model: string;
    readonly stopReason: string;
  },
  revision: string | undefined,
): CreateMessageResult {
  const blocks = answer.parts.map(toBlock);
  const several = blocks.length > 1 && revision !== undefined && revision >= severalSince;
  return {
    role: 'assistant',
    content: several ? blocks : oneBlock(answer.parts),
    model: answer.model,
    stopReason: answer.stopReason,
  };
}

/** Returns all texts in one block, or the first block if there are none. */
function oneBlock(parts: readonly MessagePart[]): object {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : []));
  const [first] = parts;
  return texts.length > 0 || !first ? { type: 'text', text: texts.join('\n') } : toBlock(first);
}

function toBlock(part: MessagePart): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'data': {
      const type = part.mimeType.startsWith('audio/') ? 'audio' : 'image';
      return { type, data: part.base64, mimeType: part.mimeType };
    }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
    case 'answer':
      return {
        type: 'tool_result',
        toolUseId: part.id,
        content: part.content.map(toBlock),
      };
  }
}
