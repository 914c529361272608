import * as vscode from 'vscode';
import { extensionsOf } from '../../../base/media/mediaTypes';
import { dataBytes } from '../../../contracts/modelMessages';
import type { DocumentQuestion } from '../../../ui/documents/documentInput';
import type { PlacedMedia } from './messageSections';

/** Returns media as files beside a document, with a link to each from its line. */
export function mediaLinks(
  media: readonly PlacedMedia[],
): Required<Pick<DocumentQuestion, 'files' | 'links'>> {
  const named = media.map(({ line, part }, index) => ({
    line,
    name: `media-${index + 1}.${extensionsOf(part.mimeType)[0] ?? 'bin'}`,
    content: dataBytes(part),
  }));
  return {
    files: named.map(({ name, content }) => ({ name, content })),
    links: named.map(({ line, name }) => ({
      line,
      title: vscode.l10n.t('Open {0}', name),
      target: name,
    })),
  };
}
