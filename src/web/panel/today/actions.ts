import { z } from 'zod';
import { comeFrom } from '../show.ts';
import type { PanelAction, PanelMove, Visit } from '../visit.ts';
import { gatherTasks } from './gather.ts';
import { todayWords } from './words.ts';

/** Runs a command for the person and moves on to `to`. */
export async function command(
  visit: Visit,
  name: string,
  asked: Record<string, unknown>,
  to: string,
): Promise<PanelMove> {
  const answer = await visit.deps.commands.run(name, { ...asked, by: visit.by });
  return { to, says: answer?.says ?? '', done: answer?.done ?? false };
}

const one = z.object({ documento: z.string().min(1).max(80) });

/** A button that runs a command on one document. */
const about = (name: string, path: string, role: PanelAction['role'] = 'operate'): PanelAction => ({
  path,
  role,
  async run(visit, form) {
    const { documento } = one.parse(form);
    return command(visit, name, { document: documento }, comeFrom(form));
  },
});

export const retryAction = about('retry', '/reintentar');
const shown = one.extend({ version: z.coerce.number().int() });

/** The same command as `facturapuente retry DOCUMENTO --accept`, about the document as the person saw it. */
export const acceptAction: PanelAction = {
  path: '/aceptar',
  role: 'operate',
  async run(visit, form) {
    const { documento, version } = shown.parse(form);
    return command(visit, 'retry', { document: documento, accept: true, seen: version }, comeFrom(form));
  },
};

export const reprocessAction = about('reprocess', '/reprocesar');
export const mailBuyerAction = about('mail-buyer', '/enviar-enlace');
export const revokeLinksAction = about('revoke-links', '/anular-enlaces', 'configure');

/** Retries all documents of the same group as this one, as the group is now. */
export const retryGroupAction: PanelAction = {
  path: '/reintentar-todos',
  role: 'operate',
  async run(visit, form) {
    const { documento } = one.parse(form);
    const { lines } = await gatherTasks(visit.deps);
    const group = lines.find(
      (line) => line.kind === 'documents' && line.tasks.some(({ document }) => document.id === documento),
    );
    const tasks = group?.kind === 'documents' ? group.tasks : [];
    for (const { document } of tasks)
      await visit.deps.commands.run('retry', { document: document.id, by: visit.by });
    return { to: comeFrom(form), says: todayWords.allDone(tasks.length) };
  },
};

const paused = z.object({
  cuenta: z.string().max(63),
  ambiente: z.enum(['1', '2', '']).transform((text) => (text === '' ? null : Number(text))),
});

export const probeAction: PanelAction = {
  path: '/probar-cuenta',
  role: 'operate',
  async run(visit, form) {
    const { cuenta, ambiente } = paused.parse(form);
    return command(visit, 'probe-account', { account: cuenta, ambiente }, comeFrom(form));
  },
};

const alert = z.object({ aviso: z.string().max(80), asunto: z.string().max(400) });

export const clearAlertAction: PanelAction = {
  path: '/avisos/revisado',
  role: 'operate',
  async run(visit, form) {
    const { aviso, asunto } = alert.parse(form);
    return command(visit, 'clear-alert', { code: aviso, subject: asunto }, comeFrom(form));
  },
};

export const todayActions: readonly PanelAction[] = [
  retryAction,
  retryGroupAction,
  acceptAction,
  reprocessAction,
  mailBuyerAction,
  revokeLinksAction,
  probeAction,
  clearAlertAction,
];
