import { decodePercent } from '../../../base/text/text';

/** What a web page is about whose URL users copy in place of a server. */
export type WebPage =
  | { readonly about: 'npm' | 'pypi' | 'docker'; readonly target: string }
  | { readonly about: 'repository' | 'listed' };

const npmPage = /^\/package\/((?:@[\w.~-]+\/)?[\w.~][\w.~-]*)(?:\/v\/([\w.+-]+))?\/?$/;

const pypiPage = /^\/project\/(\w[\w.-]*)(?:\/(\d[\w.+!-]*))?\/?$/;

const dockerImage = /^\/r\/(\w[\w.-]*\/\w[\w.-]*)(?:\/|$)/;

/** A server in Docker's catalog, which has an image in the namespace `mcp`. */
const dockerServer = /^\/mcp\/server\/([\w.-]+)(?:\/|$)/;

/** A repository, a page within it, or its entry in the registry that GitHub shows. */
const repositoryPage =
  /^\/(?:mcp\/)?[\w-]+\/[\w.-]+(?:\/(?:tree|blob|wiki|releases|tags|issues|pulls?|discussions|actions)(?:\/.*)?)?\/?$/;

/** The paths of pages about servers on sites that list them, some of which run servers, too. */
const listings: ReadonlyMap<string, RegExp> = new Map([
  ['hub.docker.com', /^\//],
  ['smithery.ai', /^\/servers?\//],
  ['mcp.so', /^\/servers?\//],
  ['glama.ai', /^\/mcp\/(?:servers|connectors)\//],
  ['pulsemcp.com', /^\/servers\//],
  ['lobehub.com', /^(?:\/discover)?\/mcp\//],
]);

/** The language that may precede the path of a page. */
const language = /^\/[a-z]{2}(?:-[a-z]+)?(?=\/)/i;

/** Reads the URL of a page about a package, a repository or a server; `undefined` for others, which may be servers. */
export function readWebPage(address: string): WebPage | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = decodePercent(url.pathname);
  const host = url.host.replace(/^www\./, '');
  const isListed = listings.get(host)?.test(path.replace(language, ''));
  const listed = isListed ? ({ about: 'listed' } as const) : undefined;
  switch (host) {
    case 'npmjs.com':
      return packageOf('npm', npmPage.exec(path));
    case 'pypi.org':
      return packageOf('pypi', pypiPage.exec(path));
    case 'github.com':
      return repositoryPage.test(path) ? { about: 'repository' } : undefined;
    case 'hub.docker.com':
      return imageOf(path) ?? listed;
    default:
      return listed;
  }
}

function packageOf(about: 'npm' | 'pypi', found: RegExpExecArray | null): WebPage | undefined {
  const [, name, version] = found ?? [];
  if (name === undefined) return undefined;
  return { about, target: version === undefined ? name : `${name}@${version}` };
}

function imageOf(path: string): WebPage | undefined {
  const [, image] = dockerImage.exec(path) ?? [];
  const [, name] = dockerServer.exec(path) ?? [];
  const target = image ?? (name === undefined ? undefined : `mcp/${name}`);
  return target === undefined ? undefined : { about: 'docker', target };
}
