import { maxTooltipLength, plainLabel, truncate } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { ElicitRequest } from '../../mcp/protocol/clientRequests';
import { readFields } from '../../ui/steps/schemaFields';
import { sheetText } from '../sheet';

/** At most this many fields are described; a form with more is one document. */
const maxFields = 100;

/** Returns all that a server says in a question, for reading: the message, its address, and what each field is. */
export function questionText(serverName: string, request: ElicitRequest, t: Translate): string {
  const fields = request.mode === 'form' ? readFields(request.requestedSchema) : [];
  return sheetText(
    [t('{0} asks', plainLabel(serverName, 60))],
    [
      { heading: t('Question'), body: request.message },
      ...(request.mode === 'url' ? [{ heading: t('Address'), body: request.url }] : []),
      ...fields.slice(0, maxFields).map(({ title, description }) => ({
        heading: t('Field: {0}', plainLabel(title)),
        ...(description !== undefined && { body: truncate(description, maxTooltipLength) }),
      })),
    ],
  ).text;
}
