import { secretsOfArguments } from '../../../base/secrets/lineSecrets';
import { plainLabel } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import type { Inheritance, StdioServerConfig } from '../../../mcp/serverConfig';
import { decisiveWarnings, isDecisive } from '../decisiveVariables';
import { showValues } from '../launchValues';
import { refuseWorkspaceParts } from '../workspaceParts';
import { completeProcess } from './completeProcess';
import { confinementText, lineTitle, sandboxWarnings } from './sandboxTexts';
import { isWorthHiding, namedValues } from './hiddenValues';
import type { LaunchRules } from './launchRules';

/** The rules for launching a process. */
export const processRules: LaunchRules<StdioServerConfig> = {
  complete: completeProcess,
  async check(config, surroundings) {
    if (surroundings.programs)
      await refuseWorkspaceParts(config, surroundings, surroundings.programs);
  },
  decides({ key, name = '', text }, { command }) {
    if (key === 'env') return isDecisive(name) ? text : '';
    if (key === 'args') return shells.test(programOf(command)) ? text : '';
    // It is made from the rest.
    return key === 'confinement' ? '' : text;
  },
  recipient: ({ command, args, cwd, envFile, env }) => {
    const decisive = Object.entries(env).filter(([name]) => isDecisive(name));
    return { command, args, cwd, envFile, env: Object.fromEntries(decisive) };
  },
  sends: ({ command }, value, t) =>
    t(
      'It gives the stored value of "{0}", which you entered for another launch, to {1}.',
      value,
      plainLabel(programOf(command), 60),
    ),
  values: ({ env }) => env,
  parts: (config, written, { line, own, ofFile, markKey }, t) => [
    { title: lineTitle(config.confinement, t), text: line, isUsual: true },
    { title: t('Sandbox'), text: confinementText(config.confinement, t) },
    {
      title: t('Debugger'),
      text:
        config.debug &&
        t(
          'Opens a port on this machine for {0}: while it runs, programs here can run any code in it.',
          config.debug,
        ),
    },
    { title: t('Working directory'), text: config.cwd, isUsual: written.cwd === undefined },
    { title: t('Environment variables it sets'), text: showValues(own, markKey, t) },
    {
      title: t('File of environment variables'),
      text: fileText(config.envFile, showValues(ofFile, markKey, t)),
    },
    {
      title: t('Environment variables it inherits'),
      text: inheritedText(config.inheritEnvironment ?? 'safe', t),
    },
  ],
  bound: (config, _written, values) => ({ ...config, env: values }),
  warnings,
  lineSecrets: ({ args }) => secretsOfArguments(args),
  secrets: ({ env }) => namedValues(env, isWorthHiding),
  asWritten: (config, written, keep) => ({
    ...config,
    command: keep.text(config.command, written.command),
    args: config.args.map((arg, index) => keep.text(arg, written.args[index])),
    env: keep.values(config.env, written.env),
  }),
};

/** Programs whose arguments may be a script. */
const shells = /^(?:(?:ba|da|z|k|fi)?sh|cmd|powershell|pwsh)$/i;
const pinned = /^(?:@[\w.-]+\/)?[\w.-]+(?:@|==)v?\d/;

function warnings(config: StdioServerConfig, t: Translate): readonly string[] {
  const { command, args, env } = config;
  const program = programOf(command);
  const found: string[] = [...sandboxWarnings(config, program, t)];
  if (/^(?:npx|bunx|pnpx|uvx|pipx)$/.test(program) && args.every((arg) => !pinned.test(arg)))
    found.push(
      t(
        '{0} fetches the latest version of the package at every start. Pin one (…@1.2.3) to keep it from changing.',
        program,
      ),
    );
  if (shells.test(program))
    found.push(t('{0} runs its argument as a script of any number of commands.', program));
  if (/^(?:sudo|doas|runas)$/.test(program))
    found.push(t('{0} runs the server with the rights of another user.', program));
  return [...found, ...decisiveWarnings(Object.keys(env), t)];
}

/** Returns the name of a program without its folder and without the extension that Windows adds. */
function programOf(command: string): string {
  const name = command.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:cmd|exe|bat)$/i, '');
}

function inheritedText(inheritance: Inheritance, t: Translate): string {
  switch (inheritance) {
    case 'safe':
      return '';
    case 'all':
      return t("all, secrets too, but the editor's own");
    case 'none':
      return t('none');
  }
}

function fileText(file: string | undefined, values: string): string | undefined {
  return file === undefined ? undefined : [file, values].filter(Boolean).join('\n');
}
