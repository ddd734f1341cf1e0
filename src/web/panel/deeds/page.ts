import { z } from 'zod';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { DeedOutcome, KeptDeed } from '../../../ledger/deeds.ts';
import { moment } from '../show.ts';
import { storyPath } from '../today/buttons.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { inBoth } from '../words.ts';

const outcomes: Record<DeedOutcome, string> = {
  done: 'hecho',
  nothing: 'sin cambios',
  refused: 'rechazado',
  failed: 'falló',
};

/** What is written down, by its code; a code of a later version stands for itself. */
const whats: Readonly<Record<string, string>> = {
  'sign-in': 'Entrada al panel',
  'sign-out': 'Salida del panel',
  'wrong-password': 'Contraseña equivocada',
  'wrong-code': 'Código equivocado tras la contraseña correcta',
  'second-factor': 'Activar la verificación en dos pasos',
  'recovery-codes': 'Nuevos códigos de recuperación',
  'reset-second-factor': 'Restablecer la verificación en dos pasos',
  'not-allowed': 'Intento sin permiso',
  retry: 'Intentar otra vez',
  'new-number': 'Responder por un número nuevo',
  reprocess: 'Reprocesar en el SRI',
  identify: 'Dar la identificación',
  'mail-buyer': 'Enviar el enlace al comprador',
  adopt: 'Dar la clave de acceso',
  'revoke-links': 'Anular enlaces',
  'probe-account': 'Probar la cuenta',
  'clear-alert': 'Aviso revisado',
  'buyer-answered': 'Datos entregados al comprador',
  'forget-buyer': 'Borrar los datos de un comprador',
  'sync-order': 'Volver a leer un pedido',
  assistant: 'Pedido de un asistente',
  reseal: 'Proteger con la clave nueva',
  'store-add': 'Registrar una tienda',
  'store-remove': 'Quitar una tienda',
  'store-confirm': 'Decidir qué es una tienda retenida',
  close: 'Cierre del día',
  export: 'Exportar un mes',
  install: 'Instalar en la tienda',
  uninstall: 'Desinstalar de la tienda',
  'install-service': 'Instalar en el servicio',
  sweep: 'Preguntar a la tienda',
  move: 'Mover el registro a PostgreSQL',
};

const deedWords = inBoth(
  {
    nav: 'Registro',
    title: 'Quién hizo qué',
    lead: 'Lo que las personas hicieron en el panel y en la línea de comandos, lo más nuevo primero. No guarda datos de compradores.',
    subjectIs: 'sobre',
    order: (name: string) => `pedido ${name}`,
    nobody: 'usuario desconocido',
    attempts: (count: number, from: string) =>
      `${count === 1 ? '1 intento' : `${count} intentos`} en una hora, desde ${from}`,
    whats,
    outcomes,
    older: 'Ver anteriores',
    newest: 'Ir a lo más nuevo',
    empty: 'Todavía no hay nada más que mostrar.',
  },
  {
    nav: 'Audit log',
    title: 'Who did what',
    lead: 'What people did in the panel and on the command line, the newest first. It holds no buyers’ data.',
    subjectIs: 'about',
    order: (name: string) => `order ${name}`,
    nobody: 'unknown user',
    attempts: (count: number, from: string) =>
      `${count === 1 ? '1 attempt' : `${count} attempts`} within an hour, from ${from}`,
    whats: {
      'sign-in': 'Signing in',
      'sign-out': 'Signing out',
      'wrong-password': 'Wrong password',
      'wrong-code': 'Wrong code after the right password',
      'second-factor': 'Turn on two-step verification',
      'recovery-codes': 'New recovery codes',
      'reset-second-factor': 'Reset two-step verification',
      'not-allowed': 'Attempt without permission',
      retry: 'Try again',
      'new-number': 'Answer for a new number',
      reprocess: 'Reprocess at the SRI',
      identify: 'Give the identification',
      'mail-buyer': 'Mail the buyer the link',
      adopt: 'Give the access key',
      'revoke-links': 'Revoke links',
      'probe-account': 'Probe the account',
      'clear-alert': 'Alert looked at',
      'buyer-answered': 'Data handed to the buyer',
      'forget-buyer': 'Erase a buyer’s data',
      'sync-order': 'Read an order again',
      assistant: 'Asked by an assistant',
      reseal: 'Seal under the new key',
      'store-add': 'Register a store',
      'store-remove': 'Take a store away',
      'store-confirm': 'Decide what a held store is',
      close: 'Close of the day',
      export: 'Export of a month',
      install: 'Install at the shop',
      uninstall: 'Take back from the shop',
      'install-service': 'Install at the service',
      sweep: 'Ask the shop',
      move: 'Move the ledger to PostgreSQL',
    },
    outcomes: { done: 'done', nothing: 'no change', refused: 'refused', failed: 'failed' },
    older: 'Show older',
    newest: 'Go to the newest',
    empty: 'There is nothing more to show yet.',
  },
);

const perPage = 50;

/** `/panel/registro`: who did what, newest first. */
export const deedsPage: PanelPage = {
  path: '/registro',
  role: 'configure',
  nav: { order: 9, label: { es: deedWords.es.nav, en: deedWords.en.nav } },
  async show(visit) {
    const words = deedWords[visit.language];
    const asked = visit.query.get('antes') ?? '';
    const before = /^\d{1,15}$/.test(asked) ? asked : undefined;
    const deeds = await visit.deps.ledger.deeds.list({
      limit: perPage + 1,
      ...(before !== undefined && { before }),
    });
    const shown = deeds.slice(0, perPage);
    const last = deeds.length > perPage ? shown.at(-1) : undefined;
    return {
      title: words.title,
      body: html`<p class="soft">${words.lead}</p>
${shown.length === 0 ? html`<div class="empty"><p>${words.empty}</p></div>` : await list(visit, shown)}
<div class="acts">${last && html`<a class="button plain" href="${visit.at(`/registro?antes=${last.id}`)}">${words.older}</a>`}
${before !== undefined && html`<a class="quiet" href="${visit.at('/registro')}">${words.newest}</a>`}</div>`,
    };
  },
};

async function list(visit: Visit, deeds: readonly KeptDeed[]): Promise<Html> {
  const { documents } = visit.deps.ledger;
  const subjects = new Set(
    deeds.flatMap(({ facts, subject }) => (attemptsIn(facts) || !subject ? [] : [subject])),
  );
  const found = await Promise.all(
    [...subjects].map(async (subject) => [subject, await documents.get(subject)] as const),
  );
  const about = new Map(found.map(([subject, document]) => [subject, aboutOf(visit, subject, document)]));
  return html`<ol class="log">${deeds.map((deed) => row(visit, deed, about))}</ol>`;
}

/** A document by its order, with the way to its story; anything else as it is written down. */
function aboutOf(visit: Visit, subject: string, document: Document | undefined): Piece {
  if (!document) return subject;
  const name = deedWords[visit.language].order(document.orderName);
  const path = storyPath(document.id);
  return path === null ? name : html`<a href="${visit.at(path)}">${name}</a>`;
}

function row(visit: Visit, deed: KeptDeed, abouts: ReadonlyMap<string, Piece>): Html {
  const { at, who, what, subject, outcome, facts } = deed;
  const { nobody, whats, outcomes, subjectIs, attempts } = deedWords[visit.language];
  const bad = outcome === 'refused' || outcome === 'failed';
  // What failed sign-ins are counted by says nothing to a person.
  const failed = attemptsIn(facts);
  const about = failed ? attempts(failed.attempts, failed.from.join(', ')) : abouts.get(subject ?? '');
  return html`<li><span class="soft">${moment(at, visit)}</span><span>${who ?? nobody}</span>
<span><strong>${whats[deedOf(deed)] ?? what}</strong>${about && html` <span class="soft">${!failed && html`<span class="heard">${subjectIs} </span>`}${about}</span>`}</span>
<span class="chip${bad ? ' bad' : outcome === 'nothing' && ' warn'}">${outcomes[outcome]}</span></li>`;
}

const failedSignIns = z.object({ attempts: z.number(), from: z.array(z.string().max(64)) });

/** Of an entry that stands for many failed sign-ins. */
const attemptsIn = (facts: unknown) => failedSignIns.safeParse(facts).data ?? null;

/** What was done, by its code: to answer for a new number is more than to try again. */
function deedOf({ what, facts }: KeptDeed): string {
  return (facts as { newNumber?: boolean } | null)?.newNumber ? 'new-number' : what;
}
