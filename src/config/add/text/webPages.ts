import { decodePercent } from '../../../base/text/percent';

/** What a web page is about that people copy the address of in place of a server. */
export type WebPage =
  { readonly about: 'npm' | 'pypi'; readonly target: string } | { readonly about: 'repository' };

const npmPage = /^\/package\/((?:@[\w.~-]+\/)?[\w.~][\w.~-]*)(?:\/v\/([\w.+-]+))?\/?$/;

const pypiPage = /^\/project\/(\w[\w.-]*)(?:\/(\d[\w.+!-]*))?\/?$/;

/** A repository, what is in it, and its entry in the registry that GitHub shows. */
const repositoryPage =
  /^\/(?:mcp\/)?[\w-]+\/[\w.-]+(?:\/(?:tree|blob|wiki|releases|tags|issues|pulls?|discussions|actions)(?:\/.*)?)?\/?$/;

/** Reads the address of a package's page, or of a repository; undefined for others, which may be those of servers. */
export function readWebPage(address: string): WebPage | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = decodePercent(url.pathname);
  switch (url.host.replace(/^www\./, '')) {
    case 'npmjs.com':
      return packageOf('npm', npmPage.exec(path));
    case 'pypi.org':
      return packageOf('pypi', pypiPage.exec(path));
    case 'github.com':
      return repositoryPage.test(path) ? { about: 'repository' } : undefined;
    default:
      return undefined;
  }
}

function packageOf(about: 'npm' | 'pypi', found: RegExpExecArray | null): WebPage | undefined {
  const [, name, version] = found ?? [];
  if (name === undefined) return undefined;
  return { about, target: version === undefined ? name : `${name}@${version}` };
}
