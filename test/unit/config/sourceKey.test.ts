import assert from 'node:assert/strict';
import { sourceKey } from '../../../src/config/configLayer';

describe('a place of configuration', () => {
  const folder = (uri: string) => ({
    label: 'Folder Settings of web',
    folder: { uri, name: 'web' },
  });
  for (const [title, one, other] of [
    ['two folders of one name', folder('file:///a/web'), folder('file:///b/web')],
    [
      'two workspaces',
      { label: 'Workspace Settings', workspace: 'file:///a' },
      { label: 'Workspace Settings', workspace: 'file:///b' },
    ],
    [
      'two files of one name',
      { ...folder('file:///a/web'), uri: 'file:///a/web/.mcp.json' },
      { ...folder('file:///a/web'), uri: 'file:///b/web/.mcp.json' },
    ],
  ] as const)
    it(`shares no stored value with the other of ${title}`, () =>
      assert.notEqual(sourceKey(one), sourceKey(other)));
});
