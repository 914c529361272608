import { l10n } from 'vscode';
import type { PreviewWords } from './previewText';

/** Returns the texts of a preview in the editor's language. */
export function previewWords(): PreviewWords {
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
