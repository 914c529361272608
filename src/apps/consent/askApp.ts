import * as vscode from 'vscode';
import { neverAborted } from '../../base/async';
import { addressLabel } from '../../base/text/address';
import { formatBytes, plainLabel } from '../../base/text/text';
import type { QuestionOutcome } from '../../contracts/questionOutcome';
import type { Server } from '../../mcp/server';
import { backToQuestion } from '../../ui/documents/choiceCommands';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import { pickItem } from '../../ui/steps/pickItem';
import { type App, sourceText } from '../page/app';
import { judgeOrigins, type JudgedOrigin, type OriginConcern } from '../page/origins';
import { permissions, type Permission } from '../page/permissions';
import { separator, type PickLook } from '../../ui/rows/picks';

/** The user's decision about an app. */
export type AppAnswer =
  | {
      readonly kind: 'open';
      readonly granted: readonly Permission[];
      /** By which the user has just said so. */
      readonly by?: UserAction | undefined;
    }
  | { readonly kind: 'decline' };

/** An app for the user to decide about. */
export interface AppQuestion {
  readonly server: Server;
  readonly app: App;
  /** Present if the user just asked for it. */
  readonly asked?: UserAction | undefined;
  /** Present if the user allowed an earlier version of the app: its HTML, or `undefined` if that was not kept. */
  readonly before?: { readonly html: string | undefined };
  /** Returns the permissions that the user has granted by now; `undefined` if the app is not allowed yet. */
  readonly granted: () => Promise<readonly Permission[] | undefined>;
  /** Stores that the user allows the app before the next question is asked, which may be about the same app. */
  readonly remember: (granted: readonly Permission[]) => Promise<void>;
}

type Item = PickLook & {
  readonly choice?: 'open' | 'decline' | 'source' | Permission;
};

/** Shows what an app is and what it can reach, and asks whether to open it, which takes an explicit choice. */
export function askApp(
  question: AppQuestion,
  { questions, input }: { readonly questions: Questions; readonly input: DocumentInput },
): Promise<QuestionOutcome<AppAnswer>> {
  const { server, asked } = question;
  return questions.ask<AppAnswer>(
    {
      info: { kind: 'trust', server, what: vscode.l10n.t('open an app'), asked },
      declined: { kind: 'decline' },
      ask: async (context) => {
        const granted = await question.granted();
        if (granted) return { kind: 'open', granted };
        const answer = await ask(question, context, input);
        if (answer.kind === 'open' && !context.signal.aborted)
          await question.remember(answer.granted);
        return answer;
      },
    },
    neverAborted(),
  );
}

async function ask(
  question: AppQuestion,
  context: QuestionContext,
  input: DocumentInput,
): Promise<AppAnswer> {
  const { t } = vscode.l10n;
  const { server, app } = question;
  const origins = await judgeOrigins(app.origins);
  const granted = new Set<Permission>();
  for (;;) {
    const picked = await pickItem<Item>({
      frame: {
        title: t('App of {0}', plainLabel(server.name, 60)),
        actions: [],
        context,
      },
      placeholder: t('Open this app? Enter does not open it.'),
      items: () => itemsOf(question, origins, granted),
      isString: ({ choice }) => choice === undefined,
      stays: ({ choice }) => toggle(granted, choice),
    });
    const choice = typeof picked === 'string' ? undefined : picked.choice;
    if (choice === 'open') return { kind: 'open', granted: [...granted], by: context.wanted };
    if (choice !== 'source') return { kind: 'decline' };
    await context.setAside(() => showSource(question, input, context));
    if (context.signal.aborted) return { kind: 'decline' };
  }
}

function toggle(granted: Set<Permission>, choice: Item['choice']): boolean {
  const permission = permissions.find((one) => one === choice);
  if (!permission) return false;
  if (!granted.delete(permission)) granted.add(permission);
  return true;
}

function itemsOf(
  { server, app, before }: AppQuestion,
  origins: readonly JudgedOrigin[],
  granted: ReadonlySet<Permission>,
): readonly Item[] {
  const { t } = vscode.l10n;
  const icon = (id: string) => ({ iconPath: new vscode.ThemeIcon(id) });
  const name = plainLabel(server.name, 60);
  return [
    separator(t('App')),
    { label: plainLabel(app.uri, 60), description: formatBytes(app.bytes), ...icon('window') },
    ...(before ? [{ label: t('Changed since you allowed it'), ...icon('warning') }] : []),
    separator(t('It can reach')),
    ...(origins.length === 0
      ? [{ label: t('Only {0}: no sites', name), ...icon('lock') }]
      : origins.map(({ origin, site, concerns }) => ({
          label: addressLabel(origin, 64),
          description: [addressLabel(site, 64), ...concerns.map(concernText)].join(' · '),
          ...icon(concerns.length > 0 ? 'warning' : 'globe'),
        }))),
    ...(app.canChange
      ? [
          {
            label: t('Loads scripts from elsewhere, which can change unseen'),
            description: t('your answer is for this session'),
            ...icon('warning'),
          },
        ]
      : []),
    {
      label: t('By WebRTC, any address and services of this machine'),
      description: t('taken from the app, but no browser policy blocks it'),
      ...icon('warning'),
    },
    {
      label: t('By the name of a page that it goes to, any domain'),
      description: t('the page is blocked, but the name is looked up and can carry data'),
      ...icon('warning'),
    },
    ...app.refused.slice(0, 3).map((refused) => ({
      label: plainLabel(refused, 60),
      description: t('not an allowed site: blocked'),
      ...icon('circle-slash'),
    })),
    ...(app.permissions.length > 0 ? [separator(t('It asks for'))] : []),
    ...app.permissions.map((one) => ({
      label: granted.has(one)
        ? t('{0}: allowed', permissionText(one))
        : t('{0}: not allowed', permissionText(one)),
      description: t('select to change'),
      ...icon(granted.has(one) ? 'pass' : 'circle-slash'),
      choice: one,
    })),
    separator(t('Your decision')),
    { label: t('Do Not Open'), ...icon('close'), choice: 'decline', grantsNothing: true },
    { label: t('Open App'), ...icon('check'), choice: 'open' },
    before
      ? { label: t('Show Changes'), ...icon('diff'), choice: 'source' }
      : { label: t('Show Source'), ...icon('go-to-file'), choice: 'source' },
  ];
}

async function showSource(
  { app, before }: AppQuestion,
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<void> {
  const allowed = before?.html;
  await input.ask({
    name: 'app.html',
    text: sourceText(app.html, vscode.l10n.t),
    ...(allowed !== undefined && {
      files: [{ name: 'allowed.html', content: sourceText(allowed, vscode.l10n.t) }],
      comparedWith: 'allowed.html',
    }),
    readOnly: true,
    choices: [backToQuestion()],
    permit,
    signal,
  });
}

/** Returns the name of a permission to show to the user. */
export function permissionText(permission: Permission): string {
  const { t } = vscode.l10n;
  switch (permission) {
    case 'camera':
      return t('Camera');
    case 'microphone':
      return t('Microphone');
    case 'geolocation':
      return t('Location');
    case 'clipboardWrite':
      return t('Writing to the clipboard');
  }
}

function concernText(concern: OriginConcern): string {
  const { t } = vscode.l10n;
  switch (concern) {
    case 'lookAlike':
      return t('look-alike characters');
    case 'port':
      return t('not the usual port');
    case 'ipAddress':
      return t('an IP address');
    case 'thisMachine':
      return t('this machine');
    case 'anySubdomain':
      return t('any subdomain');
  }
}
